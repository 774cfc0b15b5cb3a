package experiment

import (
	"cmp"
	"math"
	"slices"

	"throng/lab/stats"
)

// ordered returns the outcomes by replication, whatever order they came in.
func (t *tally) ordered() []outcome {
	return slices.SortedFunc(slices.Values(t.done), func(a, b outcome) int {
		return cmp.Compare(a.replication, b.replication)
	})
}

// result condenses what the runs measured.
func (r *runner) result(interrupted bool) *Result {
	e := r.experiment
	out := &Result{
		Name: e.Name, Title: e.Title, About: e.About, Source: e.Source,
		Seed: e.Seed, Quick: e.Quick, Duration: e.Duration.String(), Warmup: e.Warmup.String(),
		Replications: e.Replications, Precision: e.Precision,
		Varying: e.Varying, Fixed: e.fixed(), Cases: e.Cases,
		Measures: e.Measures, Plots: e.Plots,
		Interrupted: interrupted, Planned: r.planned, Finished: r.finished,
	}
	for i := range r.points {
		t := &r.points[i]
		p := PointResult{Params: e.points[i].params, All: e.points[i].all}
		for _, o := range t.ordered() {
			if o.failure != nil {
				out.Failures = append(out.Failures, *o.failure)
				continue
			}
			p.Runs = append(p.Runs, Run{o.replication, replicationSeed(e.Seed, o.replication), o.measures})
		}
		p.Measures = Summarise(p.Runs)
		p.Imprecise = e.Precision != nil && !r.precise(t)
		out.Points = append(out.Points, p)
	}
	return out
}

// fixed returns the parameters on which all points agree, without those that are meant to vary.
func (e *Experiment) fixed() []Param {
	counts := map[string]int{}
	for _, p := range e.points {
		for _, q := range p.all {
			counts[q.Path+"="+q.Value]++
		}
	}
	var out []Param
	for _, q := range e.points[0].all {
		if counts[q.Path+"="+q.Value] == len(e.points) && !slices.Contains(e.Varying, q.Path) {
			out = append(out, q)
		}
	}
	return out
}

// Summarise condenses every measure over some runs, in the order in which they report them.
func Summarise(runs []Run) []Summary {
	var order []Measure
	series := map[string]*stats.Running{}
	for _, run := range runs {
		for _, m := range run.Measures {
			if series[m.Name] == nil {
				series[m.Name] = new(stats.Running)
				order = append(order, m)
			}
			if !math.IsNaN(m.Value) {
				series[m.Name].Add(m.Value)
			}
		}
	}
	var out []Summary
	for _, m := range order {
		s := series[m.Name]
		out = append(out, Summary{
			Name: m.Name, Unit: m.Unit, N: s.N(),
			Mean: s.Mean(), CI95: s.HalfWidth95(), Min: s.Min(), Max: s.Max(),
		})
	}
	return out
}

package report

import (
	"math"
	"slices"

	"throng/lab/experiment"
	"throng/lab/stats"
)

// paired is what changes when one choice is made instead of the first: the differences between runs that had the same seed, and with
// it the same users and the same network. What both had to put up with cancels out, so that less is left to chance than between the
// means themselves.
type paired struct {
	Axis, Base string // which parameter, and the value that the others are compared with
	Grid       grid
}

// newPaired compares along the first parameter that has names for values. It is nil where there is nothing to compare, or too few runs.
func newPaired(r *experiment.Result) *paired {
	at := slices.IndexFunc(r.Varying, func(path string) bool { return !numeric(r, path) && len(distinct(r, path)) > 1 })
	if at < 0 {
		return nil
	}
	axis := r.Varying[at]
	d := &paired{Axis: axis, Base: distinct(r, axis)[0]}
	for _, path := range r.Varying {
		d.Grid.Params = append(d.Grid.Params, heading{Name: path, Numeric: numeric(r, path)})
	}
	columns := measureColumns(r)
	for _, c := range columns {
		d.Grid.Measures = append(d.Grid.Measures, heading{Name: c.name, Unit: c.unit.name, Numeric: true})
	}
	for i := range r.Points {
		p := &r.Points[i]
		base := d.baseOf(r, p)
		if base == nil {
			continue
		}
		line := row{}
		for _, path := range r.Varying {
			line.Params = append(line.Params, paramCell(param(p, path)))
		}
		for _, c := range columns {
			cell, n := difference(base, p, c)
			line.Runs = max(line.Runs, n)
			line.Cells = append(line.Cells, cell)
		}
		if line.Runs > 1 {
			d.Grid.Rows = append(d.Grid.Rows, line)
		}
	}
	if len(d.Grid.Rows) == 0 {
		return nil
	}
	return d
}

// baseOf finds the point that differs in nothing but the first choice.
func (d *paired) baseOf(r *experiment.Result, p *experiment.PointResult) *experiment.PointResult {
	if param(p, d.Axis).Value == d.Base {
		return nil
	}
	for i := range r.Points {
		q := &r.Points[i]
		same := param(q, d.Axis).Value == d.Base
		for _, path := range r.Varying {
			same = same && (path == d.Axis || param(q, path).Value == param(p, path).Value)
		}
		if same {
			return q
		}
	}
	return nil
}

// difference is that of a measure between runs of the same replication, and how many there were.
func difference(base, p *experiment.PointResult, c column) (cell, int) {
	var differences stats.Running
	for _, run := range p.Runs {
		at := slices.IndexFunc(base.Runs, func(other experiment.Run) bool { return other.Replication == run.Replication && other.Seed == run.Seed })
		if at < 0 {
			continue
		}
		if v := valueOf(run, c.name) - valueOf(base.Runs[at], c.name); !math.IsNaN(v) && !math.IsInf(v, 0) {
			differences.Add(v * c.unit.factor)
		}
	}
	n := differences.N()
	if n < 2 {
		return cell{Value: "–", Numeric: true}, n
	}
	mean, half := differences.Mean(), differences.HalfWidth95()
	value, interval := formatEstimate(mean, half, n)
	if mean > 0 {
		value = "+" + value
	}
	return cell{Value: value, Interval: interval, Sort: sortKey(mean), Numeric: true, Sure: math.Abs(mean) > half}, n
}

func valueOf(run experiment.Run, name string) float64 {
	for _, m := range run.Measures {
		if m.Name == name {
			return m.Value
		}
	}
	return math.NaN()
}

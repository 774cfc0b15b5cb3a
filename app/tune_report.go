//go:build !js

package app

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/tune"
	"throng/lab/verdict"
)

// tuned is what came of a search, as programs read it.
type tuned struct {
	World    string      `json:"world"`
	Network  string      `json:"network"`
	Quality  []string    `json:"quality"`
	Cost     []string    `json:"cost"`
	Limits   []string    `json:"limits"`
	Runs     int         `json:"runs"`
	Grid     int         `json:"grid"`  // how many choices there were
	Tried    int         `json:"tried"` // and how many of them were tried
	Best     choice      `json:"best"`
	Within   bool        `json:"within"` // the limits
	Clear    bool        `json:"clear"`  // better than the next, with 95% confidence
	Serve    string      `json:"serve"`
	Next     *choice     `json:"next,omitempty"`
	Frontier []choice    `json:"frontier"`
	Sways    []sway      `json:"sways"`
	Networks []elsewhere `json:"networks"`

	trials []tune.Trial
	params [][]experiment.Param
}

// choice is a mechanism with its parameters, and what it comes to.
type choice struct {
	Params  []string `json:"params"`
	Gain    float64  `json:"gain"`
	Quality float64  `json:"quality"`
	Cost    float64  `json:"cost"`
	CI95    *float64 `json:"ci95"`
	Runs    int      `json:"runs"`
}

// sway is a change of a weight that would change the choice.
type sway struct {
	Term   string   `json:"term"`
	Factor float64  `json:"factor"`
	Params []string `json:"params"`
}

// elsewhere is who is best on another network.
type elsewhere struct {
	Delay  string    `json:"delay"`
	Gains  []float64 `json:"gains"` // of the best choices, in their order
	Params []string  `json:"params"`
}

// outcome gathers what is known.
func (t *tuning) outcome(f *tune.Found) *tuned {
	o := &tuned{
		World: t.command.World, Network: t.command.Network, Runs: f.Runs, Tried: len(f.Ranking), Within: f.Within, Clear: f.Clear,
		Quality: texts(t.objective.Quality), Cost: texts(t.objective.Cost), Limits: append([]string{}, t.command.Limit...), Sways: []sway{}, Networks: []elsewhere{},
	}
	for _, p := range t.experiment.Points() {
		o.params = append(o.params, p.Params)
	}
	o.Grid = len(o.params)
	for i, c := range f.Ranking {
		o.trials = append(o.trials, t.trial(c, f.Gains[i].Excess))
	}
	o.Best = o.choice(&o.trials[0], f.Gains[0])
	if len(o.trials) > 1 {
		next := o.choice(&o.trials[1], f.Gains[1])
		o.Next = &next
	}
	for _, front := range tune.Frontier(o.trials) {
		at := slices.Index(f.Ranking, front.Candidate)
		o.Frontier = append(o.Frontier, o.choice(&front, f.Gains[at]))
	}
	terms := append(slices.Clone(o.Quality), o.Cost...)
	for _, s := range tune.Sway(o.trials) {
		if s.Candidate != f.Best {
			o.Sways = append(o.Sways, sway{terms[s.Term], s.Factor, named(o.params[s.Candidate])})
		}
	}
	o.Serve = t.serve(o.params[f.Best])
	return o
}

func texts(terms []tune.Term) (list []string) {
	for _, t := range terms {
		list = append(list, t.Text)
	}
	return list
}

// trial is the means of a candidate's runs.
func (t *tuning) trial(c int, excess float64) tune.Trial {
	x := tune.Trial{Candidate: c, Excess: excess}
	runs := t.sampling.Runs(c)
	for _, r := range runs {
		quality, cost := t.objective.Worth(r.Measures)
		x.Quality += quality / float64(len(runs))
		x.Cost += cost / float64(len(runs))
		for i, part := range t.objective.Parts(r.Measures) {
			if len(x.Terms) <= i {
				x.Terms = append(x.Terms, 0)
			}
			x.Terms[i] += part / float64(len(runs))
		}
	}
	return x
}

func (o *tuned) choice(t *tune.Trial, g tune.Gain) choice {
	c := choice{Params: named(o.params[t.Candidate]), Gain: t.Gain(), Quality: t.Quality, Cost: t.Cost, Runs: g.Runs}
	if !math.IsNaN(g.CI95) {
		c.CI95 = &g.CI95
	}
	return c
}

// named are a choice's parameters as a user would give them, the mechanism first.
func named(params []experiment.Param) []string {
	list := []string{"mechanism=" + params[0].Value}
	return append(list, experiment.Assignments(params[1:])...)
}

// serve is the command that serves a choice.
func (t *tuning) serve(params []experiment.Param) string {
	args := []string{"serve", "--world", t.command.World, "--mechanism", params[0].Value}
	for _, set := range experiment.Assignments(params[1:]) {
		args = append(args, "--set", set)
	}
	for _, set := range t.command.Set {
		if strings.HasPrefix(set, "world.") || strings.HasPrefix(set, "mechanism.") {
			args = append(args, "--set", set)
		}
	}
	return commandLine(args)
}

// networkBest is how many of the best choices are tried on other networks, and networkRuns how often.
const networkBest, networkRuns = 3, 3

// networks tries the best choices of different mechanisms where the delay is half and twice as long.
func (t *tuning) networks(o *tuned, trial experiment.Trial) (interrupted bool, err error) {
	points := t.experiment.Points()
	best := points[o.trials[0].Candidate]
	delay, ok := find(best.Setup.Params(), "network.delay")
	if !ok || math.IsNaN(delay.Number) || delay.Number <= 0 {
		return false, nil
	}
	var chosen []int
	var mechanisms []string
	for _, x := range o.trials {
		if name := o.params[x.Candidate][0].Value; x.Excess == 0 && len(chosen) < networkBest && !slices.Contains(mechanisms, name) {
			chosen, mechanisms = append(chosen, x.Candidate), append(mechanisms, name)
		}
	}
	if len(chosen) < 2 {
		return false, nil
	}
	var delays []string
	for _, factor := range []float64{0.5, 2} {
		delays = append(delays, fmt.Sprintf("%gms", math.Round(1e3*factor*delay.Number)))
	}
	x, err := t.alike(o, chosen, delays)
	if err != nil {
		return false, err
	}
	r := x.Run(t.ctx, trial, t.options.workers(), newProgress(t.stderr, x.Name+", other networks"))
	if r.Interrupted {
		return true, nil // what is known stands
	}
	for i, d := range delays {
		e := elsewhere{Delay: d}
		most := math.Inf(-1)
		for k, c := range chosen {
			gain := math.NaN()
			if m, ok := r.Points[k*len(delays)+i].Measure("gain"); ok {
				gain = m.Mean
			}
			e.Gains = append(e.Gains, gain)
			if gain > most {
				most, e.Params = gain, named(o.params[c])
			}
		}
		if e.Params != nil {
			o.Networks = append(o.Networks, e)
		}
	}
	return false, nil
}

// alike is the same experiment with some choices only, and other delays.
func (t *tuning) alike(o *tuned, chosen []int, delays []string) (*experiment.Experiment, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %q\nworld: %q\nnetwork: %q\nmechanism: %q\n", "Other networks", t.command.World, t.command.Network, o.params[chosen[0]][0].Value)
	fmt.Fprintf(&b, "duration: %s\nwarmup: %s\nreplications: %d\ncases:\n", t.experiment.Duration, t.experiment.Warmup, networkRuns)
	for _, c := range chosen {
		p := o.params[c]
		fmt.Fprintf(&b, "  - {name: %q, set: {mechanism: %q", p[0].Value, p[0].Value)
		for _, q := range p[1:] {
			fmt.Fprintf(&b, ", %q: %q", q.Path, q.Value)
		}
		b.WriteString("}}\n")
	}
	fmt.Fprintf(&b, "sweep: {network.delay: [%s]}\nmeasures: [%s]\n", strings.Join(delays, ", "), strings.Join(t.experiment.Measures, ", "))
	sets := slices.DeleteFunc(t.options.sets(), func(s string) bool {
		path, _, _ := strings.Cut(s, "=")
		return slices.Contains([]string{"network.delay", "duration", "warmup"}, strings.TrimSpace(path))
	})
	x, err := experiment.Load(experiment.Source{BuiltIn: oneFile(b.String())}, t.experiment.Name, experiment.Options{Set: sets}, t.program.space())
	if err != nil {
		return nil, err
	}
	return x, lab.CheckPoints(x.Points())
}

func find(params []experiment.Param, path string) (experiment.Param, bool) {
	for _, p := range params {
		if p.Path == path {
			return p, true
		}
	}
	return experiment.Param{}, false
}

// report writes the files and prints what was found.
func (t *tuning) report(o *tuned, r *experiment.Result) error {
	var text strings.Builder
	o.write(&text)
	r.About = strings.TrimSpace(text.String())
	r.Replications = 0
	r.Measures = append([]string{"gain", "quality", "cost"}, t.experiment.Measures...)
	r.Plots = []experiment.Plot{{X: "cost", Y: "quality", By: []string{"case"}, Title: "Quality against cost: a point for each choice that was tried"}}
	for _, figure := range t.experiment.Measures {
		r.Plots = append(r.Plots, experiment.Plot{X: figure, Y: "gain", By: []string{"case"}, Title: "Gain against " + figure})
	}
	if err := t.write(r, t.dir); err != nil {
		return err
	}
	if t.command.JSON {
		encoder := json.NewEncoder(t.stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(o)
	}
	_, err := fmt.Fprintf(t.stdout, "%s\nreport: %s\n", text.String(), t.dir+"/"+reportFile)
	return err
}

// write says it in words.
func (o *tuned) write(b *strings.Builder) {
	line := func(c *choice) string {
		text := fmt.Sprintf("%s: gain %s", strings.TrimPrefix(strings.Join(c.Params, " "), "mechanism="), verdict.Format(c.Gain, ""))
		if c.CI95 != nil {
			text += " ± " + verdict.Format(*c.CI95, "")
		}
		return text + fmt.Sprintf(" (quality %s, cost %s; %d runs)", verdict.Format(c.Quality, ""), verdict.Format(c.Cost, ""), c.Runs)
	}
	fmt.Fprintf(b, "quality: %s\ncost:    %s\n", strings.Join(o.Quality, ", "), strings.Join(o.Cost, ", "))
	if len(o.Limits) > 0 {
		fmt.Fprintf(b, "limits:  %s\n", strings.Join(o.Limits, ", "))
	}
	fmt.Fprintf(b, "\n%d runs of %d out of %d choices.\n\nbest: %s\n", o.Runs, o.Tried, o.Grid, line(&o.Best))
	if !o.Within {
		b.WriteString("      Nothing that was tried keeps within all limits: this comes closest.\n")
	}
	if o.Next != nil {
		sure := "hardly to be told from it"
		if o.Clear {
			sure = "clearly behind"
		}
		fmt.Fprintf(b, "next: %s, %s\n", line(o.Next), sure)
	}
	fmt.Fprintf(b, "\nserve it: %s\n\nquality for its cost, the cheapest first:\n", o.Serve)
	for i := range o.Frontier {
		fmt.Fprintf(b, "  %s\n", line(&o.Frontier[i]))
	}
	b.WriteString("\nwhat the choice hangs on:\n")
	if len(o.Sways) == 0 {
		b.WriteString("  It is the same with any one weight halved or doubled.\n")
	}
	for _, s := range o.Sways {
		how := "doubled"
		if s.Factor < 1 {
			how = "halved"
		}
		fmt.Fprintf(b, "  with %q %s: %s\n", s.Term, how, strings.TrimPrefix(strings.Join(s.Params, " "), "mechanism="))
	}
	for _, n := range o.Networks {
		fmt.Fprintf(b, "  on a network with a delay of %s: %s\n", n.Delay, strings.TrimPrefix(strings.Join(n.Params, " "), "mechanism="))
	}
}

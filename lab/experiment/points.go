package experiment

import (
	"math"
	"slices"
	"strings"
)

const (
	caseKey   = "case" // the path of a case among the parameters of a point
	pointsMax = 10_000
	runsMax   = 1_000_000
)

// Point is one combination of parameters.
type Point struct {
	Params []Param // those that vary, in the order of the file
	Setup  Setup   // with the experiment's own seed
}

// point is a point together with what it was made from, so that every run gets configs of its own.
type point struct {
	params []Param
	all    []Param
	build  func() Setup
}

// Points lists the combinations in the order of the file: cases first, then the experiment's sweep, then the case's,
// the last one changing fastest.
func (e *Experiment) Points() []Point {
	out := make([]Point, len(e.points))
	for i, p := range e.points {
		out[i] = Point{p.params, p.build()}
	}
	return out
}

func textParam(path, value string) Param {
	return Param{Path: path, Value: value, Number: math.NaN()}
}

// combine makes the points.
func (l *loader) combine(e *Experiment, _ *node) error {
	cases := l.cases
	if len(cases) == 0 {
		cases = []caseSpec{{}}
	}
	e.Varying = l.varying()
	if err := l.bound(e, cases); err != nil {
		return err
	}
	for _, c := range cases {
		first := len(e.points)
		if err := l.combineCase(e, c); err != nil {
			return err
		}
		if len(l.cases) > 0 {
			e.Cases = append(e.Cases, Case{c.name, l.setByCases(e, e.points[first].all)})
		}
	}
	for _, o := range l.offers {
		if err := o.unused(); err != nil {
			return err
		}
	}
	return nil
}

// varying lists what tells points apart.
func (l *loader) varying() (paths []string) {
	if len(l.cases) > 0 {
		paths = append(paths, caseKey)
	}
	dims := slices.Concat(l.sweeps()...)
	for _, o := range l.offers {
		if o.varying {
			dims = append(dims, o.dimension)
		}
	}
	for _, d := range dims {
		for _, path := range d.paths {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// bound keeps a slip in a sweep from asking for more than anybody can wait for.
func (l *loader) bound(e *Experiment, cases []caseSpec) error {
	total := 0.0 // no overflow, and exact as far as it is of interest
	for _, c := range cases {
		points := 1.0
		for _, d := range slices.Concat(l.sweep, c.sweep) {
			points *= float64(len(d.values))
		}
		for _, o := range l.offers {
			points *= float64(len(o.values))
		}
		total += points
	}
	if total > pointsMax {
		return l.at.errorf("%.0f points are too many; allowed: %d", total, pointsMax)
	}
	runs := e.Replications
	if e.Precision != nil {
		runs = e.Precision.Max
	}
	if total*float64(runs) > runsMax {
		return l.at.errorf("%.0f points of up to %d runs are too many; allowed: %d runs", total, runs, runsMax)
	}
	return nil
}

func (l *loader) combineCase(e *Experiment, c caseSpec) error {
	dims := slices.Concat(l.sweep, c.sweep)
	seen := map[string]bool{}
	for swept := range combinations(dims) {
		usable, err := l.usable(c, swept)
		if err != nil {
			return err
		}
		for offered := range combinations(usable) {
			p, err := l.point(e, c, swept, offered)
			if err != nil {
				return err
			}
			key := joinParams(p.params)
			if seen[key] {
				last := slices.Concat(dims, usable)
				return last[len(last)-1].at.errorf("sweep gives the same point twice: %s", key)
			}
			seen[key] = true
			e.points = append(e.points, p)
		}
	}
	return nil
}

// own is what the points of a case have before --set offers them anything.
func (l *loader) own(c caseSpec, swept []assignment) []assignment {
	return slices.Concat(l.choices, c.set, swept)
}

// usable returns which offers of --set a point can use: what it has chosen decides which parameters it has.
func (l *loader) usable(c caseSpec, swept []assignment) ([]dimension, error) {
	if len(l.offers) == 0 {
		return nil, nil
	}
	var setup Setup
	if _, err := l.assemble(&setup, l.own(c, swept)); err != nil {
		return nil, err
	}
	var usable []dimension
	for _, o := range l.offers {
		var has []string
		for _, path := range o.paths {
			if err := l.refuses(&setup, path, o.at); err != nil {
				o.refused(path, err)
			} else {
				o.used[path] = true
				has = append(has, path)
			}
		}
		if len(has) > 0 && !o.sweptBy(c.sweep) { // else the case's own sweep has these values
			usable = append(usable, o.only(has))
		}
	}
	return usable, nil
}

// point checks one combination.
func (l *loader) point(e *Experiment, c caseSpec, swept, offered []assignment) (point, error) {
	build := func() (Setup, error) {
		setup := Setup{Duration: e.Duration, Warmup: e.Warmup, Seed: e.Seed, Commands: e.Commands}
		err := l.resolve(&setup, l.own(c, swept), offered)
		return setup, err
	}
	setup, err := build()
	if err != nil {
		return point{}, err
	}
	p := point{all: setup.Params()}
	varied := slices.Concat(swept, offered)
	for _, path := range e.Varying {
		if path == caseKey {
			p.params = append(p.params, textParam(caseKey, c.name))
		} else if i := slices.IndexFunc(varied, func(a assignment) bool { return a.path == path }); i >= 0 {
			p.params = append(p.params, find(p.all, varied[i]))
		}
	}
	p.build = func() Setup {
		setup, err := build()
		if err != nil {
			panic(err) // the same went well before; only a file that has vanished since can lead here
		}
		setup.Point = p.params
		return setup
	}
	return p, nil
}

// find returns an assigned parameter in its canonical form. A map that was set as a whole has none.
func find(all []Param, a assignment) Param {
	for _, p := range all {
		if p.Path == a.path {
			return p
		}
	}
	return textParam(a.path, a.value.text)
}

// setByCases picks from the parameters of a point those that any case sets. A case that leaves one at the experiment's
// value is told apart by that too.
func (l *loader) setByCases(e *Experiment, all []Param) []Param {
	var out []Param
	for _, p := range all {
		if l.setByCase(p.Path) != "" && !slices.Contains(e.Varying, p.Path) {
			out = append(out, p)
		}
	}
	return out
}

// Assignments are parameters as path=value, as a user would give them.
func Assignments(params []Param) []string {
	var parts []string
	for _, p := range params {
		parts = append(parts, p.Path+"="+p.Value)
	}
	return parts
}

// joinParams writes parameters on one line.
func joinParams(params []Param) string { return strings.Join(Assignments(params), " ") }

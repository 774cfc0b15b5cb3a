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
	} else {
		e.Varying = append(e.Varying, caseKey)
	}
	for _, d := range slices.Concat(l.sweeps()...) {
		if !slices.Contains(e.Varying, d.path) {
			e.Varying = append(e.Varying, d.path)
		}
	}
	if err := l.bound(e, cases); err != nil {
		return err
	}
	sets := newSetLayer(l.sets)
	for _, c := range cases {
		first := len(e.points)
		if err := l.combineCase(e, c, sets); err != nil {
			return err
		}
		if len(l.cases) > 0 {
			e.Cases = append(e.Cases, Case{c.name, l.setByCases(e.points[first].all)})
		}
	}
	return sets.unused()
}

// bound keeps a slip in a sweep from asking for more than anybody can wait for.
func (l *loader) bound(e *Experiment, cases []caseSpec) error {
	total := 0.0 // no overflow, and exact as far as it is of interest
	for _, c := range cases {
		points := 1.0
		for _, d := range slices.Concat(l.sweep, c.sweep) {
			points *= float64(len(d.values))
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

func (l *loader) combineCase(e *Experiment, c caseSpec, sets *setLayer) error {
	dims := slices.Concat(l.sweep, c.sweep)
	index := make([]int, len(dims))
	seen := map[string]bool{}
	for {
		var swept []assignment
		for i, d := range dims {
			value := d.values[index[i]]
			swept = append(swept, assignment{d.path, value, value.at})
		}
		p, err := l.point(e, c, swept, sets)
		if err != nil {
			return err
		}
		key := joinParams(p.params)
		if seen[key] {
			return dims[len(dims)-1].at.errorf("sweep gives the same point twice: %s", key)
		}
		seen[key] = true
		e.points = append(e.points, p)

		i := len(dims) - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < len(dims[i].values) {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return nil
		}
	}
}

// point checks one combination.
func (l *loader) point(e *Experiment, c caseSpec, swept []assignment, sets *setLayer) (point, error) {
	build := func(sets *setLayer) (Setup, error) {
		setup := Setup{Duration: e.Duration, Warmup: e.Warmup, Seed: e.Seed}
		err := l.resolve(&setup, slices.Concat(l.choices, c.set, swept), sets)
		return setup, err
	}
	setup, err := build(sets)
	if err != nil {
		return point{}, err
	}
	p := point{all: setup.params()}
	if c.name != "" {
		p.params = append(p.params, textParam(caseKey, c.name))
	}
	for _, a := range swept {
		p.params = append(p.params, find(p.all, a))
	}
	p.build = func() Setup {
		setup, err := build(newSetLayer(sets.assignments))
		if err != nil {
			panic(err) // the same went well before; only a file that has vanished since can lead here
		}
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
func (l *loader) setByCases(all []Param) []Param {
	var out []Param
	for _, p := range all {
		if l.setByCase(p.Path) != "" {
			out = append(out, p)
		}
	}
	return out
}

// joinParams writes parameters as a user would give them.
func joinParams(params []Param) string {
	var parts []string
	for _, p := range params {
		parts = append(parts, p.Path+"="+p.Value)
	}
	return strings.Join(parts, " ")
}

// setLayer is the layer of --set. Its assignments apply where they can, but each must be of use somewhere.
type setLayer struct {
	assignments []assignment
	applied     []bool
	refusal     []error
}

func newSetLayer(assignments []assignment) *setLayer {
	return &setLayer{assignments, make([]bool, len(assignments)), make([]error, len(assignments))}
}

func (s *setLayer) unused() error {
	for i, ok := range s.applied {
		if !ok {
			return s.refusal[i]
		}
	}
	return nil
}

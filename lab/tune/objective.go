package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"throng/lab/experiment"
	"throng/lab/verdict"
)

// Term is how much a figure counts: so many points for each step of it.
type Term struct {
	Weight float64
	Figure string
	Step   float64 // in the figure's unit
	Text   string  // as it was given
}

// ParseTerm reads a term such as response.p90/100ms=-1: one point less for each 100 ms of response.
func ParseTerm(text string, known func(figure string) error) (Term, error) {
	rest, weight, _ := strings.Cut(text, "=")
	figure, step, ok := strings.Cut(rest, "/")
	w, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
	if err != nil || !ok || math.IsInf(w, 0) || math.IsNaN(w) {
		return Term{}, fmt.Errorf("wants a form such as response.p90/100ms=-1: a figure, how much of it, and how many points that is")
	}
	figure = strings.TrimSpace(figure)
	if err := known(figure); err != nil {
		return Term{}, err
	}
	v, err := verdict.ParseValue(step)
	if err == nil && !(v > 0) {
		err = fmt.Errorf("a step is more than nothing")
	}
	return Term{w, figure, v, text}, err
}

// Objective is what a run is worth.
type Objective struct {
	Quality, Cost []Term
}

// Figures are those that count.
func (o *Objective) Figures() (list []string) {
	for _, t := range o.terms() {
		list = append(list, t.Figure)
	}
	return list
}

func (o *Objective) terms() []Term { return append(append([]Term{}, o.Quality...), o.Cost...) }

// Worth is the quality and the cost of a run; NaN where a figure is missing that counts.
func (o *Objective) Worth(m experiment.Measures) (quality, cost float64) {
	return sum(o.Quality, m), sum(o.Cost, m)
}

func sum(terms []Term, m experiment.Measures) (points float64) {
	for _, t := range terms {
		points += t.Weight * find(m, t.Figure) / t.Step
	}
	return points
}

func find(m experiment.Measures, figure string) float64 {
	for _, f := range m {
		if f.Name == figure {
			return f.Value
		}
	}
	return math.NaN()
}

// Parts are what each term comes to in a run, as it counts for the gain: those of quality first.
func (o *Objective) Parts(m experiment.Measures) (list []float64) {
	for i, t := range o.terms() {
		points := t.Weight * find(m, t.Figure) / t.Step
		if i >= len(o.Quality) {
			points = -points
		}
		list = append(list, points)
	}
	return list
}

// Score is what a run comes to.
type Score struct {
	Gain   float64 // quality minus cost
	Excess float64 // by how much limits are broken, as shares of them; 0 within all
}

// Score judges a run. One that lacks a figure that counts is beyond all limits.
func (o *Objective) Score(m experiment.Measures, limits []verdict.Limit) Score {
	quality, cost := o.Worth(m)
	s := Score{Gain: quality - cost}
	for _, l := range limits {
		value := find(m, l.Figure)
		beyond := value - l.Bound
		if l.Least {
			beyond = -beyond
		}
		if beyond > 0 || math.IsNaN(beyond) {
			s.Excess += beyond / max(math.Abs(l.Bound), 1e-9)
		}
	}
	if math.IsNaN(s.Gain) || math.IsNaN(s.Excess) {
		return Score{Gain: math.Inf(-1), Excess: math.Inf(1)}
	}
	return s
}

// Preset is an objective that suits a kind of world.
type Preset struct {
	Name, About   string
	Quality, Cost []string
}

// Presets are those to begin with. Weights say what a point is worth against another: a tenth of a second against kilobytes.
var Presets = []Preset{
	{"action", "a game of reflexes: one's own actions at once, others' soon, few jumps",
		[]string{"response.p90/100ms=-2", "observation.p90/100ms=-1", "divergence/0.01=-1"}, []string{"bytes.sent/10KB/s=1", "work/1000=0.2"}},
	{"strategy", "a game of plans: everybody sees the same, a little later",
		[]string{"response.p90/200ms=-1", "observation.p90/200ms=-0.5", "divergence/0.01=-2"}, []string{"bytes.sent/5KB/s=1", "work/1000=0.5"}},
	{"conference", "people who talk and hardly move: cheap, and soon enough",
		[]string{"response.p90/300ms=-1", "observation.p90/300ms=-1", "divergence/0.05=-0.5"}, []string{"bytes.sent/2KB/s=2", "work/1000=0.5"}},
	{"market", "a crowded square: bytes first, others may be late",
		[]string{"response.p90/150ms=-1", "observation.p90/500ms=-0.5", "divergence/0.05=-0.5"}, []string{"bytes.sent/5KB/s=3", "work/1000=0.5"}},
}

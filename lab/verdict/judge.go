package verdict

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"throng/lab/experiment"
	"throng/lab/stats"
)

// State is whether a case keeps within the limits.
type State string

// The states. A case is open if the runs do not tell with 95% confidence.
const (
	Holds State = "holds"
	Fails State = "fails"
	Open  State = "open"
)

// Verdict is what came of a comparison.
type Verdict struct {
	Limits []Limit
	Cases  []Case
	Best   []Best // of those that hold, or of all if there are no limits
}

// Case is one of those that were compared.
type Case struct {
	Name  string
	State State
	Why   []string // what it fails by, or what is open
	Bound bool     // it is there to compare with, and cannot be chosen
	point *experiment.PointResult
}

// Best is the best case by a figure.
type Best struct {
	Figure, Unit string
	Case         string
	Value        float64

	// Next is the second best, Difference how much worse it is on average over the runs with the same seeds, and CI95 how sure that is. Without a second one
	// Next is empty.
	Next             string
	Difference, CI95 float64
	Shared           int // runs
}

// Clear reports whether the best is better than the next with 95% confidence.
func (b *Best) Clear() bool { return b.Next != "" && math.Abs(b.Difference) > b.CI95 }

// Judge decides. Cases that are only bounds are not to be chosen; greater figures are better only where greater says so.
func Judge(r *experiment.Result, limits []Limit, bound func(p *experiment.PointResult) bool, greater func(figure string) bool) *Verdict {
	v := &Verdict{Limits: limits}
	for i := range r.Points {
		p := &r.Points[i]
		c := Case{Name: nameOf(p), State: Holds, Bound: bound(p), point: p}
		for _, l := range limits {
			c.check(l)
		}
		if len(p.Runs) == 0 {
			c.State, c.Why = Open, []string{"no run was finished"}
		}
		v.Cases = append(v.Cases, c)
	}
	for _, figure := range r.Measures {
		if b, ok := v.best(figure, greater(figure)); ok {
			v.Best = append(v.Best, b)
		}
	}
	return v
}

func nameOf(p *experiment.PointResult) string {
	var words []string
	for _, q := range p.Params {
		if q.Path == "case" {
			words = append(words, q.Value)
		} else {
			words = append(words, q.Path+"="+q.Value)
		}
	}
	return strings.Join(words, " ")
}

// check holds a case against a limit: with confidence, where there are runs enough for that.
func (c *Case) check(l Limit) {
	m, ok := c.point.Measure(l.Figure)
	if !ok || math.IsNaN(m.Mean) {
		c.worsen(Open, l.Figure+" has no value")
		return
	}
	over, sure := m.Mean-l.Bound, m.CI95
	if l.Least {
		over = -over
	}
	if math.IsNaN(sure) {
		sure = 0
	}
	text := fmt.Sprintf("%s is %s ± %s", l.Figure, Format(m.Mean, m.Unit), Format(sure, m.Unit))
	switch {
	case over > sure:
		c.worsen(Fails, text)
	case over > -sure:
		c.worsen(Open, text)
	}
}

// worsen notes that a limit is not kept, or may not be. What fails by one is not open by another.
func (c *Case) worsen(s State, why string) {
	switch {
	case c.State == Fails && s == Open:
		return
	case c.State != s:
		c.State, c.Why = s, nil
	}
	c.Why = append(c.Why, why)
}

// best finds the best case by a figure, among those that may be chosen.
func (v *Verdict) best(figure string, greater bool) (b Best, ok bool) {
	var list []*Case
	value := func(c *Case) float64 {
		m, _ := c.point.Measure(figure)
		b.Unit = m.Unit
		if greater {
			return -m.Mean
		}
		return m.Mean
	}
	for i := range v.Cases {
		c := &v.Cases[i]
		if m, ok := c.point.Measure(figure); ok && !math.IsNaN(m.Mean) && c.State == Holds && !c.Bound {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return b, false
	}
	slices.SortStableFunc(list, func(x, y *Case) int {
		switch a, b := value(x), value(y); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	m, _ := list[0].point.Measure(figure)
	b.Figure, b.Case, b.Value, b.Unit = figure, list[0].Name, m.Mean, m.Unit
	if len(list) > 1 {
		b.Next = list[1].Name
		b.Difference, b.CI95, b.Shared = paired(list[0].point, list[1].point, figure)
	}
	return b, true
}

// paired is how much more a figure is in the second case than in the first, on average over the runs that share a seed.
func paired(a, b *experiment.PointResult, figure string) (mean, ci float64, n int) {
	find := func(m experiment.Measures) (float64, bool) {
		for _, x := range m {
			if x.Name == figure {
				return x.Value, !math.IsNaN(x.Value)
			}
		}
		return 0, false
	}
	var differences stats.Running
	for _, run := range a.Runs {
		at := slices.IndexFunc(b.Runs, func(other experiment.Run) bool { return other.Seed == run.Seed })
		if at < 0 {
			continue
		}
		x, one := find(run.Measures)
		y, two := find(b.Runs[at].Measures)
		if one && two {
			differences.Add(y - x)
			n++
		}
	}
	ci = differences.HalfWidth95()
	if math.IsNaN(ci) {
		ci = math.Inf(1)
	}
	return differences.Mean(), ci, n
}

// Sentence says it in one.
func (v *Verdict) Sentence() string {
	var holds, open []string
	for _, c := range v.Cases {
		switch {
		case c.Bound:
		case c.State == Holds:
			holds = append(holds, c.Name)
		case c.State == Open:
			open = append(open, c.Name)
		}
	}
	var text string
	switch {
	case len(v.Limits) == 0:
		text = "Nothing was asked for"
	case len(holds) == 0:
		text = "Nothing keeps within all limits"
	case len(holds) == 1:
		text = "Only " + holds[0] + " keeps within all limits"
	default:
		text = fmt.Sprintf("%s and %s keep within all limits", strings.Join(holds[:len(holds)-1], ", "), holds[len(holds)-1])
	}
	if len(open) > 0 {
		text += "; longer or more runs would tell of " + strings.Join(open, ", ")
	}
	wins := map[string]int{}
	for _, b := range v.Best {
		if b.Clear() {
			wins[b.Case]++
		}
	}
	best := ""
	for _, c := range v.Cases {
		if wins[c.Name] > wins[best] {
			best = c.Name
		}
	}
	if best != "" && (len(v.Limits) == 0 || len(holds) > 1) {
		text += fmt.Sprintf("; %s is clearly best by %d of %d figures", best, wins[best], len(v.Best))
	}
	return text + "."
}

// Write prints the verdict.
func (v *Verdict) Write(w io.Writer) error {
	var b strings.Builder
	width := 0
	for _, c := range v.Cases {
		width = max(width, len(c.Name))
	}
	if len(v.Limits) > 0 {
		b.WriteString("\nwithin the limits:\n")
		for _, c := range v.Cases {
			what := string(c.State)
			if c.Bound {
				what += " (a bound: it can only be simulated)"
			}
			if len(c.Why) > 0 {
				what += ": " + strings.Join(c.Why, ", ")
			}
			fmt.Fprintf(&b, "  %-*s  %s\n", width, c.Name, what)
		}
	}
	if len(v.Best) > 0 {
		b.WriteString("\nbest by each figure:\n")
	}
	for i := range v.Best {
		fmt.Fprintf(&b, "  %s\n", v.Best[i].line(width))
	}
	fmt.Fprintf(&b, "\n%s\n", v.Sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

func (b *Best) line(width int) string {
	text := fmt.Sprintf("%-18s %-*s %s", b.Figure, width, b.Case, Format(b.Value, b.Unit))
	switch {
	case b.Next == "":
		return text + ", the only one"
	case !b.Clear():
		return text + ", hardly to be told from " + b.Next
	}
	more := "more"
	if b.Difference < 0 {
		more = "less"
	}
	return text + fmt.Sprintf("; %s: %s ± %s %s, over %d runs with the same seeds", b.Next, Format(math.Abs(b.Difference), b.Unit), Format(b.CI95, b.Unit), more, b.Shared)
}

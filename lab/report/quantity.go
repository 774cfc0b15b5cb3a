package report

import (
	"fmt"
	"math"
	"strings"

	"throng/lab/experiment"
)

// unit is how a quantity is shown: values are multiplied by factor and carry the name.
type unit struct {
	name   string
	factor float64
}

// longDuration is from where on durations read better in seconds than in milliseconds.
const longDuration = 10

// unitFor chooses how to show a quantity that is kept in the named unit and is nowhere greater than greatest. Delays and
// response times are kept in seconds, but compared in milliseconds; bandwidths in bits, but spoken of in millions of them.
func unitFor(name string, greatest float64) unit {
	time, per, _ := strings.Cut(name, "/")
	switch {
	case time == "s" && greatest < longDuration:
		return unit{name: strings.TrimSuffix("ms/"+per, "/"), factor: 1000}
	case name == "bit/s" && greatest >= 1e6:
		return unit{name: "Mbit/s", factor: 1e-6}
	}
	return unit{name: name, factor: 1}
}

// compactable is how far apart the least and the greatest value of a column may be to share a power of ten.
const compactable = 1e5

// compact leaves a power of ten to the unit where values would otherwise need long figures. A table's column wants that;
// a plot's axis chooses its own, depending on its scale.
func (u unit) compact(least, greatest float64) unit {
	exponent := axisExponent(greatest * u.factor)
	if exponent == 0 || greatest > compactable*least {
		return u
	}
	return unit{name: strings.TrimSpace("10" + superscript(exponent) + " " + u.name), factor: u.factor / math.Pow10(exponent)}
}

// estimate is one measured value as a plot or a table shows it, in the shown unit.
type estimate struct {
	mean, ci, least, greatest float64
	n                         int
}

func newEstimate(s experiment.Summary, u unit) estimate {
	return estimate{
		mean:     s.Mean * u.factor,
		ci:       s.CI95 * u.factor,
		least:    s.Min * u.factor,
		greatest: s.Max * u.factor,
		n:        s.N,
	}
}

// inPowers is the estimate in multiples of a power of ten.
func (e estimate) inPowers(exponent int) estimate {
	by := math.Pow10(-exponent)
	return estimate{mean: e.mean * by, ci: e.ci * by, least: e.least * by, greatest: e.greatest * by, n: e.n}
}

// exactly is an estimate for what was set, not measured.
func exactly(v float64) estimate {
	return estimate{mean: v, ci: math.NaN(), least: v, greatest: v, n: 1}
}

// half is the half width of the confidence interval, zero where there is none.
func (e estimate) half() float64 {
	if math.IsNaN(e.ci) || math.IsInf(e.ci, 0) {
		return 0
	}
	return e.ci
}

func (e estimate) known() bool {
	return !math.IsNaN(e.mean) && !math.IsInf(e.mean, 0)
}

// String gives the mean and its interval, with digits that fit.
func (e estimate) String() string {
	value, interval := formatEstimate(e.mean, e.ci, e.n)
	if interval == "" {
		return value
	}
	return value + " ± " + interval
}

// detail says what the mean was taken over.
func (e estimate) detail() string {
	if e.n == 1 {
		return "n = 1"
	}
	return fmt.Sprintf("n = %d, from %s to %s", e.n, formatNumber(e.least), formatNumber(e.greatest))
}

// column is one measure over all points.
type column struct {
	name string
	unit unit
}

// measureColumns returns the measures that tables show: those the experiment asks for, else all in order of appearance.
func measureColumns(r *experiment.Result) []column {
	names := r.Measures
	if len(names) == 0 {
		names = measureNames(r)
	}
	columns := make([]column, len(names))
	for i, name := range names {
		kept, least, greatest := magnitude(r, name)
		columns[i] = column{name, unitFor(kept, greatest).compact(least, greatest)}
	}
	return columns
}

func measureNames(r *experiment.Result) (names []string) {
	seen := map[string]bool{}
	for _, p := range r.Points {
		for _, s := range p.Measures {
			if !seen[s.Name] {
				seen[s.Name] = true
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// measureUnit finds the unit that suits a measure at every point.
func measureUnit(r *experiment.Result, name string) unit {
	kept, _, greatest := magnitude(r, name)
	return unitFor(kept, greatest)
}

// magnitude returns a measure's unit, none where points differ in it, and its least and greatest mean, regardless of sign and
// of those that are zero.
func magnitude(r *experiment.Result, name string) (unit string, least, greatest float64) {
	first := true
	least = math.Inf(1)
	for i := range r.Points {
		if s, ok := r.Points[i].Measure(name); ok {
			if first {
				unit, first = s.Unit, false
			} else if unit != s.Unit {
				unit = ""
			}
			if v := math.Abs(s.Mean); v > 0 && !math.IsInf(v, 0) {
				least, greatest = math.Min(least, v), math.Max(greatest, v)
			}
		}
	}
	return unit, least, greatest
}

// param returns the value of a varying parameter at a point.
func param(p *experiment.PointResult, path string) experiment.Param {
	for _, q := range p.Params {
		if q.Path == path {
			return q
		}
	}
	return experiment.Param{Path: path, Number: math.NaN()}
}

// numeric says whether a parameter is a number in one unit at every point, and so can span an axis.
func numeric(r *experiment.Result, path string) bool {
	for i := range r.Points {
		p := param(&r.Points[i], path)
		if math.IsNaN(p.Number) || p.Unit != param(&r.Points[0], path).Unit {
			return false
		}
	}
	return len(r.Points) > 0
}

// distinct returns the values of a parameter in order of first appearance.
func distinct(r *experiment.Result, path string) (values []string) {
	seen := map[string]bool{}
	for i := range r.Points {
		if v := param(&r.Points[i], path).Value; !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

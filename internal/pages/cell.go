package pages

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Cell describes a figure, or what a row or a column of them has in common.
type Cell struct {
	Head    string
	Of      string            // the results, by the name of their experiment; several are set apart by blanks
	Measure string            // its name, without the unit
	Where   map[string]string // parameters that tell the point from others
	Over    map[string]string // if given, the figure is divided by the one where these parameters are different
	Under   string            // if given, the figure is divided by this measure of the same point
	Less    bool              // instead of the quotient, by how much less the figure is than what it is divided by,
	More    bool              // or by how much more
	Scale   float64           // what the figure is multiplied by; 0 is 1
	Digits  int               // significant ones; 0 is 3. With an interval, its first digit decides instead
	CI      bool              // also show the 95% confidence interval
	Unit    string            // stands behind the figure
	Bold    bool

	along *along
}

// with returns a cell with what another one says beside or instead.
func (c Cell) with(d Cell) Cell {
	c.Of = cmp.Or(d.Of, c.Of)
	c.Measure = cmp.Or(d.Measure, c.Measure)
	c.Where = merged(c.Where, d.Where)
	c.Over = merged(c.Over, d.Over)
	c.Under = cmp.Or(d.Under, c.Under)
	c.Less, c.More = c.Less || d.Less, c.More || d.More
	c.Scale = cmp.Or(d.Scale, c.Scale)
	c.Digits = cmp.Or(d.Digits, c.Digits)
	c.CI = c.CI || d.CI
	c.Unit = cmp.Or(d.Unit, c.Unit)
	c.Bold = c.Bold || d.Bold
	return c
}

func merged(a, b map[string]string) map[string]string {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(b)
	for path, value := range a {
		if _, ok := b[path]; !ok {
			out[path] = value
		}
	}
	return out
}

// text is the figure as the document shows it, empty where there is no such result.
func (c Cell) text(results Results) (string, error) {
	v, ok, err := c.find(results, c.Measure, c.Where)
	if !ok || err != nil {
		return "", err
	}
	if c.Over != nil || c.Under != "" {
		by, ok, err := c.find(results, cmp.Or(c.Under, c.Measure), merged(c.Where, c.Over))
		if !ok || err != nil {
			return "", err
		}
		v = figure{mean: v.mean / by.mean, ci: math.NaN()}
		switch {
		case c.Less:
			v.mean = 1 - v.mean
		case c.More:
			v.mean--
		}
	}
	scale := cmp.Or(c.Scale, 1)
	text := write(v.mean*scale, v.ci*scale, c.CI, cmp.Or(c.Digits, 3)) + c.Unit
	if c.Bold {
		text = "**" + text + "**"
	}
	return text, nil
}

// find returns a measure at the one point with these parameters.
func (c Cell) find(results Results, measure string, where map[string]string) (figure, bool, error) {
	if measure == "" {
		return figure{}, false, fmt.Errorf("no measure is named")
	}
	rows, err := results.rows(c.Of)
	if err != nil {
		return figure{}, false, err
	}
	var found []figure
	for path := range where {
		if !slices.ContainsFunc(rows, func(r row) bool { _, ok := r.params[path]; return ok }) {
			return figure{}, false, fmt.Errorf("%s does not vary in %s", path, c.Of)
		}
	}
	known := false
	for _, r := range rows {
		f, has := r.measures[measure]
		known = known || has
		if has && !math.IsNaN(f.mean) && r.fits(where) {
			found = append(found, f)
		}
	}
	switch {
	case !known:
		return figure{}, false, fmt.Errorf("%s has no measure %s", c.Of, measure)
	case len(found) > 1:
		return figure{}, false, fmt.Errorf("%d points of %s have %v", len(found), c.Of, where)
	case len(found) == 0:
		return figure{}, false, nil
	}
	return found[0], true, nil
}

// write gives a figure its digits: as many as are wanted (of a whole number those that it has), or down to the first digit of its interval and one more where that is
// small.
func write(mean, ci float64, interval bool, digits int) string {
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		return "–"
	}
	if !interval || math.IsNaN(ci) || ci == 0 {
		if mean == math.Trunc(mean) && exponent(mean) < digits {
			return grouped(mean, 0)
		}
		return grouped(mean, digits-1-exponent(mean))
	}
	places := -exponent(ci)
	if leading := ci * math.Pow10(places); leading < 2.5 {
		places++
	}
	places = min(places, 5-exponent(mean)) // an interval that is next to nothing does not make six digits interesting
	return grouped(mean, places) + " ± " + grouped(ci, places)
}

// exponent is that of a number's leading digit.
func exponent(v float64) int {
	if v == 0 {
		return 0
	}
	text := strconv.FormatFloat(math.Abs(v), 'e', 2, 64)
	e, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		panic("pages: malformed exponent: " + text)
	}
	return e
}

// grouped writes a number to some decimal places, fewer than none included, with its thousands apart.
func grouped(v float64, places int) string {
	if v == 0 {
		return "0"
	}
	if places < 0 {
		unit := math.Pow10(-places)
		v, places = math.Round(v/unit)*unit, 0
	}
	text := strconv.FormatFloat(v, 'f', places, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0 && len(whole) > 4; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

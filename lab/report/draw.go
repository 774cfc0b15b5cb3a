package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The margins leave room for the larger type of a narrow screen, where the plot is scaled down.
const (
	marginLeft   = 62
	marginRight  = 20
	marginTop    = 34
	marginBottom = 56
)

// worthSwitching is the ratio of the greatest to the least value from which both a linear and a logarithmic axis have
// something to show.
const worthSwitching = 5

// views returns the figure with the scale that was asked for and, where it helps, with the other one.
func (f *figure) views() []view {
	least, greatest := math.Inf(1), 0.0
	for _, c := range f.curves {
		for _, p := range c.points {
			if p.y.mean > 0 {
				least, greatest = math.Min(least, p.y.mean), math.Max(greatest, p.y.mean)
			}
		}
	}
	log := f.logY && greatest > 0
	if greatest < worthSwitching*least {
		return []view{f.view(log)}
	}
	both := []view{f.view(false), f.view(true)}
	both[0].Hidden, both[1].Hidden = log, !log
	return both
}

// view draws the figure at one scale. All its facets have the same axes, so that they can be compared.
func (f *figure) view(log bool) view {
	logX := f.logX && f.categories == nil && f.positiveX()
	curves, notes := f.visible(logX, log)
	x, y := newScale(curves, pointX, logX), newScale(curves, pointY, log)
	v := view{Scale: scaleName(log), Notes: notes}
	for i := range max(len(f.facets), 1) {
		var d drawing
		on := onFacet(curves, i)
		if f.categories != nil {
			d = f.drawBars(on, y)
		} else {
			d = f.drawCurves(on, x, y)
		}
		if len(f.facets) > 0 {
			d.Facet = f.facets[i]
			d.About += ", " + d.Facet
		}
		v.Drawings = append(v.Drawings, d)
	}
	if f.categories == nil {
		v.Notes = append(v.Notes, f.covered(v.Drawings)...)
	}
	return v
}

func (f *figure) drawCurves(curves []curve, x, y scale) drawing {
	size := f.frame()
	x.start, x.end = marginLeft, size.width-marginRight
	y.start, y.end = size.height-marginBottom, marginTop

	d := drawing{
		Guide: "x", About: f.y.name + " against " + f.x.name,
		Width: px(size.width), Height: px(size.height), Top: px(y.end), Bottom: px(y.start),
	}
	if f.parametric {
		d.Guide = "xy"
	}
	f.drawAxes(&d, x, y)
	for _, c := range curves {
		d.Curves = append(d.Curves, f.drawCurve(c, x, y))
	}
	return d
}

func pointX(p point) estimate { return p.x }
func pointY(p point) estimate { return p.y }

func scaleName(log bool) string {
	if log {
		return "log"
	}
	return "linear"
}

func (f *figure) positiveX() bool {
	return slices.ContainsFunc(f.curves, func(c curve) bool {
		return slices.ContainsFunc(c.points, func(p point) bool { return p.x.mean > 0 })
	})
}

// visible drops the points that a logarithmic axis has no place for, and says so.
func (f *figure) visible(logX, logY bool) (curves []curve, notes []string) {
	for _, c := range f.curves {
		drawable := c
		drawable.points = nil
		for _, p := range c.points {
			if !(logX && p.x.mean <= 0 || logY && p.y.mean <= 0) {
				drawable.points = append(drawable.points, p)
			}
		}
		if dropped := len(c.points) - len(drawable.points); dropped > 0 {
			of := ""
			if c.name != "" {
				of = " of " + c.name
			}
			notes = append(notes, fmt.Sprintf("%d of %d points%s at or below zero, not on a logarithmic axis", dropped, len(c.points), of))
		}
		curves = append(curves, drawable)
	}
	return curves, notes
}

// newScale covers the confidence intervals of all points. A logarithmic one lets an interval leave the plot where it comes
// near zero, lest one uncertain point squeeze all others.
func newScale(curves []curve, value func(point) estimate, log bool) scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, p := range c.points {
			e := value(p)
			low := e.mean - e.half()
			switch {
			case log:
				low = math.Max(low, e.mean/2)
			case e.mean >= 0:
				low = math.Max(low, 0)
			}
			lo, hi = math.Min(lo, low), math.Max(hi, e.mean+e.half())
		}
	}
	switch {
	case lo > hi:
		return newLinearScale(0, 1)
	case log:
		return newLogScale(lo, hi)
	default:
		return newLinearScale(lo, hi)
	}
}

// axisTitle names the quantity, its unit and what the tick labels leave out.
func axisTitle(c column, exponent int, log bool) string {
	var parts []string
	switch {
	case exponent != 0 && c.unit.name != "":
		parts = append(parts, "10"+superscript(exponent)+" "+c.unit.name)
	case exponent != 0:
		parts = append(parts, "10"+superscript(exponent))
	case c.unit.name != "":
		parts = append(parts, c.unit.name)
	}
	if log {
		parts = append(parts, "log scale")
	}
	if len(parts) == 0 {
		return c.name
	}
	return c.name + " (" + strings.Join(parts, ", ") + ")"
}

func (f *figure) drawAxes(d *drawing, x, y scale) {
	ticksX, exponentX := f.ticksX(x)
	for _, t := range ticksX {
		at := px(x.pixel(t.value))
		d.Grid = append(d.Grid, segment{at, px(y.start), at, px(y.start) + 5, "axis"})
		d.Labels = append(d.Labels, label{at, px(y.start) + 21, "middle", "", t.label})
	}
	ticksY, exponentY := y.ticks(5)
	for _, t := range ticksY {
		at := px(y.pixel(t.value))
		d.Grid = append(d.Grid, segment{px(x.start), at, px(x.end), at, ""})
		d.Labels = append(d.Labels, label{px(x.start) - 8, at + 4.5, "end", "", t.label})
	}
	d.Grid = append(d.Grid, segment{px(x.start), px(y.start), px(x.end), px(y.start), "axis"})
	d.Labels = append(d.Labels,
		label{px(x.start+x.end) / 2, d.Height - 10, "middle", "title", axisTitle(f.x, exponentX, x.log)},
		label{2, 16, "start", "title", axisTitle(f.y, exponentY, y.log)})
}

// ticksX prefers the values that were measured at, as long as their labels stay apart.
func (f *figure) ticksX(x scale) (ticks []tick, exponent int) {
	if f.parametric {
		return x.ticks(f.frame().ticks)
	}
	var values []float64
	for _, c := range f.curves {
		for _, p := range c.points {
			if !(x.log && p.x.mean <= 0) {
				values = append(values, p.x.mean)
			}
		}
	}
	slices.Sort(values)
	end := math.Inf(-1) // of the previous label
	for _, v := range slices.Compact(values) {
		t := tick{v, formatNumber(v)}
		half := float64(11*len(t.label)+4) / 2
		if x.pixel(v)-half < end {
			return x.ticks(f.frame().ticks)
		}
		end = x.pixel(v) + half
		ticks = append(ticks, t)
	}
	return ticks, 0
}

func (f *figure) drawCurve(c curve, x, y scale) drawnCurve {
	drawn := drawnCurve{Series: c.series, Class: c.look.class()}
	var line, whiskers, band path
	for i, p := range c.points {
		atX, atY := x.pixel(p.x.mean), y.pixel(p.y.mean)
		if i == 0 {
			line.moveTo(atX, atY)
		} else {
			line.lineTo(atX, atY)
		}
		if half := p.y.half(); half > 0 {
			whiskers.whisker(atX, y.clamp(p.y.mean-half), y.clamp(p.y.mean+half))
		}
		if half := p.x.half(); half > 0 {
			whiskers.whiskerAcross(atY, x.clamp(p.x.mean-half), x.clamp(p.x.mean+half))
		}
		drawn.Marks = append(drawn.Marks, f.mark(c, p, atX, atY))
	}
	if len(c.points) > 1 {
		drawn.Line = line.String()
		if !f.parametric && whiskers.Len() > 0 {
			band.around(c.points, x, y)
		}
	}
	drawn.Whiskers, drawn.Band = whiskers.String(), band.String()
	return drawn
}

// around draws the area between the upper and the lower ends of the points' intervals.
func (p *path) around(points []point, x, y scale) {
	for i, q := range points {
		at, end := x.pixel(q.x.mean), y.clamp(q.y.mean+q.y.half())
		if i == 0 {
			p.moveTo(at, end)
		} else {
			p.lineTo(at, end)
		}
	}
	for _, q := range slices.Backward(points) {
		p.lineTo(x.pixel(q.x.mean), y.clamp(q.y.mean-q.y.half()))
	}
	p.WriteString("z")
}

func (f *figure) mark(c curve, p point, atX, atY float64) mark {
	m := mark{X: px(atX), Y: px(atY), Shape: c.look.symbol(atX, atY), Curve: c.name}
	m.Value = withUnit(p.y.String(), f.y.unit)
	m.Detail = p.y.detail()
	switch {
	case f.parametric:
		m.Detail = fmt.Sprintf("n = %d", p.y.n)
		m.Head = p.where
		m.Value = fmt.Sprintf("%s %s\n%s %s", f.y.name, m.Value, f.x.name, withUnit(p.x.String(), f.x.unit))
	case f.categories != nil:
		m.Head = f.categories[int(p.x.mean)]
	default:
		m.Head = f.x.name + " " + withUnit(formatNumber(p.x.mean), f.x.unit)
	}
	return m
}

func withUnit(text string, u unit) string {
	if u.name == "" {
		return text
	}
	return text + " " + u.name
}

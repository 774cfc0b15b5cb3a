package report

// The layout of a plot over names: each name stands above its bars, so that it may be as long as it likes on any screen.
const (
	nameHeight  = 22
	barHeight   = 15
	barGap      = 3
	groupGap    = 10
	valueColumn = 150 // to the right of the bars, where the figures stand
)

// drawBars draws curves over names: bars from zero or, on a logarithmic axis, where a length means nothing, dots.
func (f *figure) drawBars(curves []curve, s scale) drawing {
	if !s.log {
		s = s.withZero()
	}
	width := f.frame().width
	s.start, s.end = 4, width-valueColumn

	rows := newRows(len(f.categories), curves)
	bottom := marginTop + float64(rows.height)
	d := drawing{
		Guide: "y", About: f.y.name + " for each " + f.x.name,
		Width: px(width), Height: px(bottom + 34), Top: marginTop, Bottom: px(bottom),
	}
	exponent := f.drawBarAxis(&d, s, bottom)
	for i, name := range f.categories {
		d.Labels = append(d.Labels, label{px(s.start + 4), px(marginTop + rows.top[i] + nameHeight - 6), "start", "name", name})
	}
	for i, c := range curves {
		drawn := drawnCurve{Series: c.series, Class: c.look.class()}
		var whiskers path
		for _, p := range c.points {
			middle := marginTop + rows.of(int(p.x.mean), i) + barHeight/2.0
			at := s.pixel(p.y.mean)
			if half := p.y.half(); half > 0 {
				whiskers.whiskerAcross(middle, s.clamp(p.y.mean-half), s.clamp(p.y.mean+half))
			}
			m := f.mark(c, p, at, middle)
			if !s.log {
				m.Shape, m.Bar = barBetween(s.pixel(0), at, middle), true
			}
			drawn.Marks = append(drawn.Marks, m)
			drawn.Values = append(drawn.Values, label{px(width - 2), px(middle + 4.5), "end", "value", p.y.inPowers(exponent).String()})
		}
		drawn.Whiskers = whiskers.String()
		d.Curves = append(d.Curves, drawn)
	}
	return d
}

// drawBarAxis draws the axis below the bars and returns the power of ten that figures beside them leave to it.
func (f *figure) drawBarAxis(d *drawing, s scale, bottom float64) (exponent int) {
	ticks, exponent := s.ticks(4)
	for _, t := range ticks {
		at := px(s.pixel(t.value))
		class := ""
		if t.value == 0 {
			class = "axis"
		}
		d.Grid = append(d.Grid, segment{at, marginTop, at, px(bottom), class})
		d.Labels = append(d.Labels, label{at, px(bottom + 20), "middle", "", t.label})
	}
	d.Labels = append(d.Labels, label{2, 16, "start", "title", axisTitle(f.y, exponent, s.log)})
	return exponent
}

func barBetween(a, b, middle float64) string {
	var p path
	p.moveTo(a, middle-barHeight/2.0)
	p.lineTo(b, middle-barHeight/2.0)
	p.lineTo(b, middle+barHeight/2.0)
	p.lineTo(a, middle+barHeight/2.0)
	p.WriteString("z")
	return p.String()
}

// rows says how far down each name and each of its bars stands. A name has room only for the curves that have a point
// there: bars would float apart if every mechanism reserved a place under the names of all others.
type rows struct {
	top    []float64      // of each name
	slots  map[[2]int]int // from name and curve to the bar's place under the name
	height int
}

func newRows(names int, curves []curve) rows {
	r := rows{slots: map[[2]int]int{}}
	for name := range names {
		r.top = append(r.top, float64(r.height))
		used := 0
		for i, c := range curves {
			for _, p := range c.points {
				if int(p.x.mean) == name {
					r.slots[[2]int{name, i}] = used
					used++
				}
			}
		}
		r.height += nameHeight + used*(barHeight+barGap) + groupGap
	}
	return r
}

func (r rows) of(name, curve int) float64 {
	return r.top[name] + nameHeight + float64(r.slots[[2]int{name, curve}]*(barHeight+barGap))
}

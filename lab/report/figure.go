package report

import (
	"math"
	"slices"
	"strings"

	"throng/lab/experiment"
)

// figure is what one plot shows, before it has a size. X is a numeric parameter, a parameter with names for values
// (then categories is set), or a measure (then parametric is).
type figure struct {
	title      string
	x, y       column
	logX, logY bool
	categories []string
	parametric bool
	keys       []string // the parameters that tell the curves apart
	curves     []curve
	facets     []string // the names of the small plots that the curves are spread over; empty for a single plot
}

// curve is the points of one combination of the keys' values, in the order of the sweep.
type curve struct {
	name   string
	series int // its place in the legend, which curves on different facets share
	facet  int // the small plot that it is on
	look   look
	points []point

	first, others string // the names of the first key's value and of the others'
}

// point is one measured point. With categories, x is the index of one.
type point struct {
	x, y  estimate
	where string // its varying parameters, for the read-out
}

// figures turns the plots of a result into figures. What stands for the same value looks the same in all of them.
func figures(r *experiment.Result) []figure {
	plots := r.Plots
	if len(plots) == 0 {
		plots = defaultPlots(r)
	}
	var all []figure
	looks := looks{}
	for _, p := range plots {
		p.X = availableX(r, p)
		if f := newFigure(r, p, looks); len(f.curves) > 0 {
			all = append(all, f)
		}
	}
	return all
}

// availableX is the plot's x, unless somebody has fixed that parameter from the command line: then what told the curves
// apart takes its place.
func availableX(r *experiment.Result, p experiment.Plot) string {
	if slices.Contains(r.Varying, p.X) || slices.Contains(measureNames(r), p.X) {
		return p.X
	}
	for _, path := range slices.Concat(p.By, r.Varying) {
		if slices.Contains(r.Varying, path) {
			return path
		}
	}
	return p.X
}

// looks remembers which place each value got among those of its kind, in order of appearance.
type looks map[string][]string

func (l looks) place(kind, value string) int {
	i := slices.Index(l[kind], value)
	if i < 0 {
		i = len(l[kind])
		l[kind] = append(l[kind], value)
	}
	return i
}

// of gives a curve the colour of its first key's value and the variant of the others'.
func (l looks) of(p *experiment.PointResult, keys []string) look {
	if len(keys) == 0 {
		return look{}
	}
	first, others := keys[:1], keys[1:]
	return look{
		colour:  l.place(first[0], curveName(p, first)),
		variant: l.place(strings.Join(others, "\n")+"\n", curveName(p, others)),
	}
}

func newFigure(r *experiment.Result, p experiment.Plot, looks looks) figure {
	r = having(r, p.X)
	f := figure{title: p.Title, logX: p.LogX, logY: p.LogY, y: column{p.Y, measureUnit(r, p.Y)}}
	switch {
	case !slices.Contains(r.Varying, p.X):
		f.parametric = true
		f.x = column{p.X, measureUnit(r, p.X)}
	case numeric(r, p.X):
		f.x = column{p.X, paramUnit(r, p.X)}
	default:
		f.x = column{p.X, unit{"", 1}}
		f.categories = distinct(r, p.X)
	}
	if f.title == "" {
		f.title = p.Y + " against " + p.X
	}
	f.keys = curveKeys(r, p, f.parametric)
	f.gather(r, looks)
	f.spread()
	return f
}

// having is a result without the points that lack a varying parameter, as those of other cases may.
func having(r *experiment.Result, path string) *experiment.Result {
	if !slices.Contains(r.Varying, path) {
		return r
	}
	part := *r
	part.Points = nil
	for _, p := range r.Points {
		if param(&p, path).Value != "" {
			part.Points = append(part.Points, p)
		}
	}
	return &part
}

// gather sorts the points into curves. A point that lacks one of the two values is left out.
func (f *figure) gather(r *experiment.Result, looks looks) {
	index := map[string]int{}
	for i := range r.Points {
		p := &r.Points[i]
		x, okX := f.xOf(p)
		y, okY := measured(p, f.y)
		if !okX || !okY {
			continue
		}
		name := curveName(p, f.keys)
		at, ok := index[name]
		if !ok {
			at = len(f.curves)
			index[name] = at
			c := curve{name: name, series: at, look: looks.of(p, f.keys)}
			if len(f.keys) > 1 {
				c.first, c.others = curveName(p, f.keys[:1]), curveName(p, f.keys[1:])
			}
			f.curves = append(f.curves, c)
		}
		f.curves[at].points = append(f.curves[at].points, point{x: x, y: y, where: describe(p.Params)})
	}
	if f.parametric || f.categories != nil {
		return
	}
	for _, c := range f.curves {
		slices.SortStableFunc(c.points, func(a, b point) int {
			switch {
			case a.x.mean < b.x.mean:
				return -1
			case a.x.mean > b.x.mean:
				return 1
			}
			return 0
		})
	}
}

func (f *figure) xOf(p *experiment.PointResult) (estimate, bool) {
	switch {
	case f.parametric:
		return measured(p, f.x)
	case f.categories != nil:
		return exactly(float64(slices.Index(f.categories, param(p, f.x.name).Value))), true
	default:
		return exactly(param(p, f.x.name).Number * f.x.unit.factor), true
	}
}

func measured(p *experiment.PointResult, c column) (estimate, bool) {
	s, ok := p.Measure(c.name)
	if !ok {
		return estimate{}, false
	}
	e := newEstimate(s, c.unit)
	return e, e.known()
}

func paramUnit(r *experiment.Result, path string) unit {
	var greatest float64
	for i := range r.Points {
		greatest = math.Max(greatest, math.Abs(param(&r.Points[i], path).Number))
	}
	return unitFor(param(&r.Points[0], path).Unit, greatest)
}

// curveKeys completes a plot's By, in which what has a single value tells nothing apart. Against a parameter, every curve
// must have one value per x, so parameters are added until that holds. Against a measure, the sweep runs along the curve;
// only without a By are the parameters that have names for values taken to tell curves apart, since a line from one
// mechanism to the next would mean nothing.
func curveKeys(r *experiment.Result, p experiment.Plot, parametric bool) []string {
	var keys []string
	for _, path := range p.By {
		if path != p.X && slices.Contains(r.Varying, path) && len(distinct(r, path)) > 1 {
			keys = append(keys, path)
		}
	}
	for _, path := range r.Varying {
		if path == p.X || slices.Contains(keys, path) {
			continue
		}
		if parametric && len(p.By) == 0 && !numeric(r, path) || !parametric && ambiguous(r, slices.Concat(keys, []string{p.X})) {
			keys = append(keys, path)
		}
	}
	return keys
}

// ambiguous says whether several points agree in all the given parameters.
func ambiguous(r *experiment.Result, paths []string) bool {
	seen := map[string]bool{}
	for i := range r.Points {
		var values []string
		for _, path := range paths {
			values = append(values, param(&r.Points[i], path).Value)
		}
		id := strings.Join(values, "\n")
		if seen[id] {
			return true
		}
		seen[id] = true
	}
	return false
}

// curveName is what the legend calls a curve: names stand for themselves, numbers need to be told what of.
func curveName(p *experiment.PointResult, keys []string) string {
	var parts []string
	for _, path := range keys {
		if q := param(p, path); q.Value != "" {
			parts = append(parts, nameParam(q))
		}
	}
	return strings.Join(parts, " · ")
}

func nameParam(p experiment.Param) string {
	if math.IsNaN(p.Number) {
		return p.Value
	}
	return p.Path[strings.LastIndexByte(p.Path, '.')+1:] + " " + p.Value
}

func describe(params []experiment.Param) string {
	var parts []string
	for _, p := range params {
		if p.Value != "" {
			parts = append(parts, nameParam(p))
		}
	}
	return strings.Join(parts, " · ")
}

// defaultPlots draws every measure against the numeric parameter with the most values, or else against the first one that
// varies. A single point has nothing to plot.
func defaultPlots(r *experiment.Result) (plots []experiment.Plot) {
	x, most := "", 1
	for _, path := range r.Varying {
		if n := len(distinct(r, path)); n > most && numeric(r, path) {
			x, most = path, n
		}
	}
	if x == "" && len(r.Varying) > 0 && len(r.Points) > 1 {
		x = r.Varying[0]
	}
	if x == "" {
		return nil
	}
	for _, c := range measureColumns(r) {
		plots = append(plots, experiment.Plot{X: x, Y: c.name})
	}
	return plots
}

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// frame is the size of a plot in its own pixels, which the page scales, and how many ticks its x axis has room for.
type frame struct {
	width, height float64
	ticks         int
}

func (f *figure) frame() frame {
	switch f.columns() {
	case 3:
		return frame{400, 280, 5}
	case 2:
		return frame{560, 300, 7}
	default:
		return frame{560, 350, 7}
	}
}

// columns is how many facets stand side by side where the page is wide: none is left alone in the last row if that can be
// helped.
func (f *figure) columns() int {
	switch len(f.facets) {
	case 0:
		return 1
	case 2, 4:
		return 2
	default:
		return 3
	}
}

// spread gives each combination of all keys but the first a small plot of its own, its facet, where one plot would be too
// crowded to read: with more curves than there are colours, or with bars, which have colours but no dashes.
func (f *figure) spread() {
	var series, facets []string
	for _, c := range f.curves {
		series, facets = addDistinct(series, c.first), addDistinct(facets, c.others)
	}
	crowded := len(f.curves) > colours || f.categories != nil
	if !crowded || len(series) < 2 || len(facets) < 2 {
		return
	}
	for i := range f.curves {
		c := &f.curves[i]
		c.name = c.first
		c.look.variant = 0
		c.series = slices.Index(series, c.first)
		c.facet = slices.Index(facets, c.others)
	}
	f.facets = facets
}

func addDistinct(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

func onFacet(curves []curve, facet int) (on []curve) {
	for _, c := range curves {
		if c.facet == facet {
			on = append(on, c)
		}
	}
	return on
}

// legend has a key for each series, if there are several.
func (f *figure) legend() (keys []key) {
	for _, c := range f.curves {
		if slices.ContainsFunc(keys, func(k key) bool { return k.Series == c.series }) {
			continue
		}
		keys = append(keys, key{c.series, c.name, c.look.class(), c.look.symbol(14, 7), f.categories != nil})
	}
	if len(keys) < 2 {
		return nil
	}
	return keys
}

// coincident is how many pixels two marks may be apart for the later one to cover the earlier.
const coincident = 1.5

// covered tells of curves that cannot be seen because another is drawn over every point of them, and on which facets.
func (f *figure) covered(drawings []drawing) (notes []string) {
	var facets [][]string // for each of the notes
	for _, d := range drawings {
		for i, lower := range d.Curves {
			upper := slices.IndexFunc(d.Curves[i+1:], func(c drawnCurve) bool { return lies(lower.Marks, c.Marks) })
			if upper < 0 {
				continue
			}
			note := fmt.Sprintf("%s lies under %s", lower.Marks[0].Curve, d.Curves[i+1+upper].Marks[0].Curve)
			at := slices.Index(notes, note)
			if at < 0 {
				at = len(notes)
				notes, facets = append(notes, note), append(facets, nil)
			}
			facets[at] = append(facets[at], d.Facet)
		}
	}
	for i, on := range facets {
		if len(on) < len(drawings) {
			notes[i] += " in " + strings.Join(on, ", ")
		}
	}
	return notes
}

// lies says whether there are lower marks, and each has one of the upper ones on it.
func lies(lower, upper []mark) bool {
	for _, m := range lower {
		if !slices.ContainsFunc(upper, func(u mark) bool {
			return math.Abs(float64(u.X-m.X)) <= coincident && math.Abs(float64(u.Y-m.Y)) <= coincident
		}) {
			return false
		}
	}
	return len(lower) > 0
}

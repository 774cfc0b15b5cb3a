package area

import (
	"slices"

	"throng/mechanism/parts/sight"
	"throng/world"
	"throng/world/fixed"
)

// Map is a world that is cut into areas.
type Map struct {
	*Grid
	Reach fixed.F // how far from a border what is on one side matters to the other

	placeless []bool // by kind
	hub       int    // the area that knows everything, or -1
}

// NewMap cuts a world into areas. What matters across a border is how far effects reach and, where a server also decides
// what users see, how far they do. A world that does not say reaches everywhere.
func NewMap(w world.World, c Config, sees bool) *Map {
	schema := w.Schema()
	m := &Map{Grid: NewGrid(schema.Bounds, c.Columns, c.Rows), placeless: sight.Placeless(schema), hub: -1}
	m.Reach = m.Everywhere()
	if l, ok := w.(world.Limited); ok {
		limits := l.Limits()
		reach := limits.Effect
		if sees {
			reach = max(reach, limits.Sight)
		}
		m.Reach = min(m.Reach, reach)
	}
	return m
}

// Survey has the area of what has no place know of everything: no limit says from how far that can be affected. It returns
// the map. A world in which everything has a place stays as it is.
func (m *Map) Survey() *Map {
	if slices.Contains(m.placeless, true) {
		m.hub = m.Of(fixed.Vec{})
	}
	return m
}

// AreaOf is the area that an object belongs to. What has no place belongs to the area of the origin.
func (m *Map) AreaOf(o *world.Object) int { return m.Of(o.Pos) }

// Concerns reports whether an area other than its own is to know of an object: whether it is within reach, or has no place
// and so is everywhere.
func (m *Map) Concerns(area int, o *world.Object) bool {
	return area == m.hub || m.placeless[o.Kind] || m.Within(area, o.Pos, m.Reach)
}

// Concerned appends the areas that are to know of an object, its own among them, in their order.
func (m *Map) Concerned(dst []int, o *world.Object) []int {
	if !m.placeless[o.Kind] && m.hub < 0 {
		return m.Near(dst, o.Pos, m.Reach)
	}
	for i := range m.Len() {
		if i == m.Of(o.Pos) || m.Concerns(i, o) {
			dst = append(dst, i)
		}
	}
	return dst
}

// Inner is the part of an area in which nothing concerns any other area.
func (m *Map) Inner(area int) fixed.Box {
	b := m.Box(area)
	if m.hub >= 0 && m.hub != area {
		return fixed.Box{Min: b.Max, Max: b.Min} // all of it concerns that one
	}
	column, row := area%m.columns, area/m.columns
	if column > 0 {
		b.Min.X += m.Reach + 1
	} else {
		b.Min.X = fixed.Min
	}
	if row > 0 {
		b.Min.Y += m.Reach + 1
	} else {
		b.Min.Y = fixed.Min
	}
	if column < m.columns-1 {
		b.Max.X -= m.Reach + 1
	} else {
		b.Max.X = fixed.Max
	}
	if row < m.rows-1 {
		b.Max.Y -= m.Reach + 1
	} else {
		b.Max.Y = fixed.Max
	}
	return b
}

// Inside reports whether an object that has a place is within such a part, whatever its height.
func (m *Map) Inside(inner *fixed.Box, o *world.Object) bool {
	return o.Pos.X >= inner.Min.X && o.Pos.X <= inner.Max.X && o.Pos.Y >= inner.Min.Y && o.Pos.Y <= inner.Max.Y && !m.placeless[o.Kind]
}

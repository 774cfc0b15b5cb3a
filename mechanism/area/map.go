package area

import (
	"throng/mechanism/sight"
	"throng/world"
	"throng/world/fixed"
)

// Map is a world that is cut into areas.
type Map struct {
	*Grid
	Reach fixed.F // how far from a border what is on one side matters to the other

	placeless []bool // by kind
}

// NewMap cuts a world into areas. What matters across a border is how far effects reach and, where a server also decides
// what users see, how far they do. A world that does not say reaches everywhere.
func NewMap(w world.World, c Config, sees bool) *Map {
	schema := w.Schema()
	m := &Map{Grid: NewGrid(schema.Bounds, c.Columns, c.Rows), placeless: sight.Placeless(schema)}
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

// AreaOf is the area that an object belongs to. What has no place belongs to the area of the origin.
func (m *Map) AreaOf(o *world.Object) int { return m.Of(o.Pos) }

// Concerns reports whether an area other than its own is to know of an object: whether it is within reach, or has no place
// and so is everywhere.
func (m *Map) Concerns(area int, o *world.Object) bool {
	return m.placeless[o.Kind] || m.Within(area, o.Pos, m.Reach)
}

// Concerned appends the areas that are to know of an object, its own among them, in their order.
func (m *Map) Concerned(dst []int, o *world.Object) []int {
	if !m.placeless[o.Kind] {
		return m.Near(dst, o.Pos, m.Reach)
	}
	for i := range m.Len() {
		dst = append(dst, i)
	}
	return dst
}

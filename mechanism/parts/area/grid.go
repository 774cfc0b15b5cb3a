package area

import (
	"throng/mechanism"
	"throng/world/fixed"
)

// Config says how a world is cut into areas.
type Config struct {
	Columns int `param:"columns" default:"5" range:"1..64" help:"areas side by side, each with a server of its own"`
	Rows    int `param:"rows" default:"2" range:"1..64" help:"rows of areas"`
}

// Len is how many areas there are.
func (c *Config) Len() int { return c.Columns * c.Rows }

// Servers says which nodes serve areas: those with Count IDs from First on, in the order of the areas.
type Servers struct {
	First mechanism.NodeID
	Count int
}

// Of is the server of an area.
func (s Servers) Of(area int) mechanism.NodeID { return s.First + mechanism.NodeID(area) }

// Area is which area a node serves.
func (s Servers) Area(id mechanism.NodeID) (area int, ok bool) {
	area = int(id) - int(s.First)
	return area, area >= 0 && area < s.Count
}

// Grid cuts a box into areas of equal size, numbered row by row from its least corner. They have no bounds in height. A place
// outside the box belongs to the nearest area.
type Grid struct {
	bounds        fixed.Box
	columns, rows int
	width, height fixed.F // of an area
}

// NewGrid cuts a box. The numbers must be positive.
func NewGrid(bounds fixed.Box, columns, rows int) *Grid {
	size := bounds.Size()
	return &Grid{
		bounds: bounds, columns: columns, rows: rows,
		width:  max(share(size.X, columns), 1),
		height: max(share(size.Y, rows), 1),
	}
}

// share is a part of a length, rounded up so that n of them cover it.
func share(length fixed.F, n int) fixed.F { return (length + fixed.F(n) - 1) / fixed.F(n) }

// Len is how many areas there are.
func (g *Grid) Len() int { return g.columns * g.rows }

// Of is the area that a place belongs to.
func (g *Grid) Of(p fixed.Vec) int { return g.row(p.Y)*g.columns + g.column(p.X) }

func (g *Grid) column(x fixed.F) int {
	return cut(x, g.bounds.Min.X, g.bounds.Max.X, g.width, g.columns)
}

func (g *Grid) row(y fixed.F) int { return cut(y, g.bounds.Min.Y, g.bounds.Max.Y, g.height, g.rows) }

// cut is the stripe of a width that a coordinate falls into. What is outside is moved inside first, so that no difference of
// coordinates overflows.
func cut(at, from, to, width fixed.F, n int) int {
	return min(int((at.Clamp(from, to)-from)/width), n-1)
}

// Box is the part of the bounds that an area covers. Neighbours share an edge, which belongs to the later one.
func (g *Grid) Box(area int) fixed.Box {
	column, row := fixed.F(area%g.columns), fixed.F(area/g.columns)
	b := g.bounds
	b.Min.X = min(g.bounds.Min.X+column*g.width, g.bounds.Max.X)
	b.Min.Y = min(g.bounds.Min.Y+row*g.height, g.bounds.Max.Y)
	b.Max.X = min(b.Min.X+g.width, g.bounds.Max.X)
	b.Max.Y = min(b.Min.Y+g.height, g.bounds.Max.Y)
	return b
}

// Within reports whether a place is within a distance of an area. A place outside the bounds counts as the nearest one
// inside.
func (g *Grid) Within(area int, p fixed.Vec, w fixed.F) bool {
	p = g.bounds.Clamp(p)
	return p.Within(g.Box(area).Clamp(p), w)
}

// Near appends the areas within a distance of a place, in their order: that which it belongs to, and those near the border.
func (g *Grid) Near(dst []int, p fixed.Vec, w fixed.F) []int {
	p = g.bounds.Clamp(p)
	return g.around(dst, fixed.Box{Min: p, Max: p}, w)
}

// Neighbours appends the other areas within a distance of an area, in their order.
func (g *Grid) Neighbours(dst []int, area int, w fixed.F) []int {
	n := len(dst)
	dst = g.around(dst, g.Box(area), w)
	for i := n; i < len(dst); i++ {
		if dst[i] == area {
			return append(dst[:i], dst[i+1:]...)
		}
	}
	return dst
}

// around appends the areas within a distance of a box inside the bounds.
func (g *Grid) around(dst []int, b fixed.Box, w fixed.F) []int {
	w = w.Clamp(0, g.Everywhere())
	for row := g.row(b.Min.Y - w - 1); row <= g.row(b.Max.Y+w); row++ {
		for column := g.column(b.Min.X - w - 1); column <= g.column(b.Max.X+w); column++ {
			area := row*g.columns + column
			if apart(b, g.Box(area)).LenWithin(w) {
				dst = append(dst, area)
			}
		}
	}
	return dst
}

// apart is the vector between the nearest points of two boxes, without regard to height.
func apart(a, b fixed.Box) fixed.Vec {
	return fixed.Vec{
		X: max(a.Min.X-b.Max.X, b.Min.X-a.Max.X, 0),
		Y: max(a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y, 0),
	}
}

// Everywhere is a distance within which all areas are of any place.
func (g *Grid) Everywhere() fixed.F { return g.bounds.Size().Len() + 1 }

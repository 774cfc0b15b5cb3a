package manhattan

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// wallLength is how long every wall is, and how wide the cells are by which walls are found: one that begins in a cell
// ends there or in the next.
const wallLength = 10 * unit

// wall is a wall that runs to the right or up from a point.
type wall struct {
	from   fixed.Vec
	upward bool
}

func (l wall) to() fixed.Vec {
	if l.upward {
		return l.from.Add(fixed.Vec{Y: wallLength})
	}
	return l.from.Add(fixed.Vec{X: wallLength})
}

// cell is a square of the city in which walls begin, by its column and row.
type cell struct{ i, j int64 }

func cellAt(p fixed.Vec) cell {
	return cell{int64(p.X / wallLength), int64(p.Y / wallLength)}
}

// columns is how many cells lie side by side. Walls begin in those in which they have room to end.
func (c *city) columns() int64 { return int64(c.Side/wallLength) - 1 }

// wallsIn calls each for the walls that begin in a cell of the city that grew from a seed. The walls are shared out evenly:
// the cells up to any one together have that part of all walls, rounded down.
func (c *city) wallsIn(seed uint64, at cell, each func(wall)) {
	columns := c.columns()
	if at.i < 0 || at.j < 0 || at.i >= columns || at.j >= columns {
		return
	}
	number := at.j*columns + at.i
	walls, cells := int64(c.Walls), columns*columns
	count := (number+1)*walls/cells - number*walls/cells
	if count == 0 {
		return
	}
	r := random.Of(seed, uint64(number), purposeWalls)
	corner := fixed.Vec{X: wallLength.MulInt(at.i), Y: wallLength.MulInt(at.j)}
	for range count {
		bits := r.Uint64() // coordinates to 1/2048 of a unit are fine enough
		off := fixed.Vec{X: part(bits >> 1), Y: part(bits >> 32)}
		each(wall{corner.Add(off), bits&1 != 0})
	}
}

// part turns 15 random bits into a distance below a wall's length.
func part(bits uint64) fixed.F {
	const resolution = 15
	return wallLength * fixed.F(bits&(1<<resolution-1)) >> resolution
}

// wallsAround calls each for all walls that may reach into a box, and some others nearby.
func (c *city) wallsAround(seed uint64, box fixed.Box, each func(wall)) {
	low, high := cellAt(box.Min), cellAt(box.Max)
	for j := low.j - 1; j <= high.j; j++ {
		for i := low.i - 1; i <= high.i; i++ {
			c.wallsIn(seed, cell{i, j}, each)
		}
	}
}

// Scenery lists the walls in a box.
func (c *city) Scenery(dst []world.Segment, seed uint64, box fixed.Box) []world.Segment {
	inside := fixed.Box{Min: c.schema.Bounds.Clamp(box.Min), Max: c.schema.Bounds.Clamp(box.Max)}
	c.wallsAround(seed, inside, func(l wall) {
		if s := (world.Segment{From: l.from, To: l.to()}); inside.Intersects(fixed.Box{Min: s.From, Max: s.To}) {
			dst = append(dst, s)
		}
	})
	return dst
}

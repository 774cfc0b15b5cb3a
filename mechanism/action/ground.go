package action

import "throng/world/fixed"

// ground finds members by where they are, in time that depends on how many are near and not on how many there are. Space is
// cut into squares, or cubes, and a table holds who is in each.
type ground struct {
	side    fixed.F
	flat    bool
	cells   map[cell]int32 // the first member in each, counted from one
	next    []int32        // by slot, the next member in the same cell, counted from one
	in      []cell         // by slot
	placed  []bool         // by slot
	places  []place        // by slot
	count   int            // members that have a place
	widest  fixed.F        // the largest radius of any of them so far
	nowhere slots          // members that have none: everything is near to them
	found   []int
}

// cell numbers the cells along each axis.
type cell struct{ x, y, z int32 }

func newGround(side fixed.F, flat bool) ground {
	return ground{side: max(side, 1), flat: flat, cells: map[cell]int32{}}
}

func (g *ground) cellOf(p fixed.Vec) cell {
	c := cell{x: g.along(p.X), y: g.along(p.Y)}
	if !g.flat {
		c.z = g.along(p.Z)
	}
	return c
}

func (g *ground) along(x fixed.F) int32 {
	n := int64(x) / int64(g.side)
	if x < 0 {
		n--
	}
	return int32(max(min(n, 1<<30), -1<<30))
}

// move notes where a member is.
func (g *ground) move(slot int, p *place) {
	g.reserve(slot)
	if !p.known {
		g.remove(slot)
		g.nowhere.add(slot)
		return
	}
	to := g.cellOf(p.centre)
	if !g.placed[slot] || g.in[slot] != to {
		g.remove(slot)
		g.in[slot], g.placed[slot] = to, true
		g.next[slot] = g.cells[to]
		g.cells[to] = int32(slot) + 1
		g.count++
	}
	g.places[slot] = *p
	g.widest = max(g.widest, p.radius)
}

func (g *ground) reserve(slot int) {
	for len(g.in) <= slot {
		g.in = append(g.in, cell{})
		g.next = append(g.next, 0)
		g.placed = append(g.placed, false)
		g.places = append(g.places, place{})
	}
}

// remove takes a member off the ground.
func (g *ground) remove(slot int) {
	g.reserve(slot)
	g.nowhere.remove(slot)
	if !g.placed[slot] {
		return
	}
	g.placed[slot] = false
	g.count--
	at, self := g.in[slot], int32(slot)+1
	if g.cells[at] == self {
		if g.next[slot] == 0 {
			delete(g.cells, at)
		} else {
			g.cells[at] = g.next[slot]
		}
		return
	}
	for i := g.cells[at]; i != 0; i = g.next[i-1] {
		if g.next[i-1] == self {
			g.next[i-1] = g.next[slot]
			return
		}
	}
}

// near lists the members whose own ball comes within a distance of a point, and those that have no place. The list holds until
// the next call.
func (g *ground) near(p fixed.Vec, distance fixed.F) []int {
	g.found = g.nowhere.list(g.found[:0])
	reach := distance + g.widest
	low := g.cellOf(p.Sub(fixed.Vec{X: reach, Y: reach, Z: reach}))
	high := g.cellOf(p.Add(fixed.Vec{X: reach, Y: reach, Z: reach}))
	if cells := (int64(high.x-low.x) + 1) * (int64(high.y-low.y) + 1); cells > int64(g.count) {
		for slot := range g.in {
			g.consider(slot, p, distance)
		}
		return g.found
	}
	for x := low.x; x <= high.x; x++ {
		for y := low.y; y <= high.y; y++ {
			for z := low.z; z <= high.z; z++ {
				for i := g.cells[cell{x, y, z}]; i != 0; i = g.next[i-1] {
					g.consider(int(i-1), p, distance)
				}
			}
		}
	}
	return g.found
}

// everybody lists all members.
func (g *ground) everybody() []int {
	g.found = g.found[:0]
	for slot := range g.in {
		if g.placed[slot] || g.nowhere.has(slot) {
			g.found = append(g.found, slot)
		}
	}
	return g.found
}

// consider adds a member that is near.
func (g *ground) consider(slot int, p fixed.Vec, distance fixed.F) {
	if g.placed[slot] && g.places[slot].centre.Within(p, distance+g.places[slot].radius) {
		g.found = append(g.found, slot)
	}
}

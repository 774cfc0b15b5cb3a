package crowd

import (
	"throng/world/fixed"
	"throng/world/random"
)

const metre = fixed.One

// The measures of the town: streets every pitch along both axes, between them lots, which are houses or open squares.
const (
	pitch  = 50 * metre
	street = 10 * metre // how wide a street is
	lot    = pitch - street
	kerb   = metre / 2 // how near to a wall people get

	leastBlocks = 4
)

// plan is the ground: a town of so many blocks along each side, or an open field where that is zero. It is the same for
// every seed, so that rules and users know their way without looking at the houses.
type plan struct {
	bounds  fixed.Box
	blocks  int64
	squares []block
}

// block is a lot with the streets before it: i counts along x, j along y.
type block struct{ i, j int64 }

func newField(side fixed.F) plan {
	return plan{bounds: fixed.Box{Max: fixed.Vec{X: side, Y: side}}}
}

func newStreets(blocks int64) plan {
	side := pitch.MulInt(blocks) + street
	p := plan{bounds: fixed.Box{Max: fixed.Vec{X: side, Y: side}}, blocks: blocks}
	for j := range blocks {
		for i := range blocks {
			if b := (block{i, j}); p.open(b) {
				p.squares = append(p.squares, b)
			}
		}
	}
	return p
}

// open reports whether a block is an open square: one in five, a knight's move from the next.
func (p *plan) open(b block) bool {
	return b.i >= 0 && b.j >= 0 && b.i < p.blocks && b.j < p.blocks && (b.i+2*b.j)%5 == 3
}

// lot is the block without its streets, which is built on or open.
func (b block) lot() fixed.Box {
	low := fixed.Vec{X: pitch.MulInt(b.i) + street, Y: pitch.MulInt(b.j) + street}
	return fixed.Box{Min: low, Max: low.Add(fixed.Vec{X: lot, Y: lot})}
}

// commons is an open square and the streets around it, where one can walk straight from anywhere to anywhere.
func (b block) commons() fixed.Box {
	box := b.lot()
	box.Min = box.Min.Sub(fixed.Vec{X: street, Y: street})
	box.Max = box.Max.Add(fixed.Vec{X: street, Y: street})
	return box
}

// inner is a flat box without a strip along its edges.
func inner(box fixed.Box, strip fixed.F) fixed.Box {
	d := fixed.Vec{X: strip, Y: strip}
	return fixed.Box{Min: box.Min.Add(d), Max: box.Max.Sub(d)}
}

// wall returns the house that a place is in, or nearer to than people get, with that distance added on all sides.
func (p *plan) wall(v fixed.Vec) (fixed.Box, bool) {
	if p.blocks == 0 {
		return fixed.Box{}, false
	}
	b := block{int64((v.X - kerb) / pitch), int64((v.Y - kerb) / pitch)}
	if b.i >= p.blocks || b.j >= p.blocks || p.open(b) {
		return fixed.Box{}, false
	}
	box := inner(b.lot(), -kerb)
	in := box.Min.X < v.X && v.X < box.Max.X && box.Min.Y < v.Y && v.Y < box.Max.Y
	return box, in
}

// clear returns the place nearest to v where somebody can stand.
func (p *plan) clear(v fixed.Vec) fixed.Vec {
	v = p.bounds.Clamp(v)
	walls, in := p.wall(v)
	if !in {
		return v
	}
	left, right := v.X-walls.Min.X, walls.Max.X-v.X
	below, above := v.Y-walls.Min.Y, walls.Max.Y-v.Y
	switch min(left, right, below, above) {
	case left:
		v.X = walls.Min.X
	case right:
		v.X = walls.Max.X
	case below:
		v.Y = walls.Min.Y
	default:
		v.Y = walls.Max.Y
	}
	return v
}

// slide returns where somebody gets who walks from one place towards another: along a wall that is in the way, but not
// through it.
func (p *plan) slide(from, to fixed.Vec) fixed.Vec {
	to = p.bounds.Clamp(to)
	if _, in := p.wall(to); !in {
		return to
	}
	for _, v := range [...]fixed.Vec{{X: to.X, Y: from.Y}, {X: from.X, Y: to.Y}} {
		if _, in := p.wall(v); !in {
			return v
		}
	}
	return p.clear(from)
}

// position says which block a place is in, and whether it is in the street along y before that block, in the one along x,
// at their crossing (both) or on the lot (neither).
type position struct {
	block
	alongY, alongX bool
}

func locate(v fixed.Vec) position {
	b := block{int64(v.X / pitch), int64(v.Y / pitch)}
	return position{b, v.X-pitch.MulInt(b.i) <= street, v.Y-pitch.MulInt(b.j) <= street}
}

func (p position) onLot() bool { return !p.alongX && !p.alongY }

// next returns the end of the first leg of the way between two places: somewhere that can be walked to in a straight line.
// Streets cross at right angles, so that there are few cases and hardly ever more than five legs.
func (p *plan) next(from, goal fixed.Vec) fixed.Vec {
	if p.blocks == 0 {
		return goal
	}
	if _, in := p.wall(from); in {
		return p.clear(from)
	}
	a, b := locate(from), locate(goal)
	if p.straight(a, b, goal) {
		return goal
	}
	if b.onLot() { // first to the nearest street at that square
		goal = inner(b.commons(), kerb).Clamp(from)
		if b = locate(goal); p.straight(a, b, goal) {
			return goal
		}
	}
	if a.onLot() {
		return inner(a.commons(), kerb).Clamp(goal)
	}
	return nextCorner(from, goal, a, b)
}

// straight reports whether nothing can be between somebody at a and their goal at b: they are in the same street, or
// around the same square.
func (p *plan) straight(a, b position, goal fixed.Vec) bool {
	if a.alongY && b.alongY && a.i == b.i || a.alongX && b.alongX && a.j == b.j {
		return true
	}
	for i := a.i; i >= a.i-1 && (i == a.i || a.alongY); i-- {
		for j := a.j; j >= a.j-1 && (j == a.j || a.alongX); j-- {
			if c := (block{i, j}); p.open(c) && c.commons().Contains(goal) {
				return true
			}
		}
	}
	return false
}

// nextCorner returns where to turn on the way between two places in different streets.
func nextCorner(from, goal fixed.Vec, a, b position) fixed.Vec {
	switch {
	case a.alongY && b.alongX:
		return fixed.Vec{X: from.X, Y: goal.Y}
	case a.alongX && b.alongY:
		return fixed.Vec{X: goal.X, Y: from.Y}
	case a.alongY: // and so does the goal's street: change over by a third, keeping to the same side
		return fixed.Vec{X: from.X, Y: between(from.Y, goal.Y) + lane(from.X)}
	default:
		return fixed.Vec{X: between(from.X, goal.X) + lane(from.Y), Y: from.Y}
	}
}

// between returns where the street begins, along one axis, that leads from a place between streets to the goal with the
// least detour.
func between(from, goal fixed.F) fixed.F {
	before := from / pitch * pitch // the street before the block; the other candidate is the one behind it
	switch {
	case goal/pitch*pitch > before:
		return before + pitch
	case goal < before, from+goal < 2*before+street+pitch:
		return before
	}
	return before + pitch
}

// lane is how far from its beginning somebody walks within a street.
func lane(at fixed.F) fixed.F { return (at % pitch).Clamp(kerb, street-kerb) }

// anywhere returns a place where somebody might be met: on a field at random, in the town as often on a square as in a
// street.
func (p *plan) anywhere(r *random.Stream) fixed.Vec {
	if p.blocks == 0 {
		return within(p.bounds, r)
	}
	if r.Below(2) == 0 {
		return p.meeting(r)
	}
	v := within(inner(p.bounds, kerb), r)
	line := pitch.MulInt(int64(r.Below(uint64(p.blocks)+1))) + r.Between(kerb, street-kerb)
	if r.Below(2) == 0 {
		v.X = line
	} else {
		v.Y = line
	}
	return v
}

// meeting returns a place on one of the squares, or anywhere on a field.
func (p *plan) meeting(r *random.Stream) fixed.Vec {
	if p.blocks == 0 {
		return within(p.bounds, r)
	}
	return within(p.squares[r.Below(uint64(len(p.squares)))].lot(), r)
}

// within returns a random place in a flat box.
func within(b fixed.Box, r *random.Stream) fixed.Vec {
	x := r.Between(b.Min.X, b.Max.X) // before y, since the stream has an order
	return fixed.Vec{X: x, Y: r.Between(b.Min.Y, b.Max.Y)}
}

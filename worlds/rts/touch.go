package rts

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	avatarRadius = tile / 2
	contact      = 2 * avatarRadius // how near the centres of two avatars are that touch
)

// What a step notes about a walking object before anything moves. No kind declares these, and they are zero again when the
// step is done.
const (
	attrAsideX = 6
	attrAsideY = 7
)

// touch finds whom a walking object meets, of some kinds: how many it will touch within the tick that it does not touch yet,
// and how far it steps aside for those whom it does and still comes closer to. It goes by where everybody is before anything
// moves and by how they move then, so that those who simulate one of two objects and see the other find the same as those who
// simulate both.
//
// Whoever is in the way, the object keeps going: it steps aside at right angles to its way, and two that meet head-on both do
// so to their left. Those who stand stay where they are.
func (g *gait) touch(w *world.Window, o *world.Object, kinds func(world.KindID) bool) (met int64, aside fixed.Vec) {
	var push fixed.F // to the left
	for _, id := range w.Near(o.Pos, contact+2*g.stride) {
		if id == o.ID {
			continue
		}
		other := w.Get(id)
		if other == nil || !kinds(other.Kind) {
			continue
		}
		line, way := other.Pos.Sub(o.Pos), other.Vel.Sub(o.Vel).Scale(g.dt)
		approach := -line.Dot(way)
		switch {
		case approach <= 0:
		case !line.LenWithin(contact):
			if closest(line, way, approach).LenWithin(contact) {
				met++
			}
		case o.Vel.Cross2(line) > 0:
			push -= contact - line.Len()
		default:
			push += contact - line.Len()
		}
	}
	if push != 0 {
		aside = fixed.Vec{X: -o.Vel.Y, Y: o.Vel.X}.Unit().Scale(push)
	}
	return met, aside
}

// closest returns the line between two objects when they are closest within a tick, by the line at its beginning, the way of
// one as the other sees it, and how much these two point against each other.
func closest(line, way fixed.Vec, approach fixed.F) fixed.Vec {
	if length := way.Dot(way); approach < length {
		way = way.Scale(approach.Div(length))
	}
	return line.Add(way)
}

// noteAside keeps how far an object is to step aside until it moves.
func noteAside(o *world.Object, aside fixed.Vec) {
	o.SetFixed(attrAsideX, aside.X)
	o.SetFixed(attrAsideY, aside.Y)
}

// takeAside returns how far an object steps aside, and forgets it.
func takeAside(o *world.Object) fixed.Vec {
	aside := fixed.Vec{X: o.Fixed(attrAsideX), Y: o.Fixed(attrAsideY)}
	o.Attr[attrAsideX], o.Attr[attrAsideY] = 0, 0
	return aside
}

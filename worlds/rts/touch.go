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

// avoid finds those of some kinds that a walking object touches and comes closer to: how many, and how far it steps aside for
// them. It goes by where all are before anything moves and how they move then, so that those who simulate one of two objects
// and see the other find the same as those who simulate both.
//
// Whoever is in the way, the object keeps going: it steps aside at right angles to its way, and two that meet head-on both do
// so to their left. Those who stand stay where they are.
func avoid(w *world.Window, o *world.Object, kinds func(world.KindID) bool) (touched int64, aside fixed.Vec) {
	var push fixed.F // to the left
	for _, id := range w.Near(o.Pos, contact) {
		if id == o.ID {
			continue
		}
		other := w.Get(id)
		if other == nil || !kinds(other.Kind) {
			continue
		}
		line := other.Pos.Sub(o.Pos)
		if line.Dot(o.Vel.Sub(other.Vel)) <= 0 {
			continue // they part already
		}
		touched++
		if overlap := contact - line.Len(); o.Vel.Cross2(line) > 0 {
			push -= overlap
		} else {
			push += overlap
		}
	}
	if touched > 0 {
		aside = fixed.Vec{X: -o.Vel.Y, Y: o.Vel.X}.Unit().Scale(push)
	}
	return touched, aside
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

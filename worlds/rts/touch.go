package rts

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	avatarRadius = tile / 2
	contact      = 2 * avatarRadius // how near the centres of two avatars are that touch
)

// What a step notes about a walking avatar before anything moves. No kind declares these, and they are zero again when the
// step is done.
const (
	attrAsideX = 6
	attrAsideY = 7
)

// dodge looks for others that a walking avatar touches, counts those that it comes closer to, and notes how far it steps
// aside for them. It looks at where they are before anything moves and changes nothing but the avatar itself, so that those
// who simulate one of two avatars and see the other find the same as those who simulate both.
//
// Whoever is in the way, the avatar keeps going: it steps aside at right angles to its way, and two that meet head-on both do
// so to their left. Those who stand stay where they are.
func (m *march) dodge(w *world.Window, o *world.Object) {
	touched := int64(0)
	var push fixed.F // to the left
	for _, id := range w.Near(o.Pos, contact) {
		if id == o.ID {
			continue
		}
		other := w.Get(id)
		if other == nil || other.Kind != kindAvatar {
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
	if touched == 0 {
		return
	}
	o = w.Edit(o.ID)
	if o == nil {
		return
	}
	o.Attr[attrCollisions] = min(o.Attr[attrCollisions]+touched, maxCollisions)
	left := fixed.Vec{X: -o.Vel.Y, Y: o.Vel.X}.Unit()
	aside := left.Scale(push)
	o.SetFixed(attrAsideX, aside.X)
	o.SetFixed(attrAsideY, aside.Y)
}

// takeAside returns how far an avatar steps aside, and forgets it.
func takeAside(o *world.Object) fixed.Vec {
	aside := fixed.Vec{X: o.Fixed(attrAsideX), Y: o.Fixed(attrAsideY)}
	o.Attr[attrAsideX], o.Attr[attrAsideY] = 0, 0
	return aside
}

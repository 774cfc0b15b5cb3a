package swarm

import (
	"throng/world"
	"throng/world/fixed"
)

// direct is the number of balls up to which looking at every pair is faster than asking who is near.
const direct = 160

// collide finds the balls whose ways cross within this tick and lets them bounce. Both ways of finding them look at the
// same pairs, those within reach of each other, in the same order.
//
// Each ball's way is followed exactly from one bounce to the next. Where three balls meet within one tick, though, it is
// their IDs and not their times that decide which pair comes first; a meeting that is missed for that shows as an overlap,
// and balls that overlap bounce as soon as they do not move apart already.
func (h *hive) collide(w *world.Window) {
	if h.users < direct {
		h.collideDirect(w)
	} else {
		h.collideNear(w)
	}
}

func (h *hive) collideDirect(w *world.Window) {
	var balls [direct]*world.Object
	var xs [direct]fixed.F // in one piece, since most pairs are told apart by it
	n := 0
	for id := queen; id <= beeOf(h.users); id++ {
		if o := w.Get(id); o != nil {
			balls[n], xs[n] = o, o.Pos.X
			n++
		}
	}
	for i, a := range balls[:n] {
		reach := h.reach[a.Kind]
		for j, x := range xs[i+1 : n] {
			if x > xs[i]+reach || x < xs[i]-reach {
				continue
			}
			if b := balls[i+1+j]; a.Pos.Within(b.Pos, reach) {
				h.meet(w, a, b)
			}
		}
	}
}

func (h *hive) collideNear(w *world.Window) {
	for id := queen; id <= beeOf(h.users); id++ {
		a := w.Get(id)
		if a == nil {
			continue
		}
		for _, other := range w.Near(a.Pos, h.reach[a.Kind]) {
			if other > id && other <= beeOf(h.users) {
				h.meet(w, a, w.Get(other))
			}
		}
	}
}

// meet lets two balls bounce if they touch within this tick: they exchange the parts of their velocities that lie along
// the line between their centres. Where only one of them may be changed, only that one notices.
func (h *hive) meet(w *world.Window, a, b *world.Object) {
	at, line, ok := h.contact(a, b)
	if !ok {
		return
	}
	exchange := line.Scale(a.Vel.Sub(b.Vel).Dot(line).Div(line.Dot(line)))
	if o := w.Edit(a.ID); o != nil {
		h.hit(w, o, exchange.Neg(), at)
	}
	if o := w.Edit(b.ID); o != nil {
		h.hit(w, o, exchange, at)
	}
}

// contact finds when within the tick, as a part of it, two balls touch while they approach, and the line from b to a
// then.
func (h *hive) contact(a, b *world.Object) (at fixed.F, line fixed.Vec, ok bool) {
	// Both ways are straight from the later of the balls' last bounces on.
	at = max(a.Fixed(attrSince), b.Fixed(attrSince))
	way := a.Vel.Sub(b.Vel).Scale(h.dt)
	line = a.Pos.Sub(b.Pos).Add(way.Scale(at))
	line.X += a.Fixed(attrShiftX) - b.Fixed(attrShiftX)
	line.Y += a.Fixed(attrShiftY) - b.Fixed(attrShiftY)

	approach := line.Dot(way)
	if approach >= 0 {
		return 0, fixed.Vec{}, false
	}
	radii := h.schema.Kinds[a.Kind].Radius + h.schema.Kinds[b.Kind].Radius
	gap := line.Dot(line) - radii.Mul(radii)
	if gap <= 0 {
		return at, line, true // they overlap
	}
	// |line + t·way| = radii is a quadratic equation for t, whose smaller solution is the first touch.
	length := way.Dot(way)
	root := approach.Mul(approach) - length.Mul(gap)
	if root < 0 || length == 0 {
		return 0, fixed.Vec{}, false
	}
	t := (-approach - root.Sqrt()).Div(length)
	if at+t >= fixed.One {
		return 0, fixed.Vec{}, false
	}
	return at + t, line.Add(way.Scale(t)), true
}

// hit changes a ball's velocity at a moment within the tick. A bee does not survive it.
func (h *hive) hit(w *world.Window, o *world.Object, change fixed.Vec, at fixed.F) {
	before := o.Vel
	o.Vel = before.Add(change).Limit(h.Speed)
	// The ball will be moved by its last velocity for the whole tick; what it did before this moment is made up for.
	shift := before.Sub(o.Vel).Scale(h.dt.Mul(at))
	o.Attr[attrShiftX] += int64(shift.X)
	o.Attr[attrShiftY] += int64(shift.Y)
	o.SetFixed(attrSince, at)
	if o.Kind == kindBee {
		o.Attr[attrDead], o.Attr[attrWakes] = 1, int64(w.Tick()+1+h.dead)
		h.accelerate(o, fixed.Vec{})
	}
}

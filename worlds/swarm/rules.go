package swarm

import (
	"throng/world"
	"throng/world/fixed"
)

// honeyMax is where a bee's store is full.
const honeyMax = 1_000_000 * fixed.One

// Act sets the acceleration of the user's bee. A dead bee does not listen.
func (h *hive) Act(w *world.Window, a *world.Action) {
	bee := w.Edit(beeOf(a.User))
	if bee == nil || bee.Kind != kindBee || bee.Attr[attrDead] != 0 {
		return
	}
	h.accelerate(bee, fixed.Vec{X: fixed.FromInt(a.Args[0]), Y: fixed.FromInt(a.Args[1])})
}

// Reach: steering touches nothing but the user's own bee.
func (h *hive) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if o := s.Get(beeOf(a.User)); o != nil && o.Kind == kindBee {
		f.Write(o.ID)
	}
}

// Step lets the balls gain speed, lets those meet whose ways cross within the tick, moves all of them and hands out
// honey. Until the third part no ball changes its place, so that what is near to what does not depend on the order in
// which pairs are looked at.
func (h *hive) Step(w *world.Window) {
	h.push(w)
	h.collide(w)
	h.move(w)
}

// push changes velocities by accelerations, and accelerations where that is not up to a user.
func (h *hive) push(w *world.Window) {
	for o := range w.Open() {
		switch o.Kind {
		case kindQueen:
			if w.Tick()%h.turn == 0 {
				h.wander(w, o)
			}
		case kindBee:
			h.wake(o, w.Tick())
		default:
			continue
		}
		h.gain(o)
	}
}

// wake lets a bee live again that has been dead for long enough when the tick that follows now is over.
func (h *hive) wake(o *world.Object, now world.Tick) {
	if o.Attr[attrDead] != 0 && now+1 >= world.Tick(o.Attr[attrWakes]) {
		o.Attr[attrDead], o.Attr[attrWakes] = 0, 0
	}
}

// wander makes the queen head for a random velocity, which she reaches just when she chooses the next.
func (h *hive) wander(w *world.Window, o *world.Object) {
	r := w.Random(o.ID, 0)
	wish := fixed.Polar(r.Fixed().Sqrt().Mul(h.QueenSpeed), r.Angle())
	h.accelerate(o, wish.Sub(o.Vel).Scale(fixed.One.Div(h.dt.MulInt(int64(h.turn)))))
}

// acceleration is what a ball's acceleration is now.
func acceleration(o *world.Object) fixed.Vec {
	return fixed.Vec{X: o.Fixed(attrAX), Y: o.Fixed(attrAY)}
}

// accelerate sets an acceleration, as far as wings can.
func (h *hive) accelerate(o *world.Object, a fixed.Vec) {
	a = a.Limit(h.Acceleration)
	o.SetFixed(attrAX, a.X)
	o.SetFixed(attrAY, a.Y)
}

// gain adds a tick's acceleration to a ball's velocity.
func (h *hive) gain(o *world.Object) {
	o.Vel.X += o.Fixed(attrAX).Mul(h.dt)
	o.Vel.Y += o.Fixed(attrAY).Mul(h.dt)
	o.Vel = o.Vel.Limit(h.Speed)
}

// move moves the balls and then, since these come first in the order of IDs, hands out honey by where they are.
func (h *hive) move(w *world.Window) {
	var mother *world.Object
	for o := range w.Open() {
		if o.Kind == kindHoney {
			if mother == nil {
				mother = w.Get(queen)
			}
			h.earn(w, o, mother)
			continue
		}
		o.Pos.X += o.Fixed(attrShiftX)
		o.Pos.Y += o.Fixed(attrShiftY)
		o.Attr[attrShiftX], o.Attr[attrShiftY], o.Attr[attrSince] = 0, 0, 0
		h.fly(o)
	}
}

// fly moves a ball by its velocity for a tick and throws it back from the walls.
func (h *hive) fly(o *world.Object) {
	room := &h.room[o.Kind]
	o.Pos.X, o.Vel.X = bounce(o.Pos.X+o.Vel.X.Mul(h.dt), o.Vel.X, room.Min.X, room.Max.X)
	o.Pos.Y, o.Vel.Y = bounce(o.Pos.Y+o.Vel.Y.Mul(h.dt), o.Vel.Y, room.Min.Y, room.Max.Y)
}

// bounce mirrors one coordinate of a place at the walls.
func bounce(at, velocity, low, high fixed.F) (fixed.F, fixed.F) {
	switch {
	case at < low:
		return min(2*low-at, high), velocity.Abs()
	case at > high:
		return max(2*high-at, low), -velocity.Abs()
	}
	return at, velocity
}

// earn gives a living bee honey for one tick.
func (h *hive) earn(w *world.Window, honey, queen *world.Object) {
	bee := w.Get(beeOf(honey.User))
	if bee == nil || queen == nil || bee.Attr[attrDead] != 0 {
		return
	}
	if missing := h.Forage - bee.Pos.Dist(queen.Pos); missing > 0 {
		earned := h.Honey.Mul(h.dt).Mul(missing.Div(h.Forage))
		honey.SetFixed(attrHoney, min(honey.Fixed(attrHoney)+earned, honeyMax))
	}
}

// Extrapolate lets a ball fly on as it accelerates now, walls included: for whole ticks the same as steps in which it
// meets nobody and nothing is decided. What is left of a tick it goes straight on.
func (h *hive) Extrapolate(o *world.Object, dt world.Time) {
	if o.Kind == kindHoney {
		return
	}
	for ; dt >= h.Tick; dt -= h.Tick {
		h.gain(o)
		h.fly(o)
	}
	if dt > 0 {
		world.Drift(o, dt)
		o.Pos = h.room[o.Kind].Clamp(o.Pos)
	}
}

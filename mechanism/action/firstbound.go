package action

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// firstBound is the third protocol: the server does not wait to be asked. Every omega of a round trip it pushes to a client
// what has been done so near to its user that it may affect what that user does next, within the time that it takes to hear
// of it:
//
//	‖p_A − p_C‖ ≤ 2s(1+ω)RTT + r_C + r_A
//
// where s is the greatest speed, and r how far the entry, and whatever the user does, reach.
type firstBound struct {
	incomplete
	ground ground
	drift  fixed.F    // how much nearer two may come: 2s(1+ω)RTT
	pause  world.Time // between two pushes to a client
	dues   []due      // pushes to come, the first one first
	first  int        // where in dues they begin
}

// due is a push to come.
type due struct {
	at       world.Time
	member   *member
	position uint64 // nothing before it is pushed
}

func newFirstBound(i incomplete) *firstBound {
	g := &i.geometry
	f := &firstBound{incomplete: i, pause: world.Time(i.config.Omega.MulInt(int64(i.config.RTT)).Floor())}
	f.drift = g.speed.MulInt(2).Mul(fixed.One + i.config.Omega).Mul(world.Seconds(i.config.RTT))
	f.ground = newGround(f.drift+2*g.effect, g.flat)
	return f
}

func (f *firstBound) placed(now world.Time, m *member, position uint64, _ *mechanism.Outbox) {
	e := f.order.at(position)
	if e.isOf(m) {
		f.stands(now, m, &e.place)
	}
	f.promise(now, m, position)
	for _, slot := range f.near(e) {
		f.work++
		if c := f.members.slots[slot]; c != m && f.concerns(e, c) {
			f.promise(now, c, position)
		}
	}
}

// near lists whose next entries an entry may affect.
func (f *firstBound) near(e *entry) []int {
	if !e.place.known {
		return f.ground.everybody()
	}
	return f.ground.near(e.place.centre, f.drift+e.place.radius+2*f.geometry.effect)
}

// concerns reports whether an entry matters to somebody who is near. With culling, an entry reaches where it is heading instead of all
// around:
//
//	‖p_A + v_A(t_A − t_C) − p_C‖ ≤ 2s(1+ω)RTT + r_C
func (f *firstBound) concerns(e *entry, c *member) bool {
	if !f.config.Culling || !e.place.known || f.ground.nowhere.has(c.slot) {
		return true
	}
	from := e.place.centre
	from = from.Add(e.place.way.Scale(world.Seconds(e.at - c.placedAt)))
	at := &f.ground.places[c.slot]
	return from.Within(at.centre, f.drift+f.geometry.effect+at.radius+e.place.radius)
}

// promise has an entry go to a client with the next push.
func (f *firstBound) promise(now world.Time, m *member, position uint64) {
	m.pushes = append(m.pushes, position)
	if m.due {
		return
	}
	m.due = true
	if f.first > 64 && f.first > len(f.dues)/2 {
		f.dues = append(f.dues[:0], f.dues[f.first:]...)
		f.first = 0
	}
	f.dues = append(f.dues, due{now + f.pause, m, position})
}

func (f *firstBound) push(now world.Time, out *mechanism.Outbox) {
	for ; f.next() <= now; f.first++ {
		m := f.dues[f.first].member
		if m.gone {
			continue
		}
		m.due = false
		f.order.begin(&f.closure)
		for _, p := range m.pushes {
			f.need(m, p)
		}
		m.pushes = m.pushes[:0]
		out.Report(mechanism.Event{Name: mechanism.Closure, User: m.User, Value: int64(len(f.closure.positions))})
		f.send(now, m, out)
	}
}

func (f *firstBound) next() world.Time {
	if f.first == len(f.dues) {
		return world.Never
	}
	return f.dues[f.first].at
}

// keep: what is to be pushed is needed until it has been.
func (f *firstBound) keep() uint64 {
	if f.first < len(f.dues) {
		return min(f.dues[f.first].position, f.incomplete.keep())
	}
	return f.incomplete.keep()
}

func (f *firstBound) stands(now world.Time, m *member, p *place) {
	m.placedAt = now
	f.ground.move(m.slot, p)
}

func (f *firstBound) left(m *member) { f.ground.remove(m.slot) }

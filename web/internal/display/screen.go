package display

import (
	"math"

	"throng/world"
	"throng/world/fixed"
)

const (
	// fading is how long a correction takes to fade to a third.
	fading = 90 * world.Millisecond

	// pause is for how long nobody may have looked for corrections still to be of interest.
	pause = 300 * world.Millisecond
)

// Screen shows one user's view of a world.
type Screen struct {
	*Lister
	rules world.Rules
	veil  world.Veiled // nil where users may see all that they hold
	tick  world.Time

	// Raw has objects shown as they are in the state, tick by tick and with every jump.
	Raw bool

	list    []Record
	shown   []shown // what the list shows, in the same order
	next    []shown
	updated world.Time // when the list was made

	moved, expected world.Object // here, since what rules point at would else be allocated for each object
}

// shown is an object as it was last shown.
type shown struct {
	object world.Object
	at     world.Time // when it was like that
	dx, dy float32    // what is left of corrections
}

// NewScreen returns a screen that shows nothing yet.
func NewScreen(w world.World) *Screen {
	veil, _ := w.(world.Veiled)
	return &Screen{Lister: NewLister(w.Schema()), rules: w, veil: veil, tick: w.Schema().Tick}
}

// Shown is the list of what was shown last. It holds until the next call of Update.
func (s *Screen) Shown() []Record { return s.list }

// Update makes the list of what a state shows to a user now. The state is as it was at the last tick. Time does not run
// backwards.
func (s *Screen) Update(state *world.State, user world.User, now world.Time) {
	ticked := now / s.tick * s.tick
	if s.Raw {
		now = ticked
	}
	keep := float32(math.Exp(-float64(now-s.updated) / float64(fading)))
	if now-s.updated > pause {
		s.shown = s.shown[:0]
	}
	s.updated = max(s.updated, now)
	s.list, s.next = s.list[:0], s.next[:0]
	before := s.shown
	for o := range state.All() {
		if s.veil != nil && !s.veil.Sees(state, user, o) {
			continue // a client that computes part of the world holds more than its user may see
		}
		for len(before) > 0 && before[0].object.ID < o.ID {
			before = before[1:]
		}
		here := shown{object: *o, at: ticked}
		s.reckon(&s.moved, &here, now)
		if len(before) > 0 && before[0].object.ID == o.ID && before[0].object.Kind == o.Kind {
			s.correct(&here, &before[0], now, keep)
		}
		s.add(&here, user)
	}
	s.shown, s.next = s.next, s.shown
}

// reckon sets an object to what another is by now, by dead reckoning.
func (s *Screen) reckon(o *world.Object, from *shown, now world.Time) {
	*o = from.object
	if now > from.at {
		s.rules.Extrapolate(o, now-from.at)
	}
}

// correct carries on what was left of earlier corrections, and begins another one if the object has not become what was
// expected.
func (s *Screen) correct(here, before *shown, now world.Time, keep float32) {
	if s.Raw {
		return
	}
	here.dx, here.dy = before.dx*keep, before.dy*keep
	if before.object == here.object && before.at == here.at {
		return
	}
	if before.object.Pos == here.object.Pos && here.object.Vel == (fixed.Vec{}) && before.object.Vel == (fixed.Vec{}) {
		return // at rest, which most things are
	}
	s.reckon(&s.expected, before, now)
	here.dx += float(s.expected.Pos.X - s.moved.Pos.X)
	here.dy += float(s.expected.Pos.Y - s.moved.Pos.Y)
	if s.jumps(here.object.Kind, here.dx, here.dy) {
		here.dx, here.dy = 0, 0
	}
}

func (s *Screen) add(here *shown, user world.User) {
	s.next = append(s.next, *here)
	s.list = append(s.list, Record{})
	r := &s.list[len(s.list)-1]
	s.write(r, &s.moved, user)
	r.X += here.dx
	r.Y += here.dy
}

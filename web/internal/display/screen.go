package display

import (
	"math"

	"throng/world"
	"throng/world/fixed"
)

// fading is how long a correction takes to fade to a third.
const fading = 90 * world.Millisecond

// Screen shows one user's view of a world.
type Screen struct {
	*Lister
	rules world.Rules
	tick  world.Time

	// Raw has objects shown as they are in the state, tick by tick and with every jump.
	Raw bool

	list    []Record
	shown   []shown // what the list shows, in the same order
	next    []shown
	updated world.Time // when the list was made
}

// shown is an object as it was last shown.
type shown struct {
	object world.Object
	at     world.Time // when it was like that
	dx, dy float32    // what is left of corrections
}

// NewScreen returns a screen that shows nothing yet.
func NewScreen(w world.World) *Screen {
	return &Screen{Lister: NewLister(w.Schema()), rules: w, tick: w.Schema().Tick}
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
	s.updated = max(s.updated, now)
	s.list, s.next = s.list[:0], s.next[:0]
	before := s.shown
	for o := range state.All() {
		for len(before) > 0 && before[0].object.ID < o.ID {
			before = before[1:]
		}
		here := shown{object: *o, at: ticked}
		flags := uint16(Fresh)
		moved := s.moved(&here, now)
		if len(before) > 0 && before[0].object.ID == o.ID && before[0].object.Kind == o.Kind {
			flags = 0
			s.correct(&here, &moved, &before[0], now, keep)
		}
		if o.User == user && user != 0 {
			flags |= Own
		}
		s.add(&here, &moved, flags)
	}
	s.shown, s.next = s.next, s.shown
}

// moved is where an object is by now, by dead reckoning.
func (s *Screen) moved(o *shown, now world.Time) world.Object {
	moved := o.object
	if now > o.at {
		s.rules.Extrapolate(&moved, now-o.at)
	}
	return moved
}

// correct carries on what was left of earlier corrections, and begins another one if the object has not become what was
// expected.
func (s *Screen) correct(here *shown, moved *world.Object, before *shown, now world.Time, keep float32) {
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
	expected := s.moved(before, now)
	here.dx += float(expected.Pos.X - moved.Pos.X)
	here.dy += float(expected.Pos.Y - moved.Pos.Y)
	if s.jumps(here.object.Kind, here.dx, here.dy) {
		here.dx, here.dy = 0, 0
	}
}

func (s *Screen) add(here *shown, moved *world.Object, flags uint16) {
	s.next = append(s.next, *here)
	s.list = append(s.list, Record{})
	r := &s.list[len(s.list)-1]
	s.write(r, moved)
	r.Flags = flags
	r.X += here.dx
	r.Y += here.dy
}

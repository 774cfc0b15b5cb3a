package lockstep

import (
	"slices"

	"throng/world"
)

// trailMax is how many past states are kept at most.
const trailMax = 64

// spareMax is how many states that are needed no more keep their pages: to bring those up to date costs less than to begin
// with none.
const spareMax = 8

// trail are the states of the latest ticks, for finding out where two replicas parted. They share all objects in which they
// agree with their neighbours, and are kept only until everybody is known to agree.
type trail struct {
	first  world.Tick // of the states, which have one tick after the other
	states []*world.State
	spare  []*world.State
}

// next is the tick after the last one.
func (t *trail) next() world.Tick { return t.first + world.Tick(len(t.states)) }

// add keeps a copy of a state. Where its tick does not follow the last one's, what was kept before is given back.
func (t *trail) add(s *world.State) {
	if s.Tick() != t.next() {
		t.clear()
		t.first = s.Tick()
	}
	if len(t.states) == trailMax {
		t.trim(t.first + 1)
	}
	kept := t.take(s)
	kept.CopyFrom(s)
	t.states = append(t.states, kept)
}

// take returns a state that is not in use, related to s.
func (t *trail) take(s *world.State) *world.State {
	last := len(t.spare) - 1
	if last < 0 {
		return s.Clone()
	}
	kept := t.spare[last]
	t.spare = t.spare[:last]
	return kept
}

// trim gives back the states of ticks before one.
func (t *trail) trim(before world.Tick) {
	n := int(min(max(before-t.first, 0), world.Tick(len(t.states))))
	for _, s := range t.states[:n] {
		if len(t.spare) >= spareMax {
			s.Release()
		}
		t.spare = append(t.spare, s)
	}
	t.states = slices.Delete(t.states, 0, n)
	t.first += world.Tick(n)
}

func (t *trail) clear() { t.trim(t.next()) }

// get returns the state of a tick, or nil where it is not kept.
func (t *trail) get(tick world.Tick) *world.State {
	if tick < t.first || tick >= t.next() {
		return nil
	}
	return t.states[tick-t.first]
}

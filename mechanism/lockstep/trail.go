package lockstep

import (
	"slices"

	"throng/mechanism/parts/memo"
	"throng/world"
)

// trailMax is how many past states are kept at most.
const trailMax = 64

// trail are the states of the latest ticks, for finding out where two replicas parted: replicas that have stayed behind. They
// are kept only until everybody is known to agree.
type trail struct {
	first world.Tick // of the states, which have one tick after the other
	past  []*memo.Follower
	spare []*memo.Follower
}

// next is the tick after the last one.
func (t *trail) next() world.Tick { return t.first + world.Tick(len(t.past)) }

// add keeps the state that a replica is in. Where its tick does not follow the last one's, what was kept before is given back.
func (t *trail) add(f *memo.Follower) {
	if tick := f.State().Tick(); tick != t.next() {
		t.clear()
		t.first = tick
	}
	if len(t.past) == trailMax {
		t.trim(t.first + 1)
	}
	kept := t.take()
	kept.Visit(f)
	t.past = append(t.past, kept)
}

// take returns a replica that is not in use.
func (t *trail) take() *memo.Follower {
	last := len(t.spare) - 1
	if last < 0 {
		return new(memo.Follower)
	}
	kept := t.spare[last]
	t.spare = t.spare[:last]
	return kept
}

// trim gives back the states of ticks before one.
func (t *trail) trim(before world.Tick) {
	n := int(min(max(before-t.first, 0), world.Tick(len(t.past))))
	for _, f := range t.past[:n] {
		f.Close()
		t.spare = append(t.spare, f)
	}
	t.past = slices.Delete(t.past, 0, n)
	t.first += world.Tick(n)
}

func (t *trail) clear() { t.trim(t.next()) }

// get returns the state of a tick, or nil where it is not kept.
func (t *trail) get(tick world.Tick) *world.State {
	if tick < t.first || tick >= t.next() {
		return nil
	}
	return t.past[tick-t.first].State()
}

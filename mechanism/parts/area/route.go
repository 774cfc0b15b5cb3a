package area

import "throng/world"

// Target is the object whose server carries an action out: what the action names, if it may change that or if the state does
// not hold it, so that somebody else must know; else the first that it may change and that the state holds; else the first that
// it may change, which somebody else must know; else zero. What the footprint held is lost.
//
// An action that changes objects of several servers changes only those of the one it is sent to.
func Target(r world.Rules, s *world.State, a *world.Action, f *world.Footprint) world.ID {
	f.Reset()
	r.Reach(s, a, f)
	if a.Target != 0 && (f.Writes.Has(a.Target) || s.Get(a.Target) == nil) {
		return a.Target
	}
	for _, id := range f.Writes {
		if s.Get(id) != nil {
			return id
		}
	}
	if len(f.Writes) > 0 {
		return f.Writes[0]
	}
	return 0
}

// Trail remembers where objects have gone that a server no longer has: of the last few thousand.
type Trail struct {
	last map[world.ID]step
	ring []world.ID
	next int
	seq  uint64
}

type step struct {
	area int
	seq  uint64 // of the note, to tell it from an older one about the same object
}

// trailMax is how many notes there are.
const trailMax = 1 << 13

// NewTrail returns an empty trail.
func NewTrail() *Trail { return &Trail{last: map[world.ID]step{}} }

// Note notes that an object has gone to an area.
func (t *Trail) Note(id world.ID, area int) {
	t.seq++
	if len(t.ring) < trailMax {
		t.ring = append(t.ring, id)
	} else {
		// The note that is overwritten counts only if there is none about the same object that is newer.
		if old := t.ring[t.next]; t.last[old].seq+trailMax == t.seq {
			delete(t.last, old)
		}
		t.ring[t.next] = id
		t.next = (t.next + 1) % trailMax
	}
	t.last[id] = step{area, t.seq}
}

// Find is where an object went, if that is known.
func (t *Trail) Find(id world.ID) (area int, ok bool) {
	s, ok := t.last[id]
	return s.area, ok
}

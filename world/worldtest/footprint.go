package worldtest

import (
	"fmt"

	"throng/world"
)

// checkFootprints checks that an action touches what Reach says and no more: it writes only what it says that it writes,
// and where nothing is known but what it says that it reads, it does the same. Mechanisms that order actions rather than
// send states stand on both.
func checkFootprints(w world.World, frames []frame) error {
	var f world.Footprint
	for k, frame := range frames {
		for i := range frame.actions {
			a := &frame.actions[i]
			if a.Verb == world.Enter || a.Verb == world.Leave {
				continue // of these Reach knows nothing
			}
			f.Reset()
			w.Reach(frame.state, a, &f)
			if err := checkFootprint(w, frame.state, a, &f); err != nil {
				return fmt.Errorf("tick %d: %s, said to read %v and write %v: %w",
					k, action(w.Schema(), a), f.Reads, f.Writes, err)
			}
		}
	}
	return nil
}

func checkFootprint(w world.World, before *world.State, a *world.Action, f *world.Footprint) error {
	for _, id := range f.Writes {
		if !f.Reads.Has(id) {
			return fmt.Errorf("object %d is written but not read", id)
		}
	}
	whole := before.Clone()
	defer whole.Release()
	world.NewWindow(whole).Do(w, a)
	for c := range world.Diff(before, whole) {
		// What is new is nobody else's to touch; it needs no mention.
		if c.Old != nil && !f.Writes.Has(c.Old.ID) {
			return fmt.Errorf("changed what is not among its writes: %w", change(w.Schema(), c.New, c.Old))
		}
	}

	part := known(before, f.Reads)
	window := world.NewWindow(part)
	window.Restrict(func(o *world.Object) bool { return f.Writes.Has(o.ID) || before.Get(o.ID) == nil })
	window.Do(w, a)
	if err := difference(part, expected(before, whole, f.Reads)); err != nil {
		return fmt.Errorf("carried out where only its reads are known: %w", err)
	}
	return nil
}

// known is a state of which only some objects are known.
func known(s *world.State, ids world.Set) *world.State {
	part := world.NewState(s.Schema(), s.Seed())
	part.SetTick(s.Tick())
	for _, id := range ids {
		if o := s.Get(id); o != nil {
			part.Put(*o)
		}
	}
	return part
}

// expected is what ought to be known afterwards to whom these objects were known before: what has become of them, and what
// is new.
func expected(before, after *world.State, ids world.Set) *world.State {
	part := known(after, ids)
	for c := range world.Diff(before, after) {
		if c.Old == nil {
			part.Put(*c.New)
		}
	}
	return part
}

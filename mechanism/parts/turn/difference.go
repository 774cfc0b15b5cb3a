package turn

import (
	"throng/mechanism"
	"throng/world"
)

// Compare counts the objects in which a state differs from what it should be, and lists the first numbers in which they do:
// as many as most, or those of one more object.
func Compare(got, want *world.State, most int) (found []mechanism.Difference, objects int) {
	for c := range world.Diff(want, got) {
		objects++
		if len(found) < most {
			found = compare(found, want.Schema(), got.Tick(), c.New, c.Old)
		}
	}
	return found, objects
}

// compare adds in what two objects with the same ID differ. One of them may be nil.
func compare(found []mechanism.Difference, s *world.Schema, t world.Tick, got, want *world.Object) []mechanism.Difference {
	switch {
	case got == nil:
		return append(found, mechanism.Difference{Tick: t, Object: want.ID, Attribute: "presence", Got: 0, Want: 1})
	case want == nil:
		return append(found, mechanism.Difference{Tick: t, Object: got.ID, Attribute: "presence", Got: 1, Want: 0})
	case got.Kind != want.Kind:
		return append(found, mechanism.Difference{Tick: t, Object: got.ID, Attribute: "kind", Got: int64(got.Kind), Want: int64(want.Kind)})
	case got.User != want.User:
		found = append(found, mechanism.Difference{Tick: t, Object: got.ID, Attribute: "user", Got: int64(got.User), Want: int64(want.User)})
	}
	for i := range s.Kinds[got.Kind].Variables {
		v := &s.Kinds[got.Kind].Variables[i]
		if x, y := got.Get(v.Slot), want.Get(v.Slot); x != y {
			found = append(found, mechanism.Difference{Tick: t, Object: got.ID, Attribute: v.Name, Got: x, Want: y})
		}
	}
	return found
}

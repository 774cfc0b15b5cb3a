package turn

import (
	"fmt"

	"throng/world"
)

// Difference is one number in which a replica differs from what it must be equal to.
type Difference struct {
	Tick      world.Tick
	Object    world.ID
	Attribute string // its name, or "presence", "kind" or "user" where it is that
	Got, Want int64
}

func (d Difference) String() string {
	return fmt.Sprintf("tick %d: %s of object %d is %d instead of %d", d.Tick, d.Attribute, d.Object, d.Got, d.Want)
}

// Differing is a node that can tell in what its replica differed, when it did.
type Differing interface {
	// Differences is what was found last, in the order of the objects' IDs.
	Differences() []Difference
}

// Compare counts the objects in which a state differs from what it should be, and lists the first numbers in which they do:
// as many as most, or those of one more object.
func Compare(got, want *world.State, most int) (found []Difference, objects int) {
	for c := range world.Diff(want, got) {
		objects++
		if len(found) < most {
			found = compare(found, want.Schema(), got.Tick(), c.New, c.Old)
		}
	}
	return found, objects
}

// compare adds in what two objects with the same ID differ. One of them may be nil.
func compare(found []Difference, s *world.Schema, t world.Tick, got, want *world.Object) []Difference {
	switch {
	case got == nil:
		return append(found, Difference{t, want.ID, "presence", 0, 1})
	case want == nil:
		return append(found, Difference{t, got.ID, "presence", 1, 0})
	case got.Kind != want.Kind:
		return append(found, Difference{t, got.ID, "kind", int64(got.Kind), int64(want.Kind)})
	case got.User != want.User:
		found = append(found, Difference{t, got.ID, "user", int64(got.User), int64(want.User)})
	}
	for i := range s.Kinds[got.Kind].Variables {
		v := &s.Kinds[got.Kind].Variables[i]
		if x, y := got.Get(v.Slot), want.Get(v.Slot); x != y {
			found = append(found, Difference{t, got.ID, v.Name, x, y})
		}
	}
	return found
}

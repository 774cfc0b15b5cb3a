package measure

import (
	"fmt"

	"throng/world"
)

// Difference describes the first thing in which two states differ, for people: tick, object and variable, with both values.
func Difference(a, b *world.State) string {
	if a.Tick() != b.Tick() {
		return fmt.Sprintf("one is at tick %d, the other at %d", a.Tick(), b.Tick())
	}
	schema := a.Schema()
	for c := range world.Diff(a, b) {
		switch {
		case c.New == nil:
			return fmt.Sprintf("at tick %d only one has the %s %d", a.Tick(), schema.Kinds[c.Old.Kind].Name, c.Old.ID)
		case c.Old == nil:
			return fmt.Sprintf("at tick %d only one has the %s %d", a.Tick(), schema.Kinds[c.New.Kind].Name, c.New.ID)
		}
		for _, v := range schema.Kinds[c.Old.Kind].Variables {
			if x, y := c.Old.Get(v.Slot), c.New.Get(v.Slot); x != y {
				return fmt.Sprintf("at tick %d the %s %d has %s = %d in one and %d in the other",
					a.Tick(), schema.Kinds[c.Old.Kind].Name, c.Old.ID, v.Name, x, y)
			}
		}
	}
	return "no difference"
}

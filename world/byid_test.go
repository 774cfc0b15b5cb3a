package world

import (
	"testing"

	"throng/world/random"
)

// TestByID does the same to a table and to a map, with objects numbered in a row, far apart, and at random.
func TestByID(t *testing.T) {
	for name, number := range map[string]func(n uint64) ID{
		"in a row":  func(n uint64) ID { return ID(n + 1) },
		"far apart": func(n uint64) ID { return ID((n + 1) << 40) },
		"at random": func(n uint64) ID { return ID(fold(n, mixC) | 1) },
	} {
		t.Run(name, func(t *testing.T) {
			var table ByID[uint64]
			want := map[ID]uint64{}
			r := random.New(1, name)
			for i := range uint64(20_000) {
				id := number(r.Below(300))
				switch {
				case r.Below(3000) == 0:
					table.Clear()
					clear(want)
				case r.Below(2) == 0:
					table.Delete(id)
					delete(want, id)
				default:
					table.Set(id, i)
					want[id] = i
				}
				id = number(r.Below(300))
				got, ok := table.Get(id)
				if is, there := want[id]; got != is || ok != there || table.Len() != len(want) {
					t.Fatalf("after %d steps there is %d (%v) for object %d among %d, want %d (%v) among %d",
						i, got, ok, id, table.Len(), is, there, len(want))
				}
			}
			for id, is := range want {
				if got, ok := table.Get(id); got != is || !ok {
					t.Errorf("there is %d (%v) for object %d, want %d", got, ok, id, is)
				}
			}
		})
	}
}

func TestByIDHasNothingForNone(t *testing.T) {
	var table ByID[int]
	for id := range ID(7) {
		if _, ok := table.Get(0); ok {
			t.Errorf("with %d objects there is something for none", id)
		}
		table.Delete(0)
		table.Set(id+1, 1)
	}
}

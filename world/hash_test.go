package world

import (
	"testing"

	"pgregory.net/rapid"
)

func TestHashDoesNotDependOnHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.Custom(drawID), 1, 60, rapid.ID[ID]).Draw(t, "ids")
		inOrder := NewState(testSchema, 1)
		objects := map[ID]Object{}
		for _, id := range ids {
			objects[id] = drawObject(t, id)
			inOrder.Put(objects[id])
		}
		shuffled := NewState(testSchema, 1)
		order := rapid.Permutation(ids).Draw(t, "order")
		for _, id := range order {
			shuffled.Put(Object{ID: id}) // first all of them wrong, then some gone, then all of them right
		}
		for _, id := range order[:len(order)/2] {
			shuffled.Remove(id)
		}
		for _, id := range order {
			shuffled.Put(objects[id])
		}
		if a, b := inOrder.Hash(), shuffled.Hash(); a != b {
			t.Fatalf("hashes %x and %x of the same objects", a, b)
		}
	})
}

func TestHashDependsOnEverything(t *testing.T) {
	hashes := map[uint64]string{}
	check := func(name string, change func(s *State)) {
		s := NewState(testSchema, 1)
		s.Put(Object{ID: 1})
		s.Put(Object{ID: 2})
		change(s)
		if other, ok := hashes[s.Hash()]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		hashes[s.Hash()] = name
	}
	check("nothing", func(*State) {})
	check("tick", func(s *State) { s.SetTick(1) })
	check("seed", func(s *State) { s.seed = 2 })
	check("kind", func(s *State) { s.Edit(1).Kind = kindStone })
	check("user", func(s *State) { s.Edit(1).User = 1 })
	check("another", func(s *State) { s.Put(Object{ID: 3}) })
	check("one less", func(s *State) { s.Remove(2) })
	check("none", func(s *State) { s.Release() })
	for slot := range slotCount {
		for _, v := range []int64{1, -1, 1 << 32} {
			check("slot of the first", func(s *State) { s.Edit(1).Set(slot, v) })
			check("slot of the second", func(s *State) { s.Edit(2).Set(slot, v) })
		}
	}
}

// Hashing again costs in proportion to what changed: other pages are not read.
func TestHashReadsOnlyWhatChanged(t *testing.T) {
	s, _ := flock(1000)
	s.Hash()
	s.Edit(500).Attr[attrAge]++
	want := s.Detach().Hash()
	changed, _, _ := s.find(500)
	for at := range s.pages { // spoil, behind its back, everything but the page that changed
		if at != changed {
			s.object(at, 0).Attr[attrAge]++
		}
	}
	if got := s.Hash(); got != want {
		t.Errorf("hash %x, want %x: pages were read that had not changed", got, want)
	}
}

// The hash of a given state is the same on every machine and in every release that calls its results unchanged.
func TestHashGolden(t *testing.T) {
	s, _ := flock(100)
	w := NewWindow(s)
	for range 10 {
		w.Advance(drifting{})
	}
	const want = 0xc48a7dfaff496a8f
	if got := s.Hash(); got != want {
		t.Errorf("hash %#x, want %#x", got, uint64(want))
	}
}

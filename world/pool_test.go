package world

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// checkPools checks that every page is counted for exactly the states that hold it, and none is lost.
func checkPools(t *rapid.T, states []*State) {
	holds := map[*pool]map[int32]int32{}
	for _, s := range states {
		if holds[s.pool] == nil {
			holds[s.pool] = map[int32]int32{}
		}
		if blocks := (len(s.pages) + blockPages - 1) / blockPages; len(s.latest) != blocks {
			t.Fatalf("the stamps of %d blocks of pages, want %d", len(s.latest), blocks)
		}
		for at, r := range s.pages {
			if r.stamp > s.latest[at/blockPages] {
				t.Fatalf("page %d bears the stamp %d, later than %d", at, r.stamp, s.latest[at/blockPages])
			}
			holds[s.pool][r.page]++
			objects := s.pool.page(r.page)
			if r.n < 1 || r.n > pageObjects || objects[0].ID != r.first {
				t.Fatalf("a page of %d objects from %d, said to be from %d", r.n, objects[0].ID, r.first)
			}
		}
	}
	for p, held := range holds {
		if p.live != len(held) || len(p.free) != len(p.holds)-len(held) {
			t.Fatalf("%d pages live and %d free of %d, but %d held", p.live, len(p.free), len(p.holds), len(held))
		}
		for page, n := range held {
			if p.holds[page] != n {
				t.Fatalf("page %d counts %d holders of %d", page, p.holds[page], n)
			}
		}
	}
}

func TestReleaseGivesEverythingBack(t *testing.T) {
	s, _ := flock(1000)
	c := s.Clone()
	newToucher(c).touch(c, 500)
	if s.Bytes() <= 1000*objectBytes {
		t.Errorf("two states that differ take %d bytes, no more than one", s.Bytes())
	}
	s.Release()
	c.Release()
	if s.Bytes() != 0 || s.Len() != 0 || c.Len() != 0 {
		t.Errorf("%d bytes held by states of %d and %d objects", s.Bytes(), s.Len(), c.Len())
	}
}

// A world that shrinks gives its memory back, in whatever order its objects go.
func TestShrinkingGivesMemoryBack(t *testing.T) {
	for _, test := range []struct {
		name string
		keep func(ID) bool
	}{
		{"one in ten", func(id ID) bool { return id%10 == 0 }},
		{"the last ten", func(id ID) bool { return id > 990 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := flock(1000)
			for id := ID(1); id <= 1000; id++ {
				if !test.keep(id) {
					s.Remove(id)
				}
			}
			// Neighbouring pages together hold more than half a page.
			if most := 4*s.Len()/pageObjects + 2; len(s.pages) > most {
				t.Errorf("%d objects on %d pages, want at most %d", s.Len(), len(s.pages), most)
			}
		})
	}
}

func TestObjectsInOrderFillPages(t *testing.T) {
	s, _ := flock(10 * pageObjects)
	if len(s.pages) != 10 {
		t.Errorf("%d objects on %d pages of %d", s.Len(), len(s.pages), pageObjects)
	}
}

// What changed is found without looking at every page, however pages come and go.
func TestChangedSinceFindsWhatChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 6 * blockPages * pageObjects
		s := NewState(testSchema, 0)
		for id := ID(2); id <= most; id += 2 { // with gaps, for pages to split
			s.Put(Object{ID: id})
		}
		other := s.Clone()
		id := rapid.Custom(func(t *rapid.T) ID { return ID(rapid.IntRange(1, most).Draw(t, "id")) })
		var before uint64
		t.Repeat(map[string]func(*rapid.T){
			"edit":   func(t *rapid.T) { s.Edit(id.Draw(t, "id")) },
			"put":    func(t *rapid.T) { s.Put(Object{ID: id.Draw(t, "id")}) },
			"remove": func(t *rapid.T) { s.Remove(id.Draw(t, "id")) },
			"remove row": func(t *rapid.T) {
				for id, n := id.Draw(t, "id"), rapid.IntRange(1, 5*pageObjects).Draw(t, "n"); n > 0; n-- {
					s.Remove(id)
					id++
				}
			},
			"copy":   func(t *rapid.T) { other.CopyFrom(s) },
			"swap":   func(t *rapid.T) { s, other = other, s },
			"detach": func(t *rapid.T) { s, before = s.Detach(), 0 },
			"look":   func(t *rapid.T) { before = s.pool.clock },
			"": func(t *rapid.T) {
				var want []int
				for at, r := range s.pages {
					if r.stamp > before {
						want = append(want, at)
					}
				}
				if got := slices.Collect(s.changedSince(before)); !slices.Equal(got, want) {
					t.Fatalf("pages %v changed since %d, want %v", got, before, want)
				}
			},
		})
	})
}

// A page that changed is still found after pages before it have split and moved it to another block.
func TestChangedSinceFindsWhatMoved(t *testing.T) {
	s := NewState(testSchema, 0)
	for i := range ID(2 * blockPages * pageObjects) {
		s.Put(Object{ID: 2 + 2*i})
	}
	before := s.pool.clock
	s.Edit(2 * blockPages * pageObjects) // on the last page of the first block
	s.Put(Object{ID: 3})                 // splits the first page
	if got, want := slices.Collect(s.changedSince(before)), []int{0, 1, blockPages}; !slices.Equal(got, want) {
		t.Errorf("pages %v changed, want %v", got, want)
	}
}

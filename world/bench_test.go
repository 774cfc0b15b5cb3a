package world

import (
	"testing"

	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

// bench runs f for flocks of three sizes.
func bench(b *testing.B, f func(b *testing.B, s *State, radius fixed.F)) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1k", 1000}, {"10k", 10_000}, {"100k", 100_000}} {
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			s, radius := flock(size.n)
			f(b, s, radius)
		})
	}
}

// toucher moves different birds on at every call, spread at random over all of them.
type toucher struct {
	ids []ID
	at  int
}

func newToucher(s *State) *toucher {
	t := &toucher{}
	for o := range s.All() {
		t.ids = append(t.ids, o.ID)
	}
	r := random.New(2, "touch")
	r.Shuffle(len(t.ids), func(i, j int) { t.ids[i], t.ids[j] = t.ids[j], t.ids[i] })
	return t
}

func (t *toucher) touch(s *State, n int) {
	for range n {
		Drift(s.Edit(t.ids[t.at]), 50*Millisecond)
		t.at = (t.at + 1) % len(t.ids)
	}
}

func BenchmarkStep(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		w := NewWindow(s)
		for b.Loop() {
			w.Advance(drifting{})
		}
	})
}

// BenchmarkAct carries out an action that looks around and then changes one object.
func BenchmarkAct(b *testing.B) {
	bench(b, func(b *testing.B, s *State, radius fixed.F) {
		w, t, a := NewWindow(s), newToucher(s), &Action{}
		look := acting(func(w *Window) {
			id := t.ids[t.at]
			t.at = (t.at + 1) % len(t.ids)
			w.Near(w.Get(id).Pos, radius)
			Drift(w.Edit(id), 50*Millisecond)
		})
		for b.Loop() {
			w.Do(look, a)
		}
	})
}

// BenchmarkSnapshot keeps a snapshot and then changes one object in a hundred: a tick of a world that may be rolled back.
// BenchmarkEdit says what the changes alone cost, BenchmarkFullCopy what it would be without shared pages.
func BenchmarkSnapshot(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		var history [4]*State
		for i := range history {
			history[i] = s.Clone()
		}
		t := newToucher(s)
		i := 0
		for b.Loop() {
			history[i%len(history)].CopyFrom(s)
			t.touch(s, s.Len()/100)
			i++
		}
	})
}

func BenchmarkFullCopy(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		for b.Loop() {
			s.Detach()
		}
	})
}

// BenchmarkFullCopyReused copies into memory that is already there: the price of moving the bytes alone.
func BenchmarkFullCopyReused(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		c := s.Detach()
		for b.Loop() {
			c.CopyFrom(s)
		}
	})
}

func BenchmarkEdit(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		t := newToucher(s)
		for b.Loop() {
			t.touch(s, 1)
		}
	})
}

// afterChange runs f with one object in a hundred changed, and with a single one.
func afterChange(b *testing.B, s *State, f func(b *testing.B, old, new *State)) {
	for _, change := range []struct {
		name string
		n    int
	}{{"1pct", s.Len() / 100}, {"one", 1}} {
		b.Run(change.name, func(b *testing.B) {
			b.ReportAllocs()
			old := s.Clone()
			newToucher(s).touch(s, change.n)
			f(b, old, s)
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		afterChange(b, s, func(b *testing.B, old, new *State) {
			for b.Loop() {
				for range Diff(old, new) {
				}
			}
		})
	})
}

func BenchmarkAppendDiff(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		afterChange(b, s, func(b *testing.B, old, new *State) {
			var buf []byte
			for b.Loop() {
				buf = AppendDiff(buf[:0], old, new)
			}
			b.SetBytes(int64(len(buf)))
		})
	})
}

// BenchmarkHash hashes a state in which everything is new, and one in which one object in a hundred is.
func BenchmarkHash(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		b.Run("cold", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range s.pool.sums {
					s.pool.sums[i].stamp = 0
				}
				s.Hash()
			}
		})
		b.Run("1pct", func(b *testing.B) {
			b.ReportAllocs()
			t := newToucher(s)
			for b.Loop() {
				b.StopTimer()
				t.touch(s, s.Len()/100)
				b.StartTimer()
				s.Hash()
			}
		})
	})
}

func BenchmarkEncode(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		var buf []byte
		for b.Loop() {
			buf = s.Append(buf[:0])
		}
		b.SetBytes(int64(len(buf)))
	})
}

func BenchmarkDecode(b *testing.B) {
	bench(b, func(b *testing.B, s *State, _ fixed.F) {
		buf := s.Append(nil)
		b.SetBytes(int64(len(buf)))
		for b.Loop() {
			r := wire.NewReader(buf)
			if _, err := Decode(testSchema, &r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkNear looks for about ten neighbours.
func BenchmarkNear(b *testing.B) {
	bench(b, func(b *testing.B, s *State, radius fixed.F) {
		x := NewIndex(radius)
		x.Sync(s)
		var ids []ID
		for o := range s.All() {
			ids = append(ids, o.ID)
		}
		i, found := 0, 0
		for b.Loop() {
			found += len(x.Near(s.Get(ids[i%len(ids)]).Pos, radius))
			i++
		}
		b.ReportMetric(float64(found)/float64(i), "found/op")
	})
}

// BenchmarkSync brings an index up to date after one object in a hundred has moved, by a step or across the world.
func BenchmarkSync(b *testing.B) {
	bench(b, func(b *testing.B, s *State, radius fixed.F) {
		x := NewIndex(radius)
		x.Sync(s)
		t := newToucher(s)
		for b.Loop() {
			b.StopTimer()
			t.touch(s, s.Len()/100)
			b.StartTimer()
			x.Sync(s)
		}
	})
}

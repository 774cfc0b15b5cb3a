package world

import (
	"testing"

	"throng/world/fixed"
	"throng/world/wire"
)

// What happens at every tick allocates nothing once memory has grown to what is needed.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	s, radius := flock(2000)
	w := NewWindow(s)
	touch := newToucher(s)
	history := [4]*State{s.Clone(), s.Clone(), s.Clone(), s.Clone()}
	at := 0
	snapshot := func() *State {
		at = (at + 1) % len(history)
		history[at].CopyFrom(s)
		return history[at]
	}
	var buf []byte
	var f Footprint
	turn := &Action{Verb: 1, Target: 5}
	breathing := stepping(func(w *Window) {
		for id := range ID(20) {
			w.Remove(w.Create(1+id, kindStone).ID)
		}
	})
	for _, test := range []struct {
		name string
		f    func()
	}{
		{"step", func() { w.Advance(drifting{}) }},
		{"action", func() { w.Do(drifting{}, turn) }},
		{"restricted step", func() {
			w.Restrict(func(o *Object) bool { return o.User == 1 })
			w.Advance(drifting{})
			w.Restrict(nil)
		}},
		{"snapshot and change", func() {
			snapshot()
			touch.touch(s, 20)
		}},
		{"roll back", func() { s.CopyFrom(history[at]) }},
		{"create and remove", func() { w.Advance(breathing) }},
		{"reading all", func() {
			for o := range w.All() {
				w.Get(o.ID)
			}
		}},
		{"diff", func() {
			old := snapshot()
			touch.touch(s, 20)
			for range Diff(old, s) {
			}
		}},
		{"diff on the wire", func() {
			old := snapshot()
			touch.touch(s, 20)
			buf = AppendDiff(buf[:0], old, s)
			r := wire.NewReader(buf)
			if err := old.ApplyDiff(&r); err != nil {
				t.Fatal(err)
			}
		}},
		{"hash", func() {
			touch.touch(s, 20)
			s.Hash()
		}},
		{"encode", func() { buf = s.Append(buf[:0]) }},
		{"near", func() {
			touch.touch(s, 20)
			w.Refresh()
			w.Near(s.Get(1).Pos, radius)
			w.index.In(fixed.Box{Max: fixed.Vec{X: radius, Y: radius}})
		}},
		{"random", func() {
			r := w.Random(1, 2)
			r.Uint64()
		}},
		{"footprint", func() {
			f.Reset()
			drifting{}.Reach(s, turn, &f)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 * len(touch.ids) / 20 { // until everything has been touched, and copied, once
				test.f()
			}
			if n := testing.AllocsPerRun(100, test.f); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

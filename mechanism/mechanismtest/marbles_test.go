package mechanismtest

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

func newTable(t testing.TB, users world.User) (world.World, *world.State, *world.Window) {
	t.Helper()
	w := Marbles(users)
	if err := w.Schema().Check(); err != nil {
		t.Fatal(err)
	}
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	return w, s, world.NewWindow(s)
}

func TestMarblesRestUntilPushed(t *testing.T) {
	w, s, window := newTable(t, 3)
	before := s.Clone()
	for range 50 {
		window.Advance(w)
	}
	for c := range world.Diff(before, s) {
		t.Errorf("%d has changed", c.New.ID)
	}
}

func TestMarblesExchangeVelocities(t *testing.T) {
	w, s, window := newTable(t, 3)
	a := world.Action{User: 1, Seq: 1, Verb: Push, Args: [world.MaxArgs]int64{int64(40 * fixed.One)}}
	window.Do(w, &a)
	for range 40 {
		window.Advance(w)
	}
	first, second := s.Get(1), s.Get(2)
	if first.Attr[MarbleHits] != 1 || second.Attr[MarbleHits] != 1 {
		t.Errorf("hits: %d and %d, want one each", first.Attr[MarbleHits], second.Attr[MarbleHits])
	}
	if second.Pos.X <= spacing*2 {
		t.Error("the second marble was not pushed on")
	}
	if first.Vel != (fixed.Vec{}) || second.Vel != (fixed.Vec{}) {
		t.Error("they did not come to rest")
	}
}

func TestMarblesPebblePasses(t *testing.T) {
	w, s, window := newTable(t, 3)
	before := s.Len()
	window.Do(w, &world.Action{User: 1, Seq: 1, Verb: Drop})
	if s.Len() != before+1 {
		t.Fatal("no pebble")
	}
	for range pebbleTicks {
		window.Advance(w)
	}
	if s.Len() != before {
		t.Error("the pebble is still there")
	}
}

func TestMarblesTallyShowsOrder(t *testing.T) {
	sum := func(first, second int64) int64 {
		w, s, window := newTable(t, 3)
		for i, n := range []int64{first, second} {
			window.Do(w, &world.Action{User: 1, Seq: uint32(i + 1), Verb: Count, Args: [world.MaxArgs]int64{n}})
		}
		return s.Get(TallyOf(w)).Attr[TallySum]
	}
	if sum(1, 2) == sum(2, 1) {
		t.Error("the order of additions does not show")
	}
}

func TestMarblesStrayChangesHands(t *testing.T) {
	w, s, _ := newTable(t, 3)
	stray := s.Get(Stray(w))
	for i, want := range []world.User{1, 2, 3, 1} {
		s.SetTick(world.Tick(i) * strayTicks)
		if got := world.Answers(w, s, stray); got != want {
			t.Errorf("in second %d user %d answers, want %d", i, got, want)
		}
	}
}

// What is said to bound the world must bound it, or mechanisms that rely on it would be blamed.
func TestMarblesKeepTheirRanges(t *testing.T) {
	w, s, window := newTable(t, 3)
	for tick := range 300 {
		for u := world.User(1); u <= 3; u++ {
			force := int64(40 * fixed.One)
			if tick/50%2 == 1 {
				force = -force
			}
			window.Do(w, &world.Action{User: u, Seq: uint32(tick), Verb: Push, Args: [world.MaxArgs]int64{force, force / 2}})
			window.Do(w, &world.Action{User: u, Seq: uint32(tick), Verb: Drop})
		}
		window.Advance(w)
		for o := range s.All() {
			for _, v := range w.Schema().Kinds[o.Kind].Variables {
				if n := o.Get(v.Slot); n < v.Min || n > v.Max {
					t.Fatalf("tick %d: %s of object %d is %d, outside %d to %d", tick, v.Name, o.ID, n, v.Min, v.Max)
				}
			}
		}
	}
}

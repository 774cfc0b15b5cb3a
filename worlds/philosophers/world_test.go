package philosophers

import (
	"strings"
	"testing"

	"throng/internal/param/paramtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func newTestTable(t testing.TB, count int) (*table, *world.State, *world.Window) {
	t.Helper()
	c := Default()
	c.Count = count
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	return w.(*table), s, world.NewWindow(s)
}

func TestWorld(t *testing.T) {
	for _, count := range []int{2, 7} {
		w, _, _ := newTestTable(t, count)
		worldtest.Run(t, w)
	}
}

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
	for want, spoil := range map[string]func(*Config){
		"count":   func(c *Config) { c.Count = 1 },
		"spacing": func(c *Config) { c.Spacing = 0 },
		"tick":    func(c *Config) { c.Tick = 0 },
		"every":   func(c *Config) { c.Every = c.Eat },
	} {
		c := Default()
		spoil(&c)
		if _, err := c.World(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %s, got %v", want, err)
		}
	}
}

// TestSeats checks that neighbours are as far apart as asked for, but for the bend of the ring, and forks half-way between.
func TestSeats(t *testing.T) {
	w, s, _ := newTestTable(t, 50)
	for u := world.User(1); u <= w.Users(); u++ {
		me, next := s.Get(philosopherOf(u)).Pos, s.Get(philosopherOf(u%w.Users()+1)).Pos
		if d := me.Dist(next); d > w.Spacing || d < w.Spacing-w.Spacing/100 {
			t.Errorf("users %d and the next sit %v apart", u, d)
		}
		for _, id := range w.forks(u) {
			if d := me.Dist(s.Get(id).Pos); d > w.Limits().Effect || d < w.Spacing/2-fixed.One {
				t.Errorf("fork %d is %v from user %d", id-forkBase, d, u)
			}
		}
	}
}

// TestEverybodyGrabs lets all reach for their forks one after the other: every second one eats, and on an odd ring the last
// one does not.
func TestEverybodyGrabs(t *testing.T) {
	for count, meals := range map[int]int64{2: 1, 6: 3, 7: 3} {
		w, s, window := newTestTable(t, count)
		for u := world.User(1); u <= w.Users(); u++ {
			window.Do(w, &world.Action{User: u, Verb: Grab})
			window.Do(w, &world.Action{User: u, Verb: Grab}) // greed makes no difference
		}
		if got := w.Score(s); got != fixed.FromInt(meals) {
			t.Errorf("%d philosophers have %v meals, want %d", count, got, meals)
		}
	}
}

func TestRelease(t *testing.T) {
	w, s, window := newTestTable(t, 5)
	do := func(u world.User, v world.VerbID) { window.Do(w, &world.Action{User: u, Verb: v}) }
	do(1, Grab)
	do(2, Release) // who holds nothing puts nothing down
	do(2, Grab)
	if s.Get(philosopherOf(2)).Attr[attrEating] != 0 {
		t.Error("two neighbours eat")
	}
	do(1, Release)
	do(2, Grab)
	if s.Get(philosopherOf(2)).Attr[attrEating] != 1 || s.Get(philosopherOf(1)).Attr[attrEating] != 0 {
		t.Error("a fork that was put down cannot be taken")
	}
}

func BenchmarkGrab(b *testing.B) {
	w, _, window := newTestTable(b, 1000)
	a := world.Action{Verb: Grab}
	b.ReportAllocs()
	for b.Loop() {
		a.User = 1 + a.User%w.Users()
		window.Do(w, &a)
	}
}

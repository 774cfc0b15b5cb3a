package philosophers

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func newGame(t testing.TB, count int) *worldtest.Game[*table] {
	t.Helper()
	c := param.Default[Config]()
	c.Count = count
	return worldtest.NewGame(worldtest.Make[*table](t, &c), 1)
}

func TestWorld(t *testing.T) {
	for _, count := range []int{2, 7} {
		worldtest.Run(t, newGame(t, count).World)
	}
}

func TestConfig(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"every": {func(c *Config) { c.Every = c.Eat }},
	})
}

// TestSeats checks that neighbours are as far apart as asked for, but for the bend of the ring, and forks half-way between.
func TestSeats(t *testing.T) {
	g := newGame(t, 50)
	w, s := g.World, g.State
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
		g := newGame(t, count)
		for u := world.User(1); u <= g.World.Users(); u++ {
			g.Do(u, world.Action{Verb: Grab})
			g.Do(u, world.Action{Verb: Grab}) // greed makes no difference
		}
		if got := g.World.Score(g.State); got != fixed.FromInt(meals) {
			t.Errorf("%d philosophers have %v meals, want %d", count, got, meals)
		}
	}
}

func TestRelease(t *testing.T) {
	g := newGame(t, 5)
	do := func(u world.User, v world.VerbID) { g.Do(u, world.Action{Verb: v}) }
	eats := func(u world.User) bool { return g.State.Get(philosopherOf(u)).Attr[attrEating] == 1 }
	do(1, Grab)
	do(2, Release) // who holds nothing puts nothing down
	do(2, Grab)
	if eats(2) {
		t.Error("two neighbours eat")
	}
	do(1, Release)
	do(2, Grab)
	if !eats(2) || eats(1) {
		t.Error("a fork that was put down cannot be taken")
	}
}

func BenchmarkGrab(b *testing.B) {
	g := newGame(b, 1000)
	a := world.Action{Verb: Grab}
	b.ReportAllocs()
	for b.Loop() {
		a.User = 1 + a.User%g.World.Users()
		g.Window.Do(g.World, &a)
	}
}

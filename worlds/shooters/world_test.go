package shooters

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/worldtest"
)

func newGame(t testing.TB) *worldtest.Game[*yard] {
	t.Helper()
	c := param.Default[Config]()
	return worldtest.NewGame(worldtest.Make[*yard](t, &c), 1)
}

func TestWorld(t *testing.T) {
	worldtest.Run(t, newGame(t).World)
}

func TestConfig(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"round": {func(c *Config) { c.Round = c.Tick }},
		"gap":   {func(c *Config) { c.Gap = c.Round }},
	})
}

func TestSight(t *testing.T) {
	g := newGame(t)
	for u := userA; u <= users; u++ {
		for v := userA; v <= users; v++ {
			want := u+v != userA+userC || u == v
			if got := g.World.Sees(g.State, u, g.State.Get(archerOf(v))); got != want {
				t.Errorf("user %d sees user %d: %v", u, v, got)
			}
		}
	}
}

// shot is what has become of those shot at when these arrows have flown.
func shot(t *testing.T, arrows ...[2]world.User) (down [users + 1]bool) {
	t.Helper()
	g := newGame(t)
	for i, x := range arrows {
		g.Do(x[0], world.Action{Seq: uint32(i + 1), Verb: Shoot, Target: archerOf(x[1])})
	}
	for u := userA; u <= users; u++ {
		down[u] = g.State.Get(archerOf(u)).Attr[attrDown] != 0
	}
	return down
}

func TestShoot(t *testing.T) {
	for name, test := range map[string]struct {
		arrows [][2]world.User
		want   [users + 1]bool
	}{
		"in the order of the scene, A lives": {[][2]world.User{{userC, userB}, {userB, userA}}, [users + 1]bool{userB: true}},
		"in the other order, both fall":      {[][2]world.User{{userB, userA}, {userC, userB}}, [users + 1]bool{userA: true, userB: true}},
		"alone, B's arrow hits A":            {[][2]world.User{{userB, userA}}, [users + 1]bool{userA: true}},
		"the wall stops arrows":              {[][2]world.User{{userC, userA}, {userA, userC}}, [users + 1]bool{}},
		"nobody shoots themself":             {[][2]world.User{{userA, userA}}, [users + 1]bool{}},
	} {
		if got := shot(t, test.arrows...); got != test.want {
			t.Errorf("%s: down are %v, want %v", name, got, test.want)
		}
	}
}

func TestRise(t *testing.T) {
	g := newGame(t)
	g.Do(userC, world.Action{Seq: 1, Verb: Shoot, Target: archerOf(userB)})
	g.Do(userB, world.Action{Seq: 1, Verb: Rise})
	if o := g.State.Get(archerOf(userB)); o.Attr[attrDown] != 0 || o.Attr[attrFalls] != 1 {
		t.Errorf("after a fall and a rise: %v", o.Attr)
	}
}

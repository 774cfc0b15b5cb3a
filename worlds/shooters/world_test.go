package shooters

import (
	"strings"
	"testing"

	"throng/internal/param/paramtest"
	"throng/world"
	"throng/world/worldtest"
)

func newTestYard(t testing.TB) (*yard, *world.State, *world.Window) {
	t.Helper()
	c := Default()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	return w.(*yard), s, world.NewWindow(s)
}

func TestWorld(t *testing.T) {
	y, _, _ := newTestYard(t)
	worldtest.Run(t, y)
}

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
	for want, spoil := range map[string]func(*Config){
		"tick":  func(c *Config) { c.Tick = 0 },
		"round": func(c *Config) { c.Round = c.Tick },
		"gap":   func(c *Config) { c.Gap = c.Round },
	} {
		c := Default()
		spoil(&c)
		if _, err := c.World(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %s, got %v", want, err)
		}
	}
}

func TestSight(t *testing.T) {
	y, s, _ := newTestYard(t)
	for u := userA; u <= users; u++ {
		for v := userA; v <= users; v++ {
			want := u+v != userA+userC || u == v
			if got := y.Sees(s, u, s.Get(archerOf(v))); got != want {
				t.Errorf("user %d sees user %d: %v", u, v, got)
			}
		}
	}
}

// shot is what has become of those shot at when these arrows have flown.
func shot(t *testing.T, arrows ...[2]world.User) (down [users + 1]bool) {
	t.Helper()
	y, s, w := newTestYard(t)
	for i, x := range arrows {
		w.Do(y, &world.Action{User: x[0], Seq: uint32(i + 1), Verb: Shoot, Target: archerOf(x[1])})
	}
	for u := userA; u <= users; u++ {
		down[u] = s.Get(archerOf(u)).Attr[attrDown] != 0
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
	y, s, w := newTestYard(t)
	w.Do(y, &world.Action{User: userC, Seq: 1, Verb: Shoot, Target: archerOf(userB)})
	w.Do(y, &world.Action{User: userB, Seq: 1, Verb: Rise})
	if o := s.Get(archerOf(userB)); o.Attr[attrDown] != 0 || o.Attr[attrFalls] != 1 {
		t.Errorf("after a fall and a rise: %v", o.Attr)
	}
}

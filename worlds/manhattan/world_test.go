package manhattan

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

// newGame starts a city with the default parameters but for what change changes.
func newGame(t testing.TB, change func(*Config)) *worldtest.Game[*city] {
	t.Helper()
	c := param.Default[Config]()
	change(&c)
	return worldtest.NewGame(worldtest.Make[*city](t, &c), 1)
}

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"spacing": {func(c *Config) { c.Start, c.Side = startBlock, 20*unit }},
		"every":   {func(c *Config) { c.Every = c.Tick / 2 }},
		"effect":  {func(c *Config) { c.Stride = 10 * unit }},
	})
}

// TestWorld puts a city like that of the experiments and one in which everybody is in everybody's way through the suite.
func TestWorld(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"throng": func(c *Config) { c.Avatars, c.Side, c.Walls, c.Start, c.Spacing = 20, 20*unit, 0, startBlock, 2*unit },
	} {
		t.Run(name, func(t *testing.T) {
			worldtest.Run(t, newGame(t, change).World, worldtest.Ticks(150))
		})
	}
}

func TestBlock(t *testing.T) {
	g := newGame(t, func(c *Config) { c.Avatars, c.Side, c.Start = 60, 250*unit, startBlock })
	c, s := g.World, g.State
	middle := c.schema.Bounds.Centre()
	for o := range s.All() {
		if !o.Pos.Within(middle, 20*unit) {
			t.Errorf("avatar %d starts at %v, far from the middle", o.ID, o.Pos)
		}
		nearest := c.Side
		for p := range s.All() {
			if p.ID != o.ID {
				nearest = min(nearest, o.Pos.Dist(p.Pos))
			}
		}
		if nearest != 4*unit {
			t.Errorf("avatar %d starts %v from the nearest other one, want 4", o.ID, nearest)
		}
	}
}

func TestCost(t *testing.T) {
	for _, test := range []struct {
		change func(*Config)
		want   world.Time
	}{
		{func(*Config) {}, 7440 * world.Microsecond},
		{func(c *Config) { c.Walls = 50_000 }, 3720 * world.Microsecond},
		{func(c *Config) { c.Cost = 25 * world.Millisecond }, 25 * world.Millisecond},
	} {
		g := newGame(t, test.change)
		g.Do(1, world.Action{Verb: Move})
		if got := world.Time(g.Window.TakeWork()); got < test.want || got > test.want+100 {
			t.Errorf("a move costs %d ns, want %d and little more", got, test.want)
		}
		if got := g.World.Cost(g.State, &world.Action{Verb: world.Enter}); got != 0 {
			t.Errorf("entering costs %d", got)
		}
	}
}

// TestPlayersMoveAtEqualIntervals also checks that they do not all move at once.
func TestPlayersMoveAtEqualIntervals(t *testing.T) {
	g := newGame(t, func(c *Config) { c.Moves = 3 })
	phases := map[int]bool{}
	for i, p := range g.Players {
		u := world.User(i + 1)
		var moved []int
		for tick := range 100 {
			p.Play(world.View{State: g.State, User: u}, func(world.Action) { moved = append(moved, tick) })
		}
		if len(moved) != 3 || moved[1]-moved[0] != 15 || moved[2]-moved[1] != 15 {
			t.Fatalf("user %d moves at ticks %v, want three times, 15 ticks apart", u, moved)
		}
		phases[moved[0]] = true
	}
	if len(phases) < 12 {
		t.Errorf("64 users move at %d different phases of 15", len(phases))
	}
}

func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

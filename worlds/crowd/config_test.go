package crowd

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"speed":   {func(c *Config) { c.Speed, c.Tick = 11*metre, world.Second }},
		"earshot": {func(c *Config) { c.Earshot = c.Sight + 1 }},
	})
}

// TestWorld puts crowds of every mode through the suite, with everything that happens rarely happening often.
func TestWorld(t *testing.T) {
	for _, mode := range []string{modeTown, modeSpread, modeDense} {
		for _, restless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/restless=%v", mode, restless), func(t *testing.T) {
				c := param.Default[Config]()
				c.Walkers, c.Mode, c.Restless = 25, mode, restless
				c.EventLasts, c.EventPause = 10*world.Second, 10*world.Second
				c.ShoutLasts, c.ShoutEvery = 2*world.Second, world.Second
				worldtest.Run(t, worldtest.Make[*town](t, &c))
			})
		}
	}
}

// TestDensity checks how many others walkers see, at the start and after some play, without and with errands.
func TestDensity(t *testing.T) {
	for _, walkers := range []int{500, 5000} {
		for _, restless := range []bool{false, true} {
			t.Run(fmt.Sprintf("spread/walkers=%d/restless=%v", walkers, restless), func(t *testing.T) {
				g := newGame(t, 1, func(c *Config) { c.Mode, c.Walkers, c.Restless = modeSpread, walkers, restless })
				for _, span := range []world.Time{0, 30 * world.Second, 30 * world.Second} {
					g.Play(t, g.ticks(span))
					if n := g.neighbours(); n < 9 || n > 11 {
						t.Errorf("at tick %d, %v others in sight, want 10", g.State.Tick(), n)
					}
				}
			})
		}
		t.Run(fmt.Sprintf("dense/walkers=%d", walkers), func(t *testing.T) {
			g := newGame(t, 1, func(c *Config) { c.Mode, c.Walkers, c.Restless = modeDense, walkers, true })
			g.Play(t, 10)
			if !g.plan.bounds.Max.LenWithin(g.Limits().Sight) {
				t.Errorf("a field of %v is not in sight from a corner of it", g.plan.bounds.Max)
			}
			if walkers == 500 && g.neighbours() != 499 {
				t.Errorf("%v others in sight", g.neighbours())
			}
		})
	}
}

func TestFewWalkersSpreadSeeAll(t *testing.T) {
	for walkers := 1; walkers <= 11; walkers++ {
		g := newGame(t, 1, func(c *Config) { c.Mode, c.Walkers = modeSpread, walkers })
		if n := g.neighbours(); n != float64(walkers-1) {
			t.Errorf("of %d walkers, each sees %v others", walkers, n)
		}
	}
}

func TestTownGrows(t *testing.T) {
	for _, test := range []struct{ walkers, blocks, squares int }{{1, 4, 3}, {500, 8, 12}, {100_000, 113, 2553}} {
		c := param.Default[Config]()
		c.Walkers = test.walkers
		p := c.plan()
		if p.blocks != int64(test.blocks) || len(p.squares) != test.squares {
			t.Errorf("%d walkers live in %d blocks with %d squares, want %v", test.walkers, p.blocks, len(p.squares), test)
		}
		if want := fixed.FromInt(p.blocks*50 + 10); p.bounds.Max.X != want {
			t.Errorf("%d walkers live on %v m, want %v", test.walkers, p.bounds.Max.X, want)
		}
	}
}

package optimistic

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/parts/memo"
	"throng/world"
)

// follow returns a replica and how to move it on by a tick.
func follow(s *mechanism.Session) (*memo.Follower, func()) {
	r := s.Shared.Follow(0, s.Start)
	return r, func() { r.Step(nil, func(w *world.Window, _ []byte) { w.Advance(s.World) }) }
}

// grow takes checkpoints for a number of ticks and calls look after each.
func grow(states int, reach world.Tick, ticks int, look func(c *checkpoints, now world.Tick)) {
	s := session(newStrip(1, 0))
	r, advance := follow(s)
	c := newCheckpoints(states, reach, r)
	for range ticks {
		advance()
		c.add(r)
		look(&c, r.State().Tick())
	}
}

func TestCheckpointsSpanTheHistory(t *testing.T) {
	for _, states := range []int{3, 4, 5, 8, 16, 64} {
		for _, reach := range []world.Tick{1, 20, 500} {
			grow(states, reach, 1600, func(c *checkpoints, now world.Tick) {
				if len(c.states) > states {
					t.Fatalf("%d states of %d at tick %d", len(c.states), states, now)
				}
				if now >= 2*reach && len(c.states) < min(states, int(reach)) {
					t.Fatalf("only %d states of %d at tick %d", len(c.states), states, now)
				}
				if age := now - c.oldest(); age < min(reach, now) || age > 2*reach {
					t.Fatalf("%d states: the oldest is %d of %d ticks old", states, age, reach)
				}
				if c.tick(len(c.states)-1) != now {
					t.Fatalf("%d states: none is of tick %d", states, now)
				}
				for i := range c.states[1:] {
					if c.tick(i) >= c.tick(i+1) {
						t.Fatalf("tick %d before tick %d", c.tick(i), c.tick(i+1))
					}
				}
			})
		}
	}
}

// TestCheckpointsLieDenserWhereYounger holds the spacing to what makes roll-backs cheap: on average, one has to go back not
// much farther than the late action did, whether it was early or very late.
func TestCheckpointsLieDenserWhereYounger(t *testing.T) {
	const reach, ticks = 500, 6000
	ages := []world.Tick{1, 2, 5, 10, 20, 50, 100}
	back := make([]world.Tick, len(ages))
	grow(8, reach, 2*reach+ticks, func(c *checkpoints, now world.Tick) {
		if now <= 2*reach {
			return
		}
		for i, age := range ages {
			back[i] += now - c.tick(c.before(now-age))
		}
	})
	for i, age := range ages {
		if 2*back[i] > 5*age*ticks {
			t.Errorf("an action %d ticks late takes %d steps in %d roll-backs", age, back[i], ticks)
		}
	}
}

func TestCheckpointsAreFoundAndKept(t *testing.T) {
	s := session(newStrip(1, 20))
	r, advance := follow(s)
	c := newCheckpoints(8, 500, r)
	hashes := []uint64{r.State().Hash()}
	for range 200 {
		advance()
		c.add(r)
		hashes = append(hashes, r.State().Hash())
	}
	for _, x := range c.states {
		state := x.State()
		if state.Hash() != hashes[state.Tick()] {
			t.Errorf("the checkpoint of tick %d has changed", state.Tick())
		}
	}
	for tick := world.Tick(0); tick <= 200; tick++ {
		at := c.before(tick)
		if c.tick(at) > tick || at+1 < len(c.states) && c.tick(at+1) <= tick {
			t.Errorf("before tick %d comes tick %d", tick, c.tick(at))
		}
	}
}

package crowd

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func TestPlayersActRarely(t *testing.T) {
	g := newGame(t, 1, func(*Config) {})
	g.Play(t, g.ticks(world.Minute))
	g.Actions = make([]int, len(g.Actions))
	g.Play(t, g.ticks(4*world.Minute))
	perMinute := func(verb world.VerbID) float64 { return float64(g.Actions[verb]) / float64(4*g.Walkers) }
	if n := perMinute(Goto); n < 1 || n > 4 {
		t.Errorf("%v ways a minute", n)
	}
	if n := perMinute(Shout); n < 0.7 || n > 1.4 {
		t.Errorf("%v shouts a minute", n)
	}
	if g.Actions[Walk] != 0 {
		t.Errorf("%d times steered by hand", g.Actions[Walk])
	}
	if g.Score(g.State) < fixed.FromInt(int64(g.Walkers)) {
		t.Errorf("%v errands of %d walkers in five minutes", g.Score(g.State), g.Walkers)
	}
}

func TestRestlessPlayersActTenTimesASecond(t *testing.T) {
	for _, tick := range []world.Time{20 * world.Millisecond, 100 * world.Millisecond} {
		g := newGame(t, 1, func(c *Config) { c.Mode, c.Walkers, c.Restless, c.Tick = modeSpread, 50, true, tick })
		g.Play(t, g.ticks(10*world.Second))
		if want := 50 * 10 * 10; g.Actions[Walk] != want || g.Actions[Goto]+g.Actions[Shout] != 0 {
			t.Errorf("ticks of %v: actions %v, want %d times walk", tick, g.Actions, want)
		}
		for u := world.User(1); u <= 50; u++ {
			if g.walker(u).Attr[attrDoing] != walking {
				t.Errorf("walker %d is not on the move", u)
			}
		}
	}
}

// TestPlayersCopeWithWhatTheySee lets users play who are not there, or who see nothing but themselves.
func TestPlayersCopeWithWhatTheySee(t *testing.T) {
	g := newGame(t, 1, func(c *Config) { c.Walkers = 1 })
	alone := world.NewState(g.Schema(), 1)
	alone.Put(*g.walker(1))
	for u, want := range map[world.User]bool{1: true, 2: false} {
		p := g.Player(u, random.New(1, "test"))
		acted := false
		for range g.ticks(settleMax) + 1 {
			p.Play(world.View{State: alone, User: u}, func(a world.Action) {
				if err := g.schema.CheckAction(&a); err != nil {
					t.Error(err)
				}
				acted = true
			})
			alone.SetTick(alone.Tick() + 1)
		}
		if acted != want {
			t.Errorf("user %d acted: %v", u, acted)
		}
	}
}

func TestRemarksFit(t *testing.T) {
	for event, choice := range remarks {
		if len(choice) == 0 {
			t.Errorf("nothing to say about event %d", event)
		}
		for _, remark := range choice {
			if said(remark) != remark {
				t.Errorf("%q is heard as %q", remark, said(remark))
			}
		}
	}
}

// Those who are called to a place come, stay for as long as they were called, and then go about their lives again.
func TestPlayersGatherWhereTheyAreCalled(t *testing.T) {
	for _, restless := range []bool{false, true} {
		g := newGame(t, 1, func(c *Config) { c.Walkers, c.Restless = 30, restless })
		g.Play(t, g.ticks(10*world.Second))
		square := g.plan.bounds.Centre()
		near := func() (n int) {
			for u := world.User(1); u <= g.Users(); u++ {
				if g.walker(u).Pos.Dist(square) <= 2*ringMax {
					n++
				}
			}
			return n
		}
		before := near()
		until := g.State.Tick() + world.TicksIn(4*world.Minute, g.Tick)
		for _, p := range g.Players {
			p.(world.Gatherer).Gather(square, until)
		}
		g.Play(t, g.ticks(4*world.Minute))
		if there := near(); before > 10 || there < 25 {
			t.Errorf("restless %v: of 30 walkers %d were near the square before and %d are now", restless, before, there)
		}
		g.Play(t, g.ticks(4*world.Minute))
		if left := near(); left > 20 {
			t.Errorf("restless %v: %d walkers are still there", restless, left)
		}
	}
}

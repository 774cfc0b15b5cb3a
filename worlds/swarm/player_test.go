package swarm

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// TestPlay checks that eight users who see everything as it is play sensibly: they stay around the queen, crash now and
// then, and act about 1.4 times a second.
func TestPlay(t *testing.T) {
	const seconds = 600
	for seed := uint64(1); seed <= 3; seed++ {
		g := newGame(t, 8, seed)
		crashes, was := int64(0), [9]int64{}
		for range seconds * 20 {
			g.Play(t, 1)
			for u := world.User(1); u <= 8; u++ {
				dead := g.State.Get(beeOf(u)).Attr[attrDead]
				crashes += dead &^ was[u]
				was[u] = dead
			}
		}
		perBee := func(n int64) fixed.F { return fixed.Ratio(n, 8*seconds) }
		actions, honey := perBee(int64(g.Actions[Steer])), g.World.Score(g.State).DivInt(8*seconds)
		perMinute := perBee(60 * crashes)
		t.Logf("seed %d: for each bee, %v actions/s, %v honey/s, %v crashes/min", seed, actions, honey, perMinute)
		if actions < fixed.Ratio(12, 10) || actions > fixed.Ratio(16, 10) {
			t.Errorf("seed %d: %v actions/s", seed, actions)
		}
		if honey < 6*fixed.One || perMinute < fixed.One/4 || perMinute > 3*fixed.One {
			t.Errorf("seed %d: %v honey/s, %v crashes/min", seed, honey, perMinute)
		}
	}
}

// TestLearning: a crash widens the margin by a quarter, once; half a minute of peace narrows it again.
func TestLearning(t *testing.T) {
	g := newGame(t, 1, 1)
	p := newPlayer(g.World, 1)
	start := p.margin
	for range 60 {
		p.learn(true)
	}
	if want := start + start/4; p.margin != want {
		t.Errorf("a crash made the margin %v, want %v", p.margin, want)
	}
	for range 600 {
		p.learn(false)
	}
	if low, high := start+start/20, start+start/8; p.margin < low || p.margin > high {
		t.Errorf("after half a minute the margin is %v, want %v to %v", p.margin, low, high)
	}
	for range 100 {
		p.learn(false)
		p.learn(true)
	}
	if p.margin > marginMax {
		t.Errorf("the margin grew to %v", p.margin)
	}
	for range 200000 {
		p.learn(false)
	}
	if p.margin != marginMin {
		t.Errorf("the margin shrank to %v", p.margin)
	}
}

// TestForesee checks that under lag a user knows where its own bee will be when an action takes effect, as long as the bee
// meets nobody.
func TestForesee(t *testing.T) {
	const lag = 6
	g := newGame(t, 1, 2)
	g.Lag = lag
	p := g.Players[0].(*player)
	expected := map[world.Tick]world.Object{}
	crashed, compared := world.Tick(-1), 0
	for range 2000 {
		now := g.State.Tick()
		me := *g.State.Get(beeOf(1))
		if me.Attr[attrDead] != 0 {
			crashed = now
		}
		if want, ok := expected[now]; ok && now > crashed+2*lag {
			compared++
			if want.Pos != me.Pos || want.Vel != me.Vel {
				t.Fatalf("at tick %d the bee is at %v, expected at %v", now, me.Pos, want.Pos)
			}
		}
		g.Play(t, 1)
		then := me
		p.foresee(&then, now, now+lag)
		expected[now+lag] = then
	}
	if compared < 1000 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestWish checks the directions in which a user wants to go.
func TestWish(t *testing.T) {
	for _, c := range []struct {
		name      string
		me, vel   fixed.Vec
		other     fixed.Vec
		queen     fixed.Vec
		right, up int // the signs of the wish, 2 for whatever
	}{
		{"towards a queen far away", vec(200, 300), vec(0, 0), vec(100, 550), vec(600, 300), 1, 0},
		{"away from a queen too close", vec(200, 300), vec(0, 0), vec(100, 550), vec(240, 300), -1, 0},
		{"braking in time", vec(450, 300), vec(200, 0), vec(100, 550), vec(600, 300), -1, 0},
		{"away from a bee too close", vec(300, 300), vec(0, 0), vec(300, 270), vec(300, 360), 0, 2},
		{"away from a wall ahead", vec(60, 300), vec(-150, 0), vec(400, 550), vec(60, 340), 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newDuel(t)
			me := g.bee(1)
			me.Pos, me.Vel = c.me, c.vel
			g.bee(2).Pos = c.other
			g.State.Edit(queen).Pos = c.queen
			p := newPlayer(g.World, 1)
			wish := p.wish(g.State, me, 0)
			if c.right != 2 && wish.X.Sign() != c.right || c.up != 2 && wish.Y.Sign() != c.up {
				t.Errorf("the wish is %v", wish)
			}
			if !wish.LenWithin(g.World.Acceleration) {
				t.Errorf("the wish is %v long", wish.Len())
			}
		})
	}
}

// TestDeadUsersAreSilent: while the bee is dead its user does nothing, but with lag it acts so that the bee obeys as soon
// as it wakes.
func TestDeadUsersAreSilent(t *testing.T) {
	for _, lag := range []world.Tick{0, 4} {
		g := newDuel(t)
		o := g.bee(1)
		o.Attr[attrDead], o.Attr[attrWakes] = 1, 31
		p := newPlayer(g.World, 1)
		acted := world.Tick(-1)
		for acted < 0 && g.State.Tick() < 100 {
			v := world.View{State: g.State, User: 1, Lag: world.Time(lag) * g.World.Tick}
			p.Play(v, func(world.Action) { acted = g.State.Tick() })
			g.Wait(1)
		}
		if want := 31 - lag; acted != want {
			t.Errorf("with a lag of %d ticks the user acted at tick %d, want %d", lag, acted, want)
		}
	}
}

// TestFingerprint pins down the outcome of a minute of play: the same on every processor. A change of the rules or the
// players changes it.
func TestFingerprint(t *testing.T) {
	for bees, want := range map[int]uint64{8: 0x515f5155620a65c, 200: 0xf4e62d9f71fcd8d6} {
		g := newGame(t, bees, 1)
		g.Play(t, 1200)
		if got := g.State.Hash(); got != want {
			t.Errorf("%d bees: the hash is %#x, want %#x", bees, got, want)
		}
	}
}

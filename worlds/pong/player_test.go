package pong

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// TestPlay checks that users who see everything as it is have rallies worth the name, and lose points in the end.
func TestPlay(t *testing.T) {
	const seconds = 2000
	for seed := uint64(1); seed <= 3; seed++ {
		g := newGame(t, seed)
		strokes := 0
		for range seconds * 20 {
			before := *g.ball()
			g.Play(t, 1)
			if after := g.ball(); after.Attr == before.Attr && catcher(after) != catcher(&before) {
				strokes++
			}
		}
		points := g.World.Score(g.State).Floor()
		t.Logf("seed %d: %v points/s, %v strokes a point, %v actions/s for each user", seed,
			fixed.Ratio(points, seconds), fixed.Ratio(int64(strokes), points), fixed.Ratio(int64(g.Actions[Move]), 2*seconds))
		if points < seconds/100 || points > seconds/10 {
			t.Errorf("seed %d: %d points in %d s", seed, points, seconds)
		}
		if g.points(1) < points/4 || g.points(2) < points/4 {
			t.Errorf("seed %d: %d to %d", seed, g.points(1), g.points(2))
		}
	}
}

// aimless returns a player that always meets the ball with the racket's middle.
func aimless(c *court, u world.User) *player {
	p := newPlayer(c, u, random.Stream{})
	p.coming = true
	return p
}

// TestGoal: the racket is sent where the ball would cross its line if there were no walls.
func TestGoal(t *testing.T) {
	for _, c := range []struct {
		name     string
		pos, vel fixed.Vec
		lag      world.Time
		want     int64 // -1 for no action
	}{
		{"straight", vec(314, 300), vec(300, 0), 0, 300},
		{"aslant", vec(314, 200), vec(300, 100), 0, 300},
		{"through a wall, as far as it can", vec(314, 400), vec(300, 200), 0, 440},
		{"where it already is", vec(314, 241), vec(300, 0), 0, -1},
		{"while the ball flies away", vec(314, 300), vec(-300, 0), 0, -1},
		{"past it", vec(620, 300), vec(300, 0), 0, -1},
		{"a bounce before the action takes effect", vec(314, 454), vec(300, 100), 400 * world.Millisecond, 394},
		{"past it before the action takes effect", vec(600, 300), vec(300, 0), 100 * world.Millisecond, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, 1)
			g.ball().Pos, g.ball().Vel = c.pos, c.vel
			got := int64(-1)
			aimless(g.World, 2).Play(world.View{State: g.State, User: 2, Lag: c.lag}, func(a world.Action) { got = a.Args[0] })
			if got != c.want {
				t.Errorf("the racket is sent to %d, want %d", got, c.want)
			}
		})
	}
}

// TestReadjust counts the actions that one approach with one bounce takes: two, whatever the lag.
func TestReadjust(t *testing.T) {
	for _, lag := range []world.Tick{0, 3} {
		g := newGame(t, 1)
		g.Lag = lag
		g.Players = []world.Player{aimless(g.World, 1), aimless(g.World, 2)}
		g.ball().Pos, g.ball().Vel = vec(100, 300), vec(300, 150)
		for catcher(g.ball()) == 2 {
			g.Play(t, 1)
		}
		if g.Actions[Move] != 2 {
			t.Errorf("with a lag of %d ticks it took %d actions", lag, g.Actions[Move])
		}
		if g.points(1) != 0 {
			t.Error("and still the ball was lost")
		}
	}
}

// TestAim: users miss the racket's middle by up to a quarter of its length, anew each time.
func TestAim(t *testing.T) {
	g := newGame(t, 1)
	p := newPlayer(g.World, 2, random.New(1, "aim"))
	seen := map[fixed.F]bool{}
	for range 50 {
		for _, vx := range []int64{-300, 300} {
			g.ball().Vel = vec(vx, 0)
			p.Play(world.View{State: g.State, User: 2}, func(world.Action) {})
		}
		if p.aim.Abs() > g.World.Racket/4 {
			t.Fatalf("the aim is off by %v", p.aim)
		}
		seen[p.aim] = true
	}
	if len(seen) < 40 {
		t.Errorf("only %d different aims", len(seen))
	}
}

// TestFingerprint pins down the outcome of ten minutes of play: the same on every processor. A change of the rules or the
// players changes it.
func TestFingerprint(t *testing.T) {
	g := newGame(t, 1)
	g.Play(t, 12000)
	const want uint64 = 0xa0634f81edcf3cd9
	if got := g.State.Hash(); got != want {
		t.Errorf("the hash is %#x, want %#x", got, want)
	}
}

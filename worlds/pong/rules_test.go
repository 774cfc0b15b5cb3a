package pong

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// TestStrokes sends the ball at the right racket, which stands at 240 with its middle third from 226.7 to 253.3, and
// compares with what follows by hand. The ball touches the racket at 614. Angles count from the way out, upwards (to
// smaller y) negative.
func TestStrokes(t *testing.T) {
	for _, c := range []struct {
		name  string
		y     int64
		slope int64 // degrees at which the ball comes in
		want  int64 // degrees at which it goes out
		lost  bool
	}{
		{"straight at the middle", 240, 0, 0, false},
		{"aslant at the middle", 240, 30, 30, false},
		{"at the upper end of the middle third", 227, 0, 0, false},
		{"at the lower end of the middle third", 253, 0, 0, false},
		{"at the upper third", 226, 0, -20, false},
		{"at the lower third", 254, 0, 20, false},
		{"aslant at the upper third", 210, 30, 10, false},
		{"aslant at the lower third", 270, 30, 50, false},
		{"no steeper than allowed", 270, 50, 60, false},
		{"no steeper than allowed, upwards", 210, -50, -60, false},
		{"the ball's edge touches the upper end", 195, 0, -20, false},
		{"the ball's edge touches the lower end", 285, 0, 20, false},
		{"above", 193, 0, 0, true},
		{"below", 287, 0, 0, true},
	} {
		for _, user := range []world.User{1, 2} { // the left racket does the same
			t.Run(c.name, func(t *testing.T) {
				g := newGame(t, 1)
				o := g.ball()
				o.Vel = fixed.Polar(400*px, fixed.Degrees(c.slope))
				// Half a tick before it touches the racket.
				o.Pos = fixed.Vec{X: 614 * px, Y: fixed.FromInt(c.y)}.Sub(o.Vel.Scale(fixed.Ratio(1, 40)))
				if user == 1 {
					o.Pos.X, o.Vel.X = 640*px-o.Pos.X, -o.Vel.X
				}
				g.Wait(1)
				o = g.ball()
				if went := catcher(o) == user; went != c.lost {
					t.Fatalf("the ball got past: %v, want %v", went, c.lost)
				}
				if c.lost {
					return
				}
				want := fixed.Polar(420*px, fixed.Degrees(c.want))
				pos := fixed.Vec{X: 614*px - want.X.DivInt(40), Y: fixed.FromInt(c.y) + want.Y.DivInt(40)}
				if want.X = -want.X; user == 1 {
					want.X, pos.X = -want.X, 640*px-pos.X
				}
				near(t, "the velocity", o.Vel, want)
				near(t, "the place", o.Pos, pos)
			})
		}
	}
}

// TestGain: every stroke makes the ball 5% faster, up to the top.
func TestGain(t *testing.T) {
	g := newGame(t, 1)
	g.place(1, 240*px)
	g.place(2, 240*px)
	g.ball().Vel = vec(250, 0)
	want, strokes := 250*px, 0
	for range 20 * 120 {
		before := g.ball().Vel.X
		g.Wait(1)
		if after := g.ball().Vel.X; after.Sign() != before.Sign() {
			strokes++
			want = min(want.Mul(g.World.Gain), g.World.Top)
			if (after.Abs() - want).Abs() > px/100 {
				t.Fatalf("after %d strokes the ball's speed is %v, want %v", strokes, after.Abs(), want)
			}
		}
	}
	if want != g.World.Top {
		t.Errorf("%d strokes were too few to reach the top", strokes)
	}
}

// TestNoTunnelling sends balls of all speeds and slopes at a racket that covers the whole line, from places all over a
// tick's way: none may get through. And at no racket at all: none may come back.
func TestNoTunnelling(t *testing.T) {
	c := param.Default[Config]()
	c.Racket = c.Height - px
	r := random.New(1, "tunnel")
	for range 3000 {
		user := world.User(1 + r.Below(2))
		pos := fixed.Vec{X: r.Between(c.Width-150*px, c.Width-27*px), Y: r.Between(c.Radius, c.Height-c.Radius)}
		vel := fixed.Polar(r.Between(50*px, c.Top), fixed.Degrees(int64(r.Below(121))-60))
		if user == 1 {
			pos.X, vel.X = c.Width-pos.X, -vel.X
		}
		g := newGameOf(t, c, 1)
		g.ball().Pos, g.ball().Vel = pos, vel
		for range 100 {
			if g.Wait(1); catcher(g.ball()) != user {
				break
			}
		}
		if g.points(opponent(user)) != 0 || catcher(g.ball()) == user {
			t.Fatalf("the ball from %v at %v got through", pos, vel)
		}

		g = newGameOf(t, c, 1)
		g.State.Remove(racketOf(user))
		g.ball().Pos, g.ball().Vel = pos, vel
		for range 100 {
			if g.Wait(1); g.points(opponent(user)) != 0 {
				break
			}
		}
		if g.points(opponent(user)) != 1 {
			t.Fatalf("the ball from %v at %v came back from nowhere", pos, vel)
		}
	}
}

// TestRacketOnItsWay: what counts is where the racket is at the very moment.
func TestRacketOnItsWay(t *testing.T) {
	for _, c := range []struct {
		name  string
		y     int64
		speed int64
		lost  bool
	}{
		// The racket starts at 240 and moves down at 300 px/s; the ball at 290 needs a racket at 244 or below.
		{"the racket has come 7.5 px after half a tick", 290, 400, false},
		{"the racket has come 3 px after a fifth of a tick", 290, 1000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, 1)
			g.move(2, 400)
			g.ball().Pos, g.ball().Vel = vec(604, c.y), vec(c.speed, 0)
			g.Wait(1)
			if lost := catcher(g.ball()) == 2; lost != c.lost {
				t.Errorf("the ball got past: %v, want %v", lost, c.lost)
			}
		})
	}
}

// TestPoint follows a ball that nobody catches: a point for the opponent, and a new ball from the middle.
func TestPoint(t *testing.T) {
	for _, user := range []world.User{1, 2} {
		g := newGame(t, 1)
		g.place(user, 400*px)
		g.ball().Pos, g.ball().Vel = vec(320, 100), vec(400, 0)
		if user == 1 {
			g.ball().Vel.X = -400 * px
		}
		g.Wait(15) // 300 px
		if g.points(1)+g.points(2) != 0 {
			t.Fatal("a point before the line")
		}
		g.Wait(1) // 320 px, and a little more since 0.05 s is rounded up
		if g.points(opponent(user)) != 1 || g.points(user) != 0 {
			t.Errorf("the points are %d to %d", g.points(1), g.points(2))
		}
		if got := g.World.Score(g.State); got != fixed.One {
			t.Errorf("the score is %v", got)
		}
		o := g.ball()
		near(t, "the new ball's place", o.Pos, vec(320, 240))
		if speed := o.Vel.Len(); (speed - g.World.Serve).Abs() > px/100 {
			t.Errorf("the new ball's speed is %v", speed)
		}
	}
}

// TestToss: balls are tossed to both sides and at all slopes up to 45°.
func TestToss(t *testing.T) {
	var sides [3]int
	var steepest fixed.F
	for seed := range uint64(400) {
		g := newGame(t, seed)
		v := g.ball().Vel
		sides[catcher(g.ball())]++
		slope := v.Y.Div(v.X).Abs()
		if steepest = max(steepest, slope); slope > fixed.One+fixed.One/1000 {
			t.Fatalf("a ball is tossed in at %v", v)
		}
	}
	if sides[1] < 150 || sides[2] < 150 {
		t.Errorf("%d to the left, %d to the right", sides[1], sides[2])
	}
	if steepest < fixed.One*9/10 {
		t.Errorf("the steepest is %v", steepest)
	}
}

func TestWalls(t *testing.T) {
	for _, c := range []struct {
		name                         string
		pos, vel, posAfter, velAfter fixed.Vec
	}{
		{"top", vec(300, 16), vec(100, -400), vec(305, 16), vec(100, 400)},
		{"bottom", vec(300, 464), vec(-100, 400), vec(295, 464), vec(-100, -400)},
		{"neither", vec(300, 100), vec(-100, 400), vec(295, 120), vec(-100, 400)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, 1)
			g.ball().Pos, g.ball().Vel = c.pos, c.vel
			g.Wait(1)
			near(t, "the place", g.ball().Pos, c.posAfter)
			near(t, "the velocity", g.ball().Vel, c.velAfter)
		})
	}
}

func TestMove(t *testing.T) {
	for _, c := range []struct {
		name  string
		y     int64
		ticks int
		want  int64
	}{
		{"on its way down", 400, 4, 300},
		{"on its way up", 100, 4, 180},
		{"there", 250, 4, 250},
		{"not into the wall", 480, 40, 440},
		{"not into the other wall", 0, 40, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, 1)
			g.ball().Vel = vec(1, 0) // out of the way
			g.move(1, c.y)
			g.Wait(c.ticks)
			near(t, "the racket", g.racket(1).Pos, vec(20, c.want))
			near(t, "the other racket", g.racket(2).Pos, vec(620, 240))
		})
	}
}

func TestStrangers(t *testing.T) {
	g := newGame(t, 1)
	before := g.State.Hash()
	for _, u := range []world.User{0, 3, 4, 1 << 31} {
		g.move(u, 100)
		var f world.Footprint
		if g.World.Reach(g.State, &world.Action{User: u}, &f); len(f.Reads)+len(f.Writes) > 0 {
			t.Errorf("user %d reaches %v", u, f)
		}
	}
	if g.State.Hash() != before {
		t.Error("somebody without a racket changed the world")
	}
}

// TestAnswers follows a game: the ball always belongs to the user it flies away from, the points to the opponent.
func TestAnswers(t *testing.T) {
	g := newGame(t, 3)
	var held [3]int
	for range 2000 {
		g.Play(t, 1)
		want := world.User(1) // for a ball that flies to the right
		if g.ball().Vel.X < 0 {
			want = 2
		}
		if got := world.Answers(g.World, g.State, g.ball()); got != want {
			t.Fatalf("%d answers for a ball that flies %v", got, g.ball().Vel)
		}
		held[want]++
	}
	if held[1] < 500 || held[2] < 500 {
		t.Errorf("the users held the ball for %d and %d ticks", held[1], held[2])
	}
	for u := world.User(1); u <= users; u++ {
		if got := world.Answers(g.World, g.State, g.racket(u)); got != u {
			t.Errorf("%d answers for racket %d", got, u)
		}
		if got := world.Answers(g.World, g.State, g.State.Get(scoreOf(u))); got != opponent(u) {
			t.Errorf("%d answers for the points of %d", got, u)
		}
	}
}

// TestSharedPoint plays a point in two windows, of which each may change only what its user answers for: the user the ball
// flies away from decides that it was lost, and the loser then counts the point.
func TestSharedPoint(t *testing.T) {
	g := newGame(t, 1)
	g.place(2, 400*px)
	g.ball().Pos, g.ball().Vel = vec(610, 100), vec(400, 0)
	other := g.State.Clone()
	window := world.NewWindow(other)
	answeredBy := func(u world.User, s *world.State) func(*world.Object) bool {
		return func(o *world.Object) bool { return world.Answers(g.World, s, o) == u }
	}
	g.Window.Restrict(answeredBy(1, g.State))
	window.Restrict(answeredBy(2, other))
	for range 3 {
		g.Window.Advance(g.World)
		window.Advance(g.World)
	}
	if g.points(1) != 0 {
		t.Error("the scorer counted its own point")
	}
	if got := *other.Get(ball); got.Pos != vec(610, 100) {
		t.Errorf("the catcher moved the ball to %v", got.Pos)
	}
	other.Put(*g.State.Get(ball)) // the ball's new state arrives
	window.Look(other)
	window.Advance(g.World)
	if got := other.Get(scoreOf(1)).Attr[attrPoints]; got != 1 {
		t.Errorf("the loser counts %d points", got)
	}
}

// TestExtrapolate checks that until the ball reaches a racket's line everything is where it was expected to be.
func TestExtrapolate(t *testing.T) {
	r := random.New(5, "extrapolate")
	for range 100 {
		g := newGame(t, r.Uint64())
		g.ball().Vel = fixed.Polar(r.Between(100*px, 400*px), fixed.Degrees(int64(r.Below(161))-80))
		g.ball().Pos.Y = r.Between(6*px, 474*px)
		g.move(1, int64(r.Below(481)))
		ticks := 1 + r.Below(12)
		ballGuess, racketGuess := *g.ball(), *g.racket(1)
		g.World.Extrapolate(&ballGuess, world.Time(ticks)*g.World.Tick)
		g.World.Extrapolate(&racketGuess, world.Time(ticks)*g.World.Tick)
		g.Wait(int(ticks))
		near(t, "the ball", g.ball().Pos, ballGuess.Pos)
		near(t, "the ball's velocity", g.ball().Vel, ballGuess.Vel)
		near(t, "the racket", g.racket(1).Pos, racketGuess.Pos)
	}
}

// TestExtrapolateFar: the guess never leaves the court, however far it looks.
func TestExtrapolateFar(t *testing.T) {
	r := random.New(6, "far")
	for range 1000 {
		g := newGame(t, 1)
		o := *g.ball()
		o.Vel = fixed.Polar(r.Between(0, 1000*px), r.Angle())
		g.World.Extrapolate(&o, world.Time(r.Below(uint64(world.Minute))))
		if !g.World.schema.Bounds.Contains(o.Pos) {
			t.Fatalf("the ball is expected at %v", o.Pos)
		}
	}
	score := world.Object{ID: scoreOf(1), Kind: kindScore, Attr: [world.MaxAttributes]int64{3}}
	same := score
	if newGame(t, 1).World.Extrapolate(&score, world.Second); score != same {
		t.Error("points were extrapolated")
	}
}

package pong

import (
	"testing"

	"throng/world"
)

// Under lag a user sends its racket to where the ball will cross from where it will be when the action takes effect, and does not send it
// again while it may not know yet.
func TestUsersPlanAheadUnderLag(t *testing.T) {
	g := newGame(t, 2)
	differs := 0
	for range 400 {
		g.Play(t, 1)
		lag := 6 * g.World.Tick
		then := g.State.Clone()
		g.World.Extrapolate(then.Edit(ball), lag)
		goal := func(s *world.State, lag world.Time) (y int64) {
			aimless(g.World, 1).Play(world.View{State: s, User: 1, Lag: lag}, func(a world.Action) { y = a.Args[0] })
			return y
		}
		now, later := goal(g.State, lag), goal(then, 0)
		if now != later {
			t.Fatalf("under lag the racket goes to %d, and to %d when the ball has come", now, later)
		}
		if now != goal(g.State, 0) {
			differs++
		}
	}
	if differs < 20 {
		t.Errorf("in %d of 400 cases does lag make a difference, so nothing is shown", differs)
	}
}

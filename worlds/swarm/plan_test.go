package swarm

import (
	"testing"

	"throng/world"
)

// A user learns while it plays: from what it sees of its own bee.
func TestUsersLearnWhilePlaying(t *testing.T) {
	g := newGame(t, 2, 1)
	p := newPlayer(g.World, 1)
	view := func(dead int64) world.View {
		s := g.State.Clone()
		s.Edit(beeOf(1)).Attr[attrDead] = dead
		return world.View{State: s, User: 1}
	}
	p.Play(view(0), func(world.Action) {})
	if p.margin >= marginStart {
		t.Errorf("all is well, and the margin is %v", p.margin)
	}
	p.Play(view(1), func(world.Action) {})
	if p.margin <= marginStart {
		t.Errorf("the bee has crashed, and the margin is %v", p.margin)
	}
}

// planned is what a user who has told its bee nothing yet does at the sight of something; nothing at all is zero.
func planned(g *game, s *world.State, lag world.Time) (a world.Action) {
	newPlayer(g.World, 1).Play(world.View{State: s, User: 1, Lag: lag}, func(x world.Action) { a = x })
	return a
}

// Under lag a user does what it would do without, were everything already where it will be when the action takes effect.
func TestUsersPlanAheadUnderLag(t *testing.T) {
	g := newGame(t, 4, 3)
	g.Play(t, 200)
	differs := 0
	for range 100 {
		g.Play(t, 1)
		const ticks = 8
		lag := ticks * g.World.Tick
		then := g.State.Clone()
		for id := queen; id <= beeOf(4); id++ {
			o := then.Edit(id)
			if id != beeOf(1) {
				g.World.Extrapolate(o, lag)
				continue
			}
			for k := range world.Tick(ticks) {
				g.World.wake(o, g.State.Tick()+k)
				g.World.gain(o)
				g.World.fly(o)
			}
		}
		now, later := planned(g, g.State, lag), planned(g, then, 0)
		if now.Args != later.Args {
			t.Fatalf("under lag it steers to %v, and to %v when things have come about", now.Args, later.Args)
		}
		if now.Args != planned(g, g.State, 0).Args {
			differs++
		}
	}
	if differs < 20 {
		t.Errorf("in %d of 100 cases does lag make a difference, so nothing is shown", differs)
	}
}

package crowd

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// newStreetScene is a small town with two users: one in the middle of a street, one on a square.
func newStreetScene(t testing.TB) *game {
	g := newGame(t, 1, func(c *Config) { c.Walkers = 2 })
	for u, pos := range map[world.User]fixed.Vec{1: at(5, 30), 2: at(80, 80)} {
		o := g.State.Edit(walkerOf(u))
		o.Pos = pos
		o.Attr[attrLook], o.Attr[attrFaces] = 0, 0
	}
	return g
}

func (g *game) walk(u world.User, vx, vy int64) {
	g.Do(u, world.Action{Verb: Walk, Args: [world.MaxArgs]int64{vx, vy}})
}

func (g *game) say(u world.User, text string) { g.Do(u, Say(text)) }

// heard returns what a user's shout says, if there is one.
func (g *game) heard(u world.User) string {
	if o := g.State.Get(shoutOf(u)); o != nil {
		return Said(o)
	}
	return ""
}

func TestWalk(t *testing.T) {
	g := newStreetScene(t)
	g.walk(1, 0, 150)
	g.Wait(20)
	if got := g.walker(1); !got.Pos.Within(at(5, 33), metre/1000) || got.Attr[attrDoing] != walking {
		t.Errorf("after 2 s at 1.5 m/s: %+v", got)
	}
	g.walk(1, 0, 0)
	before := g.walker(1).Pos
	g.Wait(5)
	if got := g.walker(1); got.Pos != before || got.Vel != (fixed.Vec{}) || got.Attr[attrDoing] != standing {
		t.Errorf("after stopping: %+v", got)
	}
	if got := fixed.Angle(g.walker(1).Attr[attrFaces]); got != fixed.QuarterTurn {
		t.Errorf("looks to %v, having walked along y", got)
	}
	g.walk(1, 200, 200)
	if got := g.walker(1).Vel.Len(); got > g.Speed || got < g.Speed-metre/1000 {
		t.Errorf("walks at %v, told to at more than %v", got, g.Speed)
	}
	if got := g.walker(2); got.Pos != at(80, 80) {
		t.Errorf("somebody else moved to %v", got.Pos)
	}
}

func TestWallsHoldWalkersBack(t *testing.T) {
	g := newStreetScene(t)
	g.walk(1, 100, 50)
	g.Wait(60)
	if got := g.walker(1); got.Pos.X > at(10, 0).X || got.Vel.X != 0 || got.Vel.Y <= 0 {
		t.Errorf("along the wall: %+v", got)
	}
	g.walk(1, 200, 0)
	g.Wait(10)
	if got := g.walker(1); got.Attr[attrDoing] != standing || got.Vel != (fixed.Vec{}) {
		t.Errorf("against the wall: %+v", got)
	}
}

func TestGoto(t *testing.T) {
	g := newStreetScene(t)
	// Around the house at the corner: 15 m to the crossing with the street along x at 50 m, 50 m along that, and
	// from there straight to the middle of the square.
	goal := at(80, 80)
	g.Do(1, visit(goal))
	ticks := 0
	for ; g.walker(1).Attr[attrDoing] != standing; ticks++ {
		if ticks == 2000 {
			t.Fatalf("never arrives: %+v", g.walker(1))
		}
		if inHouse(&g.plan, g.walker(1).Pos) {
			t.Fatalf("goes through a house at %v", g.walker(1).Pos)
		}
		g.Wait(1)
	}
	if got := g.walker(1); got.Pos != goal || got.Attr[attrErrands] != 1 {
		t.Errorf("arrived: %+v", got)
	}
	// The least and the most that the way can be, at the pace of this walker: 1.5 m/s.
	if least, most := g.ticks(60*world.Second), g.ticks(85*world.Second); ticks < least || ticks > most {
		t.Errorf("arrived after %d ticks, want %d to %d", ticks, least, most)
	}
	if g.Score(g.State) != fixed.One {
		t.Errorf("score %v", g.Score(g.State))
	}
}

func TestGotoInsideAHouseEndsAtItsWall(t *testing.T) {
	g := newStreetScene(t)
	g.Do(1, visit(at(14, 30)))
	g.Wait(100)
	if got, want := g.walker(1).Pos, (fixed.Vec{X: 10*metre - kerb, Y: 30 * metre}); got != want {
		t.Errorf("ends at %v, want %v", got, want)
	}
	if n := g.walker(1).Attr[attrErrands]; n != 0 {
		t.Errorf("a few steps count as %d errands", n)
	}
	before := g.State.Clone()
	g.Do(1, visit(g.walker(1).Pos))
	if got := g.walker(1); got.Attr[attrDoing] != standing || got.Pos != before.Get(1).Pos {
		t.Errorf("going where one is: %+v", got)
	}
}

func TestWalkingEndsAnErrand(t *testing.T) {
	g := newStreetScene(t)
	g.Do(1, visit(at(80, 80)))
	g.Wait(10)
	g.walk(1, 0, 0)
	before := g.walker(1).Pos
	g.Wait(1000)
	if got := g.walker(1); got.Pos != before || got.Attr[attrErrands] != 0 {
		t.Errorf("an errand given up: %+v", got)
	}
}

func TestShoutsFade(t *testing.T) {
	g := newStreetScene(t)
	g.say(1, "Bravo!")
	shout := g.State.Get(shoutOf(1))
	if shout == nil || Said(shout) != "Bravo!" || shout.User != 1 || shout.Pos != g.walker(1).Pos {
		t.Fatalf("shouted %+v", shout)
	}
	g.Wait(g.ticks(g.ShoutLasts) - 1)
	if g.heard(1) != "Bravo!" {
		t.Error("faded too early")
	}
	g.Wait(1)
	if g.count(kindShout) != 0 {
		t.Error("never fades")
	}
}

func TestShoutsAreLimited(t *testing.T) {
	g := newStreetScene(t)
	g.say(1, "one")
	g.say(1, "two")
	g.say(2, "me too")
	g.Wait(g.ticks(g.ShoutEvery) - 1)
	g.say(1, "three")
	if g.heard(1) != "one" || g.heard(2) != "me too" {
		t.Errorf("heard %q and %q", g.heard(1), g.heard(2))
	}
	g.Wait(1)
	g.say(1, "four")
	if g.heard(1) != "four" || g.count(kindShout) != 2 {
		t.Errorf("heard %q among %d shouts", g.heard(1), g.count(kindShout))
	}
	g.Wait(g.ticks(g.ShoutEvery))
	g.say(1, "")
	if g.heard(1) != "four" || int64(g.State.Tick()) < g.walker(1).Attr[attrQuiet] {
		t.Error("silence was heard, or counted as a shout")
	}
}

// TestManyShoutsFadeAtOnce is about more shouts than are removed in one round, some of which are closed to change.
func TestManyShoutsFadeAtOnce(t *testing.T) {
	g := newGame(t, 1, func(c *Config) { c.Walkers = 300 })
	for u := world.User(1); u <= 300; u++ {
		g.say(u, "now!")
	}
	if n := g.count(kindShout); n != 300 {
		t.Fatalf("%d shouts", n)
	}
	g.Wait(g.ticks(g.ShoutLasts) - 1)
	g.Window.Restrict(func(o *world.Object) bool { return o.User%3 != 0 })
	g.Wait(1)
	for o := range g.State.All() {
		if o.Kind == kindShout && o.User%3 != 0 {
			t.Errorf("the shout of user %d is still there", o.User)
		}
	}
	if n := g.count(kindShout); n != 100 {
		t.Errorf("%d shouts left, want those of the 100 users closed to change", n)
	}
}

func TestEnterAndLeave(t *testing.T) {
	enter, leave := world.Action{Verb: world.Enter}, world.Action{Verb: world.Leave}
	for _, mode := range []string{modeTown, modeSpread, modeDense} {
		t.Run(mode, func(t *testing.T) {
			g := newGame(t, 1, func(c *Config) { c.Walkers, c.Mode = 20, mode })
			before := g.State.Clone()
			g.Do(7, enter)
			g.Do(0, enter)
			g.Do(21, leave)
			if g.State.Hash() != before.Hash() {
				t.Fatal("entering twice or leaving before entering changed something")
			}
			g.Do(1000, enter)
			o := g.walker(1000)
			if o == nil || o.User != 1000 || g.State.Len() != before.Len()+1 {
				t.Fatalf("entered as %+v", o)
			}
			if here := locate(o.Pos); mode == modeTown && !(here.onLot() && g.plan.open(here.block)) {
				t.Errorf("entered at %v, which is not a square", o.Pos)
			}
			g.say(1000, "Here I am")
			g.Do(1000, leave)
			g.Do(1000, leave)
			if g.State.Hash() != before.Hash() {
				t.Error("something is left of somebody who came, spoke and went")
			}
			g.Do(3, leave)
			g.walk(3, 100, 0)
			g.say(3, "Can you hear me?")
			if g.walker(3) != nil || g.State.Len() != before.Len()-1 {
				t.Error("somebody who has left is still about")
			}
		})
	}
}

// TestRestCostsNothing checks that a step in which nobody moves changes nothing, and one in which one walker moves only
// that one.
func TestRestCostsNothing(t *testing.T) {
	g := newGame(t, 1, func(c *Config) { c.EventPause, c.EventLasts = 60*world.Minute, 60*world.Minute })
	for walking := range 2 {
		before := g.State.Clone()
		g.walk(1, 0, 0)
		g.Wait(1)
		changed := 0
		for range world.Diff(before, g.State) {
			changed++
		}
		if changed != walking {
			t.Errorf("%d objects changed while %d walked", changed, walking)
		}
		g.State.Edit(1).Pos = at(5, 5)
		g.Do(1, visit(at(5, 100)))
		g.Wait(1)
	}
}

// TestBounds plays crowds with users who keep still to no rule of politeness and checks that nobody leaves the ground,
// enters a house or is faster than anybody can be.
func TestBounds(t *testing.T) {
	for _, mode := range []string{modeTown, modeSpread, modeDense} {
		for _, restless := range []bool{false, true} {
			g := newGame(t, 3, func(c *Config) { c.Walkers, c.Mode, c.Restless = 100, mode, restless })
			stride := g.Speed.Mul(g.dt) + metre/1000
			before := g.State.Clone()
			for range 600 {
				before.CopyFrom(g.State)
				g.Play(t, 1)
				for c := range world.Diff(before, g.State) {
					if c.New == nil || c.New.Kind != kindWalker {
						continue
					}
					switch o := c.New; {
					case !g.plan.bounds.Contains(o.Pos) || inHouse(&g.plan, o.Pos):
						t.Fatalf("%s: walker %d is at %v", mode, o.ID, o.Pos)
					case !o.Pos.Within(c.Old.Pos, stride) || !o.Vel.LenWithin(g.Speed):
						t.Fatalf("%s: walker %d went from %v to %v at %v", mode, o.ID, c.Old.Pos, o.Pos, o.Vel)
					}
				}
			}
		}
	}
}

func TestExtrapolate(t *testing.T) {
	g := newStreetScene(t)
	g.walk(1, 0, 100)
	o := *g.walker(1)
	g.Extrapolate(&o, 3*world.Second)
	if !o.Pos.Within(at(5, 33), metre/1000) {
		t.Errorf("after 3 s at 1 m/s: %v", o.Pos)
	}
	g.Extrapolate(&o, world.Minute*10)
	if !g.plan.bounds.Contains(o.Pos) {
		t.Errorf("beyond the town at %v", o.Pos)
	}
	still := *g.walker(2)
	g.Extrapolate(&still, world.Minute)
	if still != *g.walker(2) {
		t.Errorf("somebody who stands becomes %+v", still)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, mode := range []string{modeTown, modeSpread, modeDense} {
		g := newGame(t, 1, func(c *Config) { c.Mode, c.Restless = mode, mode != modeTown })
		g.Play(t, 300)
		if n := testing.AllocsPerRun(100, func() { g.Wait(1) }); n != 0 {
			t.Errorf("%s: %v allocations in a step", mode, n)
		}
	}
}

package swarm

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func TestSteer(t *testing.T) {
	for _, c := range []struct {
		name   string
		ax, ay int64
		want   fixed.Vec
	}{
		{"as told", 30, -40, vec(30, -40)},
		{"not at all", 0, 0, vec(0, 0)},
		{"no stronger than wings can", 150, 200, vec(120, 160)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newDuel(t)
			g.steer(1, c.ax, c.ay)
			near(t, "the acceleration", acceleration(g.bee(1)), c.want)
			if got := acceleration(g.bee(2)); got != (fixed.Vec{}) {
				t.Errorf("the other bee accelerates by %v", got)
			}
		})
	}
}

// TestStrangers checks that users without a bee, whose number would name some other object, change nothing.
func TestStrangers(t *testing.T) {
	g := newDuel(t)
	before := g.State.Hash()
	for _, u := range []world.User{0, 3, 4, 5, 1 << 31} {
		g.steer(u, 100, 100)
		var f world.Footprint
		g.World.Reach(g.State, &world.Action{User: u}, &f)
		if len(f.Reads)+len(f.Writes) > 0 {
			t.Errorf("user %d reaches %v", u, f)
		}
	}
	if g.State.Hash() != before {
		t.Error("somebody without a bee changed the world")
	}
}

// TestMotion follows an accelerated bee for a second: after n ticks of 0.05 s its speed is 100·0.05·n, and having moved by
// the new speed in each tick it has come 100·0.05²·n(n+1)/2.
func TestMotion(t *testing.T) {
	g := newDuel(t)
	g.steer(1, 100, 0)
	g.Wait(10)
	near(t, "the velocity", g.bee(1).Vel, vec(50, 0))
	near(t, "the place", g.bee(1).Pos, tenths(1137, 1000).Add(fixed.Vec{X: fixed.Ratio(5, 100)}))
}

func TestSpeedLimit(t *testing.T) {
	g := newDuel(t)
	g.steer(1, 200, 0)
	for range 60 {
		g.Wait(1)
		if v := g.bee(1).Vel; !v.LenWithin(g.World.Speed) {
			t.Fatalf("a bee flies at %v", v)
		}
	}
}

func TestWalls(t *testing.T) {
	for _, c := range []struct {
		name                         string
		pos, vel, posAfter, velAfter fixed.Vec
	}{
		{"left", vec(14, 300), vec(-100, 30), tenths(150, 3015), vec(100, 30)},
		{"right", vec(786, 300), vec(100, 0), vec(785, 300), vec(-100, 0)},
		{"top", vec(300, 14), vec(0, -100), vec(300, 15), vec(0, 100)},
		{"bottom", vec(300, 586), vec(0, 100), vec(300, 585), vec(0, -100)},
		{"corner", vec(14, 586), vec(-100, 100), vec(15, 585), vec(100, -100)},
		{"just not", vec(18, 300), vec(-100, 0), vec(13, 300), vec(-100, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newDuel(t)
			g.bee(1).Pos, g.bee(1).Vel = c.pos, c.vel
			g.Wait(1)
			near(t, "the place", g.bee(1).Pos, c.posAfter)
			near(t, "the velocity", g.bee(1).Vel, c.velAfter)
		})
	}
}

// TestHoney: at most 10 honey a second, falling evenly to none at 400 px.
func TestHoney(t *testing.T) {
	for _, c := range []struct {
		name     string
		distance int64
		want     fixed.F
	}{
		{"touching", 32, fixed.Ratio(46, 100)},
		{"a quarter of the way", 100, fixed.Ratio(375, 1000)},
		{"half way", 200, fixed.Ratio(25, 100)},
		{"at the limit", 400, 0},
		{"beyond", 500, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newDuel(t)
			g.bee(1).Pos = vec(700-c.distance, 300)
			g.Wait(1)
			if got := g.honey(1); (got - c.want).Abs() > fixed.One/10000 {
				t.Errorf("earned %v, want %v", got, c.want)
			}
			if got := g.honey(2); got != 0 {
				t.Errorf("the bee far away earned %v", got)
			}
			if got := g.World.Score(g.State); got != g.honey(1) {
				t.Errorf("the score is %v", got)
			}
		})
	}
}

func TestFullStore(t *testing.T) {
	g := newDuel(t)
	g.bee(1).Pos = vec(650, 300)
	g.State.Edit(g.World.honeyOf(1)).SetFixed(attrHoney, honeyMax-1)
	g.Wait(1)
	if got := g.honey(1); got != honeyMax {
		t.Errorf("the store holds %v", got)
	}
}

// TestDeath follows a bee that hits the queen: dead for three seconds, it neither earns nor obeys, and flies on.
func TestDeath(t *testing.T) {
	g := newDuel(t)
	g.steer(1, 10, 0)
	g.bee(1).Pos, g.bee(1).Vel = vec(667, 300), vec(80, 0)
	g.Wait(1)
	if g.bee(1).Attr[attrDead] != 1 {
		t.Fatal("the bee survived")
	}
	if got := acceleration(g.bee(1)); got != (fixed.Vec{}) {
		t.Errorf("a dead bee accelerates by %v", got)
	}
	near(t, "the queen's velocity", g.State.Get(queen).Vel, fixed.Vec{X: fixed.Ratio(805, 10)})
	g.State.Edit(queen).Vel = fixed.Vec{}
	g.State.Edit(queen).Pos = vec(700, 500)
	g.bee(1).Vel = vec(-40, 0)

	dead := 1
	for ; dead < 100; dead++ {
		g.steer(1, 50, 50)
		if acceleration(g.bee(1)) != (fixed.Vec{}) {
			t.Fatalf("the bee obeyed %d ticks after its death", dead)
		}
		before, x := g.honey(1), g.bee(1).Pos.X
		g.Wait(1)
		if g.bee(1).Attr[attrDead] == 0 {
			break
		}
		if g.honey(1) != before || g.bee(1).Pos.X >= x {
			t.Fatalf("after %d ticks the dead bee has %v honey and is at %v", dead, g.honey(1), g.bee(1).Pos)
		}
	}
	if dead != 60 {
		t.Errorf("the bee was dead for %d ticks, want 60", dead)
	}
	if g.honey(1) == 0 {
		t.Error("the bee that woke up earned nothing")
	}
	if g.steer(1, 50, 50); acceleration(g.bee(1)) != vec(50, 50) {
		t.Error("the bee that woke up does not obey")
	}
}

// TestQueenWanders checks that the queen turns once a second, no faster than she wants to be unless walls come between, and
// gets around.
func TestQueenWanders(t *testing.T) {
	g := newGame(t, 1, 7)
	g.State.Remove(beeOf(1))
	turns, was, free := 0, fixed.Vec{}, true
	start := g.State.Get(queen).Pos
	box := fixed.Box{Min: start, Max: start}
	for range 20 * 300 {
		before := g.State.Get(queen).Vel
		g.Wait(1)
		o := g.State.Get(queen)
		box = box.Union(fixed.Box{Min: o.Pos, Max: o.Pos})
		if now := acceleration(o); now != was {
			turns, was, free = turns+1, now, before.LenWithin(g.World.QueenSpeed+px)
		}
		free = free && before.Within(o.Vel, 15*px) // else she came off a wall
		if free && !o.Vel.LenWithin(g.World.QueenSpeed+px) {
			t.Fatalf("the queen flies at %v", o.Vel)
		}
	}
	if turns != 300 {
		t.Errorf("%d turns in 300 s", turns)
	}
	if size, room := box.Size(), g.World.schema.Bounds.Size(); size.X < room.X/2 || size.Y < room.Y/2 {
		t.Errorf("the queen only saw %v", size)
	}
}

func TestAnswers(t *testing.T) {
	g := newGame(t, 3, 1)
	for u := world.User(1); u <= 3; u++ {
		if got := world.Answers(g.World, g.State, g.bee(u)); got != u {
			t.Errorf("%d answers for bee %d", got, u)
		}
		if got, want := world.Answers(g.World, g.State, g.State.Get(g.World.honeyOf(u))), u%3+1; got != want {
			t.Errorf("%d answers for the honey of bee %d, want %d", got, u, want)
		}
	}
	// The queen is with each of them for 2 s, 40 ticks.
	for tick := range world.Tick(300) {
		g.State.SetTick(tick)
		if got, want := world.Answers(g.World, g.State, g.State.Get(queen)), world.User(1+tick/40%3); got != want {
			t.Fatalf("%d answers for the queen at tick %d, want %d", got, tick, want)
		}
	}
}

// TestExtrapolate checks that a bee that meets nobody is where it was expected to be, walls and all.
func TestExtrapolate(t *testing.T) {
	r := random.New(5, "extrapolate")
	for range 50 {
		g := newDuel(t)
		g.State.Remove(queen)
		g.State.Remove(beeOf(2))
		g.bee(1).Vel = fixed.Polar(r.Between(0, 300*px), r.Angle())
		g.steer(1, int64(r.Below(201))-100, int64(r.Below(201))-100)
		guess := *g.bee(1)
		ticks := 1 + r.Below(60)
		g.World.Extrapolate(&guess, world.Time(ticks)*g.World.Tick)
		g.Wait(int(ticks))
		if guess != *g.bee(1) {
			t.Fatalf("after %d ticks the bee is %+v, expected %+v", ticks, *g.bee(1), guess)
		}
	}
}

func TestExtrapolatePartOfTick(t *testing.T) {
	g := newDuel(t)
	o := *g.bee(1)
	o.Vel = vec(-100, 40)
	g.World.Extrapolate(&o, 25*world.Millisecond)
	near(t, "the place", o.Pos, tenths(975, 1010))
	o.Pos = vec(13, 100)
	g.World.Extrapolate(&o, 25*world.Millisecond)
	near(t, "the place at the wall", o.Pos, vec(12, 101))
	honey := world.Object{ID: 4, Kind: kindHoney, Attr: [world.MaxAttributes]int64{7}}
	same := honey
	if g.World.Extrapolate(&honey, world.Second); honey != same {
		t.Error("honey was extrapolated")
	}
}

// TestPopulate checks, for every size of swarm, that nobody starts in somebody else's place or outside the box.
func TestPopulate(t *testing.T) {
	for _, bees := range []int{1, 2, 3, 5, 8, 16, 100, 1024} {
		g := newGame(t, bees, 1)
		if got, want := g.State.Len(), 1+2*bees; got != want {
			t.Errorf("%d bees make %d objects, want %d", bees, got, want)
		}
		index := world.NewIndex(100 * px)
		index.Sync(g.State)
		for id := queen; id <= beeOf(g.World.users); id++ {
			o := g.State.Get(id)
			radius := g.World.schema.Kinds[o.Kind].Radius
			if !g.World.room[o.Kind].Contains(o.Pos) {
				t.Errorf("of %d bees, object %d starts at %v", bees, id, o.Pos)
			}
			for _, other := range index.Near(o.Pos, radius+g.World.QueenRadius) {
				if other != id && other <= beeOf(g.World.users) {
					t.Errorf("of %d bees, objects %d and %d start too close", bees, id, other)
				}
			}
		}
	}
}

// TestBox checks that the room grows with the bees, from 800 by 600 for eight of them.
func TestBox(t *testing.T) {
	for _, c := range []struct {
		bees int
		want fixed.Vec
	}{{2, vec(400, 300)}, {8, vec(800, 600)}, {32, vec(1600, 1200)}, {128, vec(3200, 2400)}, {10, vec(892, 669)}} {
		g := newGame(t, c.bees, 1)
		if got := g.World.schema.Bounds.Max; got != c.want {
			t.Errorf("%d bees have %v, want %v", c.bees, got, c.want)
		}
	}
}

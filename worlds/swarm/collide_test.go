package swarm

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// tenths writes a vector in tenths of a pixel.
func tenths(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.Ratio(x, 10), Y: fixed.Ratio(y, 10)} }

func near(t *testing.T, what string, got, want fixed.Vec) {
	t.Helper()
	if !got.Within(want, px/1000) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestCollision compares one step of two bees with what follows from equal masses, by hand. A tick is 0.05 s, and two bees
// touch at 24 px.
func TestCollision(t *testing.T) {
	type ball struct{ pos, vel, posAfter, velAfter fixed.Vec }
	for _, c := range []struct {
		name string
		a, b ball
		hit  bool
	}{
		{"head-on: they touch after 0.03 s and exchange their velocities",
			ball{vec(100, 300), vec(100, 0), vec(101, 300), vec(-100, 0)},
			ball{vec(130, 300), vec(-100, 0), vec(129, 300), vec(100, 0)}, true},
		{"a moving one hits a resting one after 0.04 s and comes to rest",
			ball{vec(100, 300), vec(0, 200), vec(100, 308), vec(0, 0)},
			ball{vec(100, 332), vec(0, 0), vec(100, 334), vec(0, 200)}, true},
		{"a faster one catches up with a slower one after 0.02 s",
			ball{vec(100, 300), vec(200, 0), vec(107, 300), vec(100, 0)},
			ball{vec(126, 300), vec(100, 0), vec(134, 300), vec(200, 0)}, true},
		{"oblique: of (100, 0), the part (36, 48) along the line between the centres is passed on after 0.02 s",
			ball{vec(100, 300), vec(100, 0), fixed.Vec{X: fixed.Ratio(10392, 100), Y: fixed.Ratio(29856, 100)}, vec(64, -48)},
			ball{tenths(1164, 3192), vec(0, 0), fixed.Vec{X: fixed.Ratio(11748, 100), Y: fixed.Ratio(32064, 100)}, vec(36, 48)}, true},
		{"they would be past each other after the tick; they touch after 1/560 s",
			ball{vec(100, 300), vec(280, 0), vec(87, 300), vec(-280, 0)},
			ball{vec(125, 300), vec(-280, 0), vec(138, 300), vec(280, 0)}, true},
		{"they pass at 25 px",
			ball{vec(100, 300), vec(200, 0), vec(110, 300), vec(200, 0)},
			ball{vec(110, 325), vec(-200, 0), vec(100, 325), vec(-200, 0)}, false},
		{"they overlap and approach: they bounce at once",
			ball{vec(100, 300), vec(100, 0), vec(95, 300), vec(-100, 0)},
			ball{vec(120, 300), vec(-100, 0), vec(125, 300), vec(100, 0)}, true},
		{"they overlap and move apart: they are left alone",
			ball{vec(100, 300), vec(-100, 0), vec(95, 300), vec(-100, 0)},
			ball{vec(120, 300), vec(100, 0), vec(125, 300), vec(100, 0)}, false},
		{"they lie in one place",
			ball{vec(100, 300), vec(100, 0), vec(105, 300), vec(100, 0)},
			ball{vec(100, 300), vec(0, 0), vec(100, 300), vec(0, 0)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Who is called a and who b makes no difference.
			for _, users := range [][2]world.User{{1, 2}, {2, 1}} {
				g := newDuel(t)
				a, b := g.bee(users[0]), g.bee(users[1])
				a.Pos, a.Vel, b.Pos, b.Vel = c.a.pos, c.a.vel, c.b.pos, c.b.vel
				g.Wait(1)
				a, b = g.bee(users[0]), g.bee(users[1])
				near(t, "a's place", a.Pos, c.a.posAfter)
				near(t, "b's place", b.Pos, c.b.posAfter)
				near(t, "a's velocity", a.Vel, c.a.velAfter)
				near(t, "b's velocity", b.Vel, c.b.velAfter)
				if dead := a.Attr[attrDead] == 1 && b.Attr[attrDead] == 1; dead != c.hit {
					t.Errorf("both dead: %v, want %v", dead, c.hit)
				}
				for _, o := range []*world.Object{a, b} {
					if o.Attr[attrShiftX] != 0 || o.Attr[attrShiftY] != 0 || o.Attr[attrSince] != 0 {
						t.Error("the step left its notes behind")
					}
				}
			}
		})
	}
}

// TestMomentum checks that what one ball gains the other loses, to the last bit.
func TestMomentum(t *testing.T) {
	r := random.New(1, "momentum")
	hits := 0
	for range 1000 {
		g := newDuel(t)
		a, b := g.bee(1), g.bee(2)
		a.Pos = vec(300, 300)
		b.Pos = a.Pos.Add(fixed.Polar(r.Between(24*px, 40*px), r.Angle()))
		a.Vel, b.Vel = fixed.Polar(r.Between(0, 200*px), r.Angle()), fixed.Polar(r.Between(0, 200*px), r.Angle())
		before := a.Vel.Add(b.Vel)
		g.Wait(1)
		a, b = g.bee(1), g.bee(2)
		if after := a.Vel.Add(b.Vel); after != before {
			t.Fatalf("momentum %v became %v", before, after)
		}
		hits += int(a.Attr[attrDead])
	}
	if hits < 100 {
		t.Fatalf("only %d hits", hits)
	}
}

// energy is twice the kinetic energy per mass of all balls.
func energy(s *world.State) fixed.F {
	var sum fixed.F
	for o := range s.All() {
		sum += o.Vel.Dot(o.Vel)
	}
	return sum
}

// TestEnergy lets a box of balls that nobody drives run for 10,000 ticks.
func TestEnergy(t *testing.T) {
	c := param.Default[Config]()
	c.Bees, c.Area = 12, 15000*fixed.One
	g := newGameOf(t, c, 1)
	g.State.Remove(queen) // she would push
	r := random.New(1, "energy")
	for u := world.User(1); u <= g.World.users; u++ {
		// Even all of it in one ball stays below the speed limit.
		g.bee(u).Vel = fixed.Polar(80*px, r.Angle())
	}
	start := energy(g.State)
	hits, deepest := 0, fixed.F(0)
	for range 10000 {
		g.Wait(1)
		for u := world.User(1); u <= g.World.users; u++ {
			a := g.State.Get(beeOf(u))
			if a.Attr[attrWakes] == int64(g.State.Tick()+g.World.dead) {
				hits++
			}
			for v := u + 1; v <= g.World.users; v++ {
				deepest = max(deepest, 2*c.BeeRadius-a.Pos.Dist(g.State.Get(beeOf(v)).Pos))
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits: nothing is proved", hits)
	}
	// A bounce rounds to 2⁻²⁴ px/s, so that thousands of them change the energy in the sixth digit at most.
	if drift := (energy(g.State) - start).Abs(); drift > start/1e6 {
		t.Errorf("the energy drifted from %v by %v", start, drift)
	}
	// Only where three meet within a tick can balls overlap, by no more than they move in it.
	if limit := 2 * c.Speed.Mul(g.World.dt); deepest > limit {
		t.Errorf("balls overlapped by %v px", deepest)
	}
}

// TestMirror checks that physics knows neither left nor right: the mirror image of a world becomes, bit by bit, the mirror
// image of what the world becomes.
func TestMirror(t *testing.T) {
	for seed := range uint64(20) {
		g := newGame(t, 24, seed)
		g.State.SetTick(1)
		g.scatter(random.New(seed, "mirror"), 250*px)
		image := newGame(t, 24, seed)
		image.State.CopyFrom(g.State)
		mirror(image)
		for tick := range 18 { // until the queen would draw
			g.Wait(1)
			image.Wait(1)
			mirror(image)
			if g.State.Hash() != image.State.Hash() {
				t.Fatalf("seed %d: the images differ after %d ticks", seed, tick+1)
			}
			mirror(image)
		}
	}
}

func mirror(g *game) {
	for id := queen; id <= beeOf(g.World.users); id++ {
		o := g.State.Edit(id)
		o.Pos.X, o.Vel.X = g.World.schema.Bounds.Max.X-o.Pos.X, -o.Vel.X
		o.SetFixed(attrAX, -o.Fixed(attrAX))
	}
	g.Window.Look(g.State)
}

// stepper is the world with one way of finding collisions.
type stepper struct {
	*hive
	find func(*world.Window)
}

func (s stepper) Step(w *world.Window) {
	s.push(w)
	s.find(w)
	s.move(w)
}

// collideEvery looks at every pair of balls, however many there are.
func (h *hive) collideEvery(w *world.Window) {
	for id := queen; id <= beeOf(h.users); id++ {
		for other := id + 1; other <= beeOf(h.users); other++ {
			if a, b := w.Get(id), w.Get(other); a.Pos.Within(b.Pos, h.reach[a.Kind]) {
				h.meet(w, a, b)
			}
		}
	}
}

// TestStripsFindEveryPair checks that looking at every pair and looking by strips come to the same, in crowds that collide
// all the time, whatever part of them may be changed.
func TestStripsFindEveryPair(t *testing.T) {
	for _, closed := range []world.User{0, 2, 3, 4} { // every so manieth bee is closed, and so is the queen
		for seed := range uint64(5) {
			c := param.Default[Config]()
			c.Bees, c.Area = 60, 4500*fixed.One
			c.BeeRadius, c.QueenRadius = 10*px, 16*px
			a, b := newGameOf(t, c, seed), newGameOf(t, c, seed)
			a.scatter(random.New(seed, "near"), 300*px)
			b.State.CopyFrom(a.State)
			if closed > 0 {
				may := func(o *world.Object) bool { return o.User%closed != 0 }
				a.Window.Restrict(may)
				b.Window.Restrict(may)
			}
			every, byStrips := stepper{a.World, a.World.collideEvery}, stepper{b.World, b.World.collideByStrips}
			for tick := range 100 {
				a.Window.Advance(every)
				b.Window.Advance(byStrips)
				if a.State.Hash() != b.State.Hash() {
					t.Fatalf("every %d closed, seed %d: they differ after %d ticks", closed, seed, tick+1)
				}
			}
		}
	}
}

// TestClosed checks that where only one of two balls may be changed, that one is changed as if both were.
func TestClosed(t *testing.T) {
	set := func(g *game) {
		a, b := g.bee(1), g.bee(2)
		a.Pos, a.Vel, b.Pos, b.Vel = vec(100, 300), vec(100, 20), vec(128, 305), vec(-50, 0)
	}
	both := newDuel(t)
	set(both)
	both.Wait(1)
	if both.bee(1).Attr[attrDead] == 0 {
		t.Fatal("they did not meet")
	}
	for open := world.User(1); open <= 2; open++ {
		t.Run(fmt.Sprintf("only %d is open", open), func(t *testing.T) {
			g := newDuel(t)
			set(g)
			closed := *g.bee(3 - open)
			g.Window.Restrict(func(o *world.Object) bool { return o.ID == beeOf(open) })
			g.Wait(1)
			if *g.bee(open) != *both.bee(open) {
				t.Errorf("the open one is %+v, want %+v", *g.bee(open), *both.bee(open))
			}
			if *g.bee(3 - open) != closed {
				t.Error("the closed one was changed")
			}
		})
	}
}

// TestCrowd packs balls closer than they fit. They must come apart without gaining energy.
func TestCrowd(t *testing.T) {
	g := newGame(t, 50, 3)
	g.State.Remove(queen)
	r := random.New(3, "crowd")
	for u := world.User(1); u <= 50; u++ {
		o := g.bee(u)
		o.Pos = vec(900, 700).Add(fixed.Polar(r.Between(0, 60*px), r.Angle()))
		o.Vel = fixed.Polar(r.Between(0, 40*px), r.Angle())
	}
	start := energy(g.State)
	g.Wait(2000)
	if got := energy(g.State); got > start+start/1e6 {
		t.Errorf("the energy rose from %v to %v", start, got)
	}
	overlaps := 0
	for a := queen + 1; a <= beeOf(50); a++ {
		for b := a + 1; b <= beeOf(50); b++ {
			if g.State.Get(a).Pos.Within(g.State.Get(b).Pos, 23*px) {
				overlaps++
			}
		}
	}
	if overlaps > 0 {
		t.Errorf("%d pairs still overlap", overlaps)
	}
}

// TestChain lets a bee hit a second one, which hits a third within the same tick: what the first had, the third has after.
// They touch after 0.01 s and 0.02 s.
func TestChain(t *testing.T) {
	c := param.Default[Config]()
	c.Bees, c.Area = 3, 160000*fixed.One
	g := newGameOf(t, c, 1)
	g.State.SetTick(1)
	g.State.Edit(queen).Pos = vec(700, 300)
	for u, x := range []int64{100, 126, 152} {
		g.bee(world.User(u + 1)).Pos = vec(x, 300)
	}
	g.bee(1).Vel = vec(200, 0)
	g.Wait(1)
	for u, x := range []int64{102, 128, 158} {
		near(t, "a bee's place", g.bee(world.User(u+1)).Pos, vec(x, 300))
	}
	near(t, "the last one's velocity", g.bee(3).Vel, vec(200, 0))
}

// TestTopSpeed checks in a dense crowd, where balls bounce several times in a tick, that none gets farther than the top
// speed takes it.
func TestTopSpeed(t *testing.T) {
	c := param.Default[Config]()
	c.Bees, c.Area = 60, 4500*fixed.One
	for seed := range uint64(10) {
		g := newGameOf(t, c, seed)
		g.scatter(random.New(seed, "top"), c.Speed)
		for range 50 {
			before := g.State.Clone()
			g.Wait(1)
			for id := queen; id <= beeOf(g.World.users); id++ {
				o := g.State.Get(id)
				if !o.Vel.LenWithin(c.Speed) {
					t.Fatalf("ball %d flies at %v px/s", id, o.Vel.Len())
				}
				if way := o.Pos.Dist(before.Get(id).Pos); way > c.Speed.Mul(g.World.dt)+px/1000 {
					t.Fatalf("ball %d moved by %v px", id, way)
				}
			}
		}
	}
}

package rts

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// newParade is a measured game of two users with two avatars each, which stand far apart.
func newParade(t testing.TB) *game[*march] {
	g := newGame[*march](t, 1, func(c *Config) { c.Users, c.Avatars, c.Width, c.Height = 2, 2, 256, 256 })
	for i, pos := range []fixed.Vec{at(20, 20), at(20, 60), at(120, 20), at(120, 60)} {
		g.put(g.World.avatarOf(world.User(1+i/2), i%2), pos)
	}
	return g
}

// put moves an avatar to where it then stands.
func (g *game[W]) put(id world.ID, pos fixed.Vec) {
	o := g.State.Edit(id)
	o.Pos, o.Vel = pos, fixed.Vec{}
	setGoal(o, pos)
}

func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

func (g *game[W]) get(id world.ID) *world.Object { return g.State.Get(id) }

func TestAvatarGoesStraightAndStops(t *testing.T) {
	g := newParade(t)
	id := g.World.avatarOf(1, 0)
	g.Do(1, goTo(id, at(50, 60))) // 30 along x, 40 along y: 50 ticks
	for k := range 49 {
		g.Wait(1)
		o := g.get(id)
		if line := o.Pos.Sub(at(20, 20)); line.Cross2(at(30, 40)).Abs() > tile/100 {
			t.Fatalf("tick %d: off the line at %v", k, o.Pos)
		}
		if !moves(o) {
			t.Fatalf("tick %d: stopped at %v", k, o.Pos)
		}
	}
	g.Wait(1)
	if o := g.get(id); o.Pos != at(50, 60) || moves(o) {
		t.Errorf("after fifty ticks: %+v", o)
	}
	before := *g.get(id)
	g.Wait(10)
	if *g.get(id) != before {
		t.Errorf("having arrived, it changed to %+v", g.get(id))
	}
}

func TestCommandsAreForOnesOwnAvatars(t *testing.T) {
	g := newParade(t)
	for _, target := range []world.ID{g.World.avatarOf(2, 0), g.World.baseOf(1), 0, 999} {
		before := g.State.Clone()
		a := goTo(target, at(5, 5))
		a.User = 1
		var f world.Footprint
		g.World.Reach(g.State, &a, &f)
		if len(f.Writes) > 0 {
			t.Errorf("a command to %d is said to write %v", target, f.Writes)
		}
		g.Do(1, a)
		if g.State.Hash() != before.Hash() {
			t.Errorf("a command to %d had an effect", target)
		}
	}
}

// Whoever sees an avatar once can tell where it will be, until it meets somebody or gets another command.
func TestExtrapolateIsWhatHappens(t *testing.T) {
	g := newParade(t)
	id := g.World.avatarOf(1, 0)
	g.Do(1, goTo(id, at(70, 33)))
	g.Wait(3)
	for _, ticks := range []int{1, 10, 30, 40, 400} {
		guess := *g.get(id)
		g.World.Extrapolate(&guess, world.Time(ticks)*g.World.Tick)
		truth := g.State.Clone()
		window := world.NewWindow(truth)
		for range ticks {
			window.Advance(g.World)
		}
		if got := truth.Get(id); !got.Pos.Within(guess.Pos, tile/1000) || moves(got) != moves(&guess) {
			t.Errorf("after %d ticks at %v (moves: %v), guessed %v (%v)", ticks, got.Pos, moves(got), guess.Pos, moves(&guess))
		}
	}
}

// An object that came rounded over a wire still stops where it was sent.
func TestExtrapolateStopsThoughRounded(t *testing.T) {
	g := newParade(t)
	id := g.World.avatarOf(1, 0)
	for _, goal := range []fixed.Vec{at(60, 20), at(60, 21), at(20, 60), at(3, 250)} {
		g.put(id, at(20, 20).Add(fixed.Vec{X: tile / 3, Y: tile / 7}))
		g.Do(1, goTo(id, goal))
		g.Wait(2)
		o := *g.get(id)
		g.World.Schema().Round(&o)
		for range 400 {
			g.World.Extrapolate(&o, g.World.Tick)
		}
		if moves(&o) || !o.Pos.Within(goal, tile/16) {
			t.Errorf("sent to %v, ends at %v (moves: %v)", goal, o.Pos, moves(&o))
		}
	}
}

func TestAvatarsThatMeetPassOneAnother(t *testing.T) {
	for _, test := range []struct {
		name     string
		from, to fixed.Vec // of the other
		met      int64
	}{
		{"head-on", at(40, 20), at(10, 20), 1},
		{"between two ticks", at(41, 20), at(10, 20), 1},
		{"brushing", fixed.Vec{X: 40 * tile, Y: 20*tile + tile/2}, fixed.Vec{X: 10 * tile, Y: 20*tile + tile/2}, 1},
		{"across", at(30, 10), at(30, 40), 1},
		{"beside", at(40, 22), at(10, 22), 0},
		{"behind", at(18, 20), at(58, 20), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newParade(t)
			one, two := g.World.avatarOf(1, 0), g.World.avatarOf(2, 0)
			g.put(two, test.from)
			g.Do(1, goTo(one, at(60, 20)))
			g.Do(2, goTo(two, test.to))
			for ticks := 0; moves(g.get(one)) || moves(g.get(two)); ticks++ {
				if ticks == 100 {
					t.Fatalf("stuck: %+v, %+v", g.get(one), g.get(two))
				}
				g.Wait(1)
			}
			if g.get(one).Pos != at(60, 20) || g.get(two).Pos != test.to {
				t.Errorf("ended at %v and %v", g.get(one).Pos, g.get(two).Pos)
			}
			for _, id := range []world.ID{one, two} {
				if n := g.get(id).Attr[attrCollisions]; n != test.met {
					t.Errorf("%d has counted %d collisions, want %d", id, n, test.met)
				}
			}
		})
	}
}

func TestStandingAvatarsArePassedBy(t *testing.T) {
	for _, speed := range []fixed.F{tile, tile / 10} {
		g := newGame[*march](t, 1, func(c *Config) { c.Users, c.Avatars, c.Width, c.Height, c.Speed = 1, 2, 96, 64, speed })
		walks, stands := g.World.avatarOf(1, 0), g.World.avatarOf(1, 1)
		g.put(walks, at(10, 10))
		g.put(stands, at(20, 10))
		before := *g.get(stands)
		g.Do(1, goTo(walks, at(30, 10)))
		g.Wait(int((30 * tile) / speed))
		if o := g.get(walks); o.Pos != at(30, 10) || o.Attr[attrCollisions] != 1 {
			t.Errorf("speed %v: the one who walks: %+v", speed, o)
		}
		if *g.get(stands) != before {
			t.Errorf("speed %v: the one who stands was moved to %+v", speed, g.get(stands))
		}
	}
}

func TestUsersEnterAndLeave(t *testing.T) {
	g := newParade(t)
	count := g.State.Len()
	g.Do(3, world.Action{Verb: world.Enter})
	if got := g.State.Len(); got != count+3 {
		t.Fatalf("%d objects, want %d", got, count+3)
	}
	base := g.get(g.World.baseOf(3))
	for n := range 2 {
		if o := g.get(g.World.avatarOf(3, n)); o.User != 3 || (o.Pos.X-base.Pos.X).Abs() > camp || (o.Pos.Y-base.Pos.Y).Abs() > camp {
			t.Errorf("avatar %d: %+v, base at %v", n, o, base.Pos)
		}
	}
	hash := g.State.Hash()
	g.Do(3, world.Action{Verb: world.Enter})
	if g.State.Hash() != hash {
		t.Error("entering twice changes something")
	}
	g.Do(3, world.Action{Verb: world.Leave})
	if got := g.State.Len(); got != count || g.get(g.World.baseOf(3)) != nil {
		t.Errorf("%d objects after leaving, want %d", got, count)
	}
}

func TestBasesAreAnywhereAndAvatarsAround(t *testing.T) {
	g := newGame[*march](t, 1, func(*Config) {})
	var halves [2]int
	for u := world.User(1); u <= g.World.Users(); u++ {
		base := g.get(g.World.baseOf(u))
		halves[base.Pos.X/(640*tile)]++
		for n := range g.World.Avatars {
			if o := g.get(g.World.avatarOf(u, n)); o.User != u || o.Kind != kindAvatar || (o.Pos.X-base.Pos.X).Abs() > camp {
				t.Fatalf("avatar %d of user %d: %+v", n, u, o)
			}
		}
	}
	if g.State.Len() != 60*51 || halves[0] < 20 || halves[1] < 20 {
		t.Errorf("%d objects, bases on the left and right: %v", g.State.Len(), halves)
	}
}

func TestValueOfAvatars(t *testing.T) {
	g := newGame[*march](t, 1, func(c *Config) { c.Users = 3 })
	sums := map[int64]int{}
	for o := range g.State.All() {
		sums[world.Value(g.World, g.State, o)]++
	}
	if sums[captainValue] != 3*5 || sums[1] != 3*45 || sums[50] != 3 {
		t.Errorf("values: %v", sums)
	}
}

// The commander sends its own avatars, one in so many ticks, and needs to see nothing but its base.
func TestCommander(t *testing.T) {
	g := newGame[*march](t, 1, func(c *Config) { c.Users = 3 })
	alone := world.NewState(g.World.Schema(), g.State.Seed())
	alone.Put(*g.get(g.World.baseOf(2)))
	commands, before := 0, world.Tick(-10)
	for k := world.Tick(0); k < 1000; k++ {
		alone.SetTick(k)
		g.Players[1].Play(world.View{State: alone, User: 2}, func(a world.Action) {
			if o := g.get(a.Target); o == nil || o.User != 2 || o.Kind != kindAvatar {
				t.Fatalf("sends %d", a.Target)
			}
			if err := g.World.Schema().CheckAction(&a); err != nil {
				t.Fatal(err)
			}
			if k-before < 10 {
				t.Fatalf("commands at ticks %d and %d", before, k)
			}
			commands, before = commands+1, k
		})
	}
	if commands != 100 {
		t.Errorf("%d commands in 1000 ticks", commands)
	}
}

// While users are called to a place all commands lead there; afterwards they follow the mobility model again.
func TestCommandersGatherWhereTheyAreCalled(t *testing.T) {
	g := newGame[*march](t, 1, func(c *Config) { c.Users, c.Avatars = 2, 3 })
	spot := g.World.schema.Bounds.Centre()
	near := func(until world.Tick) (there, all int) {
		for g.State.Tick() < until {
			for i, p := range g.Players {
				p.Play(world.View{State: g.State, User: world.User(i + 1)}, func(a world.Action) {
					all++
					if placeOf(a.Args[:]).Dist(spot) <= 2*press*tile {
						there++
					}
					a.User = world.User(i + 1)
					g.Do(a.User, a)
				})
			}
			g.Wait(1)
		}
		return there, all
	}
	for _, p := range g.Players {
		p.(world.Gatherer).Gather(spot, 2000)
	}
	if there, all := near(2000); all == 0 || there != all {
		t.Errorf("%d of %d commands lead to where they were called", there, all)
	}
	if there, all := near(6000); all == 0 || there > all/2 {
		t.Errorf("%d of %d commands still lead there", there, all)
	}
}

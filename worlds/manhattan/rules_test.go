package manhattan

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

// empty is a city without walls, with two avatars whose places are up to the test.
func empty(t testing.TB) *worldtest.Game[*city] {
	t.Helper()
	return newGame(t, func(c *Config) { c.Avatars, c.Walls = 2, 0 })
}

// place puts an avatar somewhere.
func place(g *worldtest.Game[*city], u world.User, p fixed.Vec, direction int64) {
	o := g.State.Edit(avatarOf(u))
	o.Pos, o.Vel = p, g.World.heading(direction)
	g.Window.Look(g.State)
}

func TestMove(t *testing.T) {
	const half = unit / 2
	for _, test := range []struct {
		name      string
		from      fixed.Vec
		direction int64
		arg       int64
		other     fixed.Vec
		want      fixed.Vec
		turns     bool
	}{
		{"straight on", at(500, 500), 0, 0, at(900, 900), at(501, 500), false},
		{"up", at(500, 500), 1, 0, at(900, 900), at(500, 501), false},
		{"left", at(500, 500), 2, 0, at(900, 900), at(499, 500), false},
		{"down", at(500, 500), 3, 0, at(900, 900), at(500, 499), false},
		{"as told", at(500, 500), 0, 3, at(900, 900), at(499, 500), false},
		{"to the edge", at(1000, 500).Sub(fixed.Vec{X: half}), 0, 0, at(900, 900), at(1000, 500), true},
		{"at the edge", at(500, 0), 3, 0, at(900, 900), at(500, 0), true},
		{"up to another", at(500, 500), 0, 0, at(501, 500).Add(fixed.Vec{X: half}), at(500, 500).Add(fixed.Vec{X: half}), true},
		{"touching another", at(500, 500), 0, 0, at(501, 500), at(500, 500), true},
		{"away from one too near", at(500, 500), 0, 0, at(500, 500).Sub(fixed.Vec{X: half}), at(501, 500), false},
		{"just past another", at(500, 500), 0, 0, at(501, 501), at(501, 500), false},
		{"another beyond a stride", at(500, 500), 0, 0, at(502, 500), at(501, 500), false},
	} {
		g := empty(t)
		place(g, 1, test.from, test.direction)
		place(g, 2, test.other, 0)
		g.Do(1, world.Action{Seq: 1, Verb: Move, Args: [world.MaxArgs]int64{test.arg}})
		o := g.State.Get(avatarOf(1))
		if o.Pos != test.want {
			t.Errorf("%s: ends at %v, want %v", test.name, o.Pos, test.want)
		}
		was := test.direction
		if test.arg != 0 {
			was = test.arg - 1
		}
		turn := (directionOf(o.Vel) - was + 4) % 4
		if turned := turn == 1 || turn == 3; turned != test.turns || turn == 2 {
			t.Errorf("%s: turns by %d°", test.name, 90*turn)
		}
	}
}

func TestTurnsToEitherSide(t *testing.T) {
	var sides [4]int
	for seq := range uint32(100) {
		sides[turned(0, 1, &world.Action{User: 1, Seq: seq})]++
	}
	if sides[0] != 0 || sides[2] != 0 || sides[1] < 30 || sides[3] < 30 {
		t.Errorf("of 100 turns, %v lead right, up, left and down", sides)
	}
}

// TestNobodyCrossesWalls compares every move with all walls of the city.
func TestNobodyCrossesWalls(t *testing.T) {
	g := newGame(t, func(c *Config) { c.Avatars, c.Side, c.Walls, c.Stride = 50, 100*unit, 1000, 3*unit })
	c, s := g.World, g.State
	walls := c.Scenery(nil, s.Seed(), c.schema.Bounds)
	stopped, walked := 0, 0
	for seq := range uint32(40) {
		for u := world.User(1); u <= c.Users(); u++ {
			from := s.Get(avatarOf(u)).Pos
			g.Do(u, world.Action{Seq: seq, Verb: Move})
			to := s.Get(avatarOf(u)).Pos
			if from == to {
				stopped++
				continue
			}
			walked++
			way := fixed.Box{Min: from, Max: from}.Union(fixed.Box{Min: to, Max: to})
			for _, l := range walls {
				along := (l.From.X == l.To.X) == (from.X == to.X)
				if !along && way.Intersects(fixed.Box{Min: l.From, Max: l.To}) {
					t.Fatalf("user %d walks from %v to %v through the wall from %v to %v", u, from, to, l.From, l.To)
				}
			}
		}
	}
	if stopped == 0 || walked < 500 {
		t.Errorf("%d moves led somewhere, %d nowhere", walked, stopped)
	}
}

func TestScenery(t *testing.T) {
	for _, n := range []int{0, 1, 77, 100_000} {
		g := newGame(t, func(c *Config) { c.Walls = n })
		c, s := g.World, g.State
		all := c.Scenery(nil, s.Seed(), c.schema.Bounds)
		if len(all) != n {
			t.Errorf("%d walls, want %d", len(all), n)
		}
		for _, l := range all {
			if l.To.Sub(l.From).Len() != wallLength || !c.schema.Bounds.Contains(l.From) || !c.schema.Bounds.Contains(l.To) {
				t.Fatalf("a wall from %v to %v", l.From, l.To)
			}
		}
		box := fixed.Box{Min: at(300, 300), Max: at(333, 350)}
		inside := 0
		for _, l := range all {
			if box.Intersects(fixed.Box{Min: l.From, Max: l.To}) {
				inside++
			}
		}
		if part := c.Scenery(nil, s.Seed(), box); len(part) != inside {
			t.Errorf("%d walls in a part of the city, want %d", len(part), inside)
		}
	}
}

func TestEnterAndLeave(t *testing.T) {
	g := empty(t)
	g.Do(9, world.Action{Verb: world.Enter})
	o := g.State.Get(avatarOf(9))
	if o == nil || o.User != 9 {
		t.Fatalf("who enters is %v", o)
	}
	place(g, 9, at(5, 5), 0)
	g.Do(9, world.Action{Verb: world.Enter})
	if o := g.State.Get(avatarOf(9)); o.Pos != at(5, 5) {
		t.Errorf("who is there and enters again is moved to %v", o.Pos)
	}
	g.Do(9, world.Action{Verb: world.Leave})
	if g.State.Get(avatarOf(9)) != nil {
		t.Error("who leaves is still there")
	}
}

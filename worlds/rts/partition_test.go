package rts

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// stepApart lets a tick pass as two servers would that share the world along an upright border: each changes only what is on
// its side, and of the other side it sees no more than a band as wide as anything reaches.
func stepApart(w world.World, s *world.State, border fixed.F) *world.State {
	band := w.(world.Limited).Limits().Effect
	joint := s.Clone()
	for _, left := range []bool{true, false} {
		part, own := s.Clone(), map[world.ID]bool{}
		for o := range s.All() {
			own[o.ID] = o.Pos.X < border == left
			if !own[o.ID] && (o.Pos.X-border).Abs() > band {
				part.Remove(o.ID)
			}
		}
		before := part.Clone()
		window := world.NewWindow(part)
		window.Restrict(func(o *world.Object) bool {
			mine, known := own[o.ID]
			return mine || !known
		})
		window.Advance(w)
		for c := range world.Diff(before, part) {
			if c.New == nil {
				joint.Remove(c.Old.ID)
			} else {
				joint.Put(*c.New)
			}
		}
	}
	joint.SetTick(s.Tick() + 1)
	return joint
}

// checkApart compares that with one server for the whole world, in the course of a game: the two sides together must hold
// exactly what it holds, wherever the border is.
func checkApart[W world.World](t *testing.T, g *game[W], ticks int) {
	t.Helper()
	width := g.World.Schema().Bounds.Max.X
	for k := range ticks {
		border := width.MulInt(int64(1+k%7)) / 8
		joint := stepApart(g.World, g.State, border)
		g.Wait(1)
		for c := range world.Diff(g.State, joint) {
			t.Fatalf("tick %d, border at %v: whole %+v, apart %+v", k, border, c.Old, c.New)
		}
		g.Play(t, 1)
	}
}

// What an object does in a step depends on what is near it before the step, and on nothing else: so it makes no difference
// how the world is divided. Actions are another matter; one that touches objects of both sides needs an agreement between
// them.
func TestPartsAgreeWithTheWhole(t *testing.T) {
	t.Run(gameMeasured, func(t *testing.T) {
		g := newGame[*march](t, 1, func(c *Config) { c.Users, c.Avatars, c.Width, c.Height, c.Command = 10, 20, 96, 64, 1 })
		checkApart(t, g, 300)
		touched := int64(0)
		for o := range g.State.All() {
			touched += o.Attr[attrCollisions]
		}
		if touched < 100 {
			t.Errorf("only %d collisions: nothing was shown", touched)
		}
	})
	t.Run(gamePlay, func(t *testing.T) {
		g := newGame[*realm](t, 1, func(c *Config) {
			c.Game, c.Users, c.Width, c.Height, c.Tick = gamePlay, 6, 96, 64, 100*world.Millisecond
		})
		g.Play(t, 300)
		checkApart(t, g, 600)
		if g.Actions[March] < 50 || g.Actions[Train] < 50 {
			t.Errorf("too little happened to show anything: %v", g.Actions)
		}
	})
}

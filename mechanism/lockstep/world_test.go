package lockstep

import (
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// flawed are marbles, or marbles whose rules keep a secret: at a certain tick they move a marble of one replica only, by what no
// state knows. Whose replica that is depends on who comes to the tick in which place, so it is for worlds whose replicas do
// not share their steps.
type flawed struct {
	world.World
	at     world.Tick // when
	victim int        // which replica, in the order in which they come to that tick
	came   int
}

func newFlawed(users world.User) *flawed { return &flawed{World: mechanismtest.Marbles(users)} }

func (w *flawed) Step(v *world.Window) {
	w.World.Step(v)
	if w.at == 0 || v.Tick() != w.at {
		return
	}
	if w.came++; w.came == w.victim {
		v.Edit(2).Pos.X += fixed.One
	}
}

// hotel is a world that users come to and leave: each has a marble while there.
type hotel struct{ world.World }

func (hotel) Enter(w *world.Window, u world.User) {
	if w.Get(world.ID(u)) == nil {
		w.Put(world.Object{ID: world.ID(u), User: u, Kind: mechanismtest.Marble, Pos: fixed.Vec{X: 30 * fixed.One, Y: 30 * fixed.One}})
	}
}

func (hotel) Leave(w *world.Window, u world.User) { w.Remove(world.ID(u)) }

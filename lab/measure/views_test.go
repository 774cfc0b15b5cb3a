package measure

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// The world of these tests has points and lamps on a line.
var lit = &world.Schema{
	Name: "lit", Tick: world.Second, Bounds: fixed.Box{Max: fixed.Vec{X: 100}},
	Kinds: []world.Kind{
		{Name: "point", Variables: []world.Variable{{Name: "x", Slot: world.SlotX, Max: 100, Weight: 3}}},
		{Name: "lamp", Variables: []world.Variable{
			{Name: "x", Slot: world.SlotX, Max: 100, Weight: 2},
			{Name: "light", Slot: world.AttrSlot(0), Max: 7, Weight: 1},
		}},
	},
}

// drawView draws a view with some of a few objects, of which most are like those of other views.
func drawView(t *rapid.T) *world.State {
	s := world.NewState(lit, 1)
	for id := world.ID(1); id <= 12; id++ {
		switch rapid.IntRange(0, 20).Draw(t, "object") {
		case 0:
		case 1:
			s.Put(world.Object{ID: id, Kind: 1 - world.KindID(id%2), Pos: fixed.Vec{X: 7}})
		case 2, 3, 4, 5:
			x := fixed.F(rapid.IntRange(0, 100).Draw(t, "x"))
			s.Put(world.Object{ID: id, Kind: world.KindID(id % 2), Pos: fixed.Vec{X: x}, Attr: [world.MaxAttributes]int64{int64(x % 8)}})
		default:
			s.Put(world.Object{ID: id, Kind: world.KindID(id % 2), Pos: fixed.Vec{X: 50}})
		}
	}
	return s
}

// half is a node that holds every other object.
type half struct{ mechanism.Node }

func (half) Holds(id world.ID) bool { return id%2 == 0 }

// What is measured does not depend, to the last digit, on whether hosts with equal views share them.
func TestSharedViewsCountLikeCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := &Truth{replica: mechanism.Replica{State: drawView(t)}, tick: lit.Tick}
		divergence := [2]Divergence{{scales: newScales(lit)}, {scales: newScales(lit)}}
		drift := [2]Drift{}
		for i := range drift {
			drift[i] = Drift{truth: truth, scales: newScales(lit), placed: placedKinds(lit)}
		}
		for range rapid.IntRange(1, 4).Draw(t, "ticks") {
			views := rapid.SliceOfN(rapid.Custom(drawView), 1, 3).Draw(t, "views")
			for range rapid.IntRange(1, 10).Draw(t, "hosts") {
				h := &sim.Host{}
				if rapid.IntRange(0, 4).Draw(t, "partial") == 0 {
					h.Node = half{}
				}
				view := rapid.SampledFrom(views).Draw(t, "view")
				for i, v := range []*world.State{view, view.Detach()} {
					divergence[i].Look(0, h, v)
					drift[i].Look(0, h, v)
				}
			}
			for i := range 2 {
				divergence[i].Tick(0)
				drift[i].Tick(0)
			}
		}
		var got [2]string
		for i := range got {
			note := func(name, _ string, value float64) { got[i] += fmt.Sprintln(name, value) }
			divergence[i].Report(0, note)
			drift[i].Report(0, note)
		}
		if got[0] != got[1] {
			t.Fatalf("shared:\n%s\ncopies:\n%s", got[0], got[1])
		}
	})
}

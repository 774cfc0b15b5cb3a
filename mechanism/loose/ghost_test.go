package loose

import (
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func TestGhostsFollowTheWalk(t *testing.T) {
	g := ghosts{rules: mechanismtest.Marbles(3)}
	object := func(id world.ID) *world.Object {
		return &world.Object{ID: id, Kind: mechanismtest.Marble, Pos: fixed.Vec{X: 50 * fixed.One, Y: 50 * fixed.One}, Vel: fixed.Vec{X: 8 * fixed.One}}
	}
	walk := func(ids ...world.ID) (places []int64) {
		g.begin(world.Second / 4)
		for _, id := range ids {
			places = append(places, g.of(object(id)).Pos.X.Round())
		}
		g.end()
		return places
	}
	for _, step := range []struct{ ids, want []int64 }{
		{[]int64{1, 3}, []int64{50, 50}},          // new: like the object
		{[]int64{1, 2, 3}, []int64{52, 50, 52}},   // the old ones have moved on
		{[]int64{2}, []int64{52}},                 // the others are given up
		{[]int64{1, 2}, []int64{50, 54}},          // and begin anew
		{[]int64{}, nil},                          //
		{[]int64{1, 2, 9}, []int64{50, 50, 50}},   //
		{[]int64{9, 10, 11}, []int64{52, 50, 50}}, //
	} {
		var ids []world.ID
		for _, id := range step.ids {
			ids = append(ids, world.ID(id))
		}
		got := walk(ids...)
		for i := range got {
			if got[i] != step.want[i] {
				t.Errorf("walk %v: ghosts at %v, want %v", step.ids, got, step.want)
				break
			}
		}
	}
}

func TestThingsWithoutAPlaceNeverStray(t *testing.T) {
	far := world.Object{Pos: fixed.Vec{X: fixed.Max, Y: fixed.Max}}
	if strayed(&far, &world.Object{Pos: fixed.Vec{X: fixed.Min}}, unplaced) {
		t.Error("it strayed")
	}
}

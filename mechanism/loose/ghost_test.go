package loose

import (
	"slices"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func TestGhostsFollowTheWalk(t *testing.T) {
	g := ghosts{rules: mechanismtest.Marbles(3)}
	object := func(id world.ID) *world.Object {
		at, speed := fixed.Vec{X: 50 * fixed.One, Y: 50 * fixed.One}, fixed.Vec{X: 8 * fixed.One}
		return &world.Object{ID: id, Kind: mechanismtest.Marble, Pos: at, Vel: speed}
	}
	walk := func(ids ...world.ID) (places []int64) {
		g.begin(world.Second / 4)
		for _, id := range ids {
			places = append(places, g.of(object(id)).Pos.X.Round())
		}
		g.end()
		return places
	}
	for _, step := range []struct {
		ids  []world.ID
		want []int64
	}{
		{[]world.ID{1, 3}, []int64{50, 50}},        // new: like the object
		{[]world.ID{1, 2, 3}, []int64{52, 50, 52}}, // the old ones have moved on
		{[]world.ID{2}, []int64{52}},               // the others are given up
		{[]world.ID{1, 2}, []int64{50, 54}},        // and begin anew
		{nil, nil},
		{[]world.ID{1, 2, 9}, []int64{50, 50, 50}},
		{[]world.ID{9, 10}, []int64{52, 50}},
	} {
		if got := walk(step.ids...); !slices.Equal(got, step.want) {
			t.Errorf("walk %v: ghosts at %v, want %v", step.ids, got, step.want)
		}
	}
}

func TestThingsWithoutAPlaceNeverStray(t *testing.T) {
	far := world.Object{Pos: fixed.Vec{X: fixed.Max, Y: fixed.Max}}
	if strayed(&far, &world.Object{Pos: fixed.Vec{X: fixed.Min}}, unplaced) {
		t.Error("it strayed")
	}
}

package turn

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestCompareNamesWhatDiffers(t *testing.T) {
	w := mechanismtest.Marbles(3)
	want := world.NewState(w.Schema(), 1)
	w.Populate(want)
	want.SetTick(17)
	got := want.Clone()
	if found, objects := Compare(got, want, 9); len(found) != 0 || objects != 0 {
		t.Errorf("equal states differ in %v", found)
	}
	got.Edit(1).Pos.X += 5
	got.Edit(1).Attr[mechanismtest.MarbleHits] = 2
	got.Edit(2).User = 3
	got.Edit(3).Kind = mechanismtest.Pebble
	got.Remove(4)
	got.Put(world.Object{ID: 9, Kind: mechanismtest.Pebble})
	x := int64(want.Get(1).Pos.X)
	all := []mechanism.Difference{
		{Tick: 17, Object: 1, Attribute: "x", Got: x + 5, Want: x},
		{Tick: 17, Object: 1, Attribute: "hits", Got: 2, Want: 0},
		{Tick: 17, Object: 2, Attribute: "user", Got: 3, Want: 2},
		{Tick: 17, Object: 3, Attribute: "kind", Got: int64(mechanismtest.Pebble), Want: int64(mechanismtest.Marble)},
		{Tick: 17, Object: 4, Attribute: "presence", Got: 0, Want: 1},
		{Tick: 17, Object: 9, Attribute: "presence", Got: 1, Want: 0},
	}
	found, objects := Compare(got, want, 100)
	if !slices.Equal(found, all) || objects != 5 {
		t.Errorf("%d objects: %v", objects, found)
	}
	if found, objects = Compare(got, want, 1); len(found) != 2 || objects != 5 {
		t.Errorf("of the first object: %v; %d objects", found, objects)
	}
	if got := all[1].String(); got != "tick 17: hits of object 1 is 2 instead of 0" {
		t.Error(got)
	}
}

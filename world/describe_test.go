package world

import (
	"testing"

	"throng/world/fixed"
)

func TestObjectsAndActionsInWords(t *testing.T) {
	s := &Schema{
		Kinds: []Kind{{Name: "marble", Variables: []Variable{{Name: "x", Slot: SlotX, Type: Fixed}, {Name: "hits", Slot: AttrSlot(1)}}}},
		Verbs: []Verb{{Name: "push", Args: []Variable{{Name: "x", Type: Fixed}, {Name: "n", Slot: 1}}}},
	}
	o := Object{ID: 7, User: 3, Pos: fixed.Vec{X: -5 * fixed.One / 2}}
	o.Attr[1] = 4
	if got, want := s.Describe(&o), "marble 7 of 3 x=-2.5 hits=4"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	for _, c := range []struct {
		action Action
		want   string
	}{
		{Action{Target: 9, Args: [MaxArgs]int64{int64(8 * fixed.One), 2}}, "push 9 x=8 n=2"},
		{Action{Verb: Enter}, "enter"}, {Action{Verb: Leave}, "leave"}, {Action{Verb: 5}, "verb 5"},
	} {
		if got := s.DescribeAction(&c.action); got != c.want {
			t.Errorf("%q instead of %q", got, c.want)
		}
	}
}

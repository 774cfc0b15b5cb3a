package world_test

import (
	"strings"
	"testing"

	"throng/world"
)

func TestLooksThatDoNotFit(t *testing.T) {
	schema := &world.Schema{
		Kinds: []world.Kind{{Name: "runner", Variables: []world.Variable{{Name: "x", Slot: world.SlotX}, {Name: "health", Slot: world.AttrSlot(0)}}}},
		Verbs: []world.Verb{
			{Name: "run", Args: []world.Variable{{Name: "to", Type: world.Angle, Max: 1<<32 - 1}}},
			{Name: "go", Args: []world.Variable{{Name: "x", Max: 10}, {Name: "y", Slot: 1, Max: 10}}},
			{Name: "rise"},
		},
	}
	kind := func(k world.KindLook) world.Look { k.Kind = "runner"; return world.Look{Kinds: []world.KindLook{k}} }
	control := func(c world.Control) world.Look { return world.Look{Controls: []world.Control{c}} }
	for _, c := range []struct {
		look world.Look
		want string // empty if there is nothing wrong
	}{
		{world.Look{}, ""},
		{world.Look{Avatar: "runner"}, ""},
		{world.Look{Avatar: "walker"}, `no kind "walker"`},
		{world.Look{Kinds: []world.KindLook{{Kind: "crown"}}}, `no kind "crown"`},
		{kind(world.KindLook{Shape: world.Disc, Colour: "#09aFf0", Label: "health", Width: 1}), ""},
		{kind(world.KindLook{Label: "user"}), ""},
		{kind(world.KindLook{Shape: "star"}), `no shape "star"`},
		{kind(world.KindLook{Colour: "gold"}), "is no colour"},
		{kind(world.KindLook{Colour: "#09aFg0"}), "is no colour"},
		{kind(world.KindLook{Label: "wealth"}), `no attribute "wealth"`},
		{kind(world.KindLook{Label: "x"}), `no attribute "x"`},
		{kind(world.KindLook{Height: -1}), "not negative"},
		{kind(world.KindLook{Width: -1}), "not negative"},
		{kind(world.KindLook{Colour: "#09aFf00"}), "is no colour"},
		{control(world.Control{By: world.Steer, Verb: "run"}), ""},
		{control(world.Control{By: world.Steer, Verb: "go"}), ""},
		{control(world.Control{By: world.Steer, Verb: "rise"}), "0 arguments"},
		{control(world.Control{By: world.Compass, Verb: "go"}), "2 arguments"},
		{control(world.Control{By: world.Height, Verb: "go"}), "2 arguments"},
		{control(world.Control{By: world.Place, Verb: "run"}), "1 arguments"},
		{control(world.Control{By: world.Target, Verb: "rise"}), ""},
		{control(world.Control{By: world.Target, Verb: "go"}), "2 arguments"},
		{control(world.Control{By: world.Button, Verb: "go", Args: []int64{3}}), ""},
		{control(world.Control{By: world.Button, Verb: "go", Args: []int64{3, 11}}), "y: 11 is outside"},
		{control(world.Control{By: world.Button, Verb: "rise", Args: []int64{3}}), "0 arguments"},
		{control(world.Control{By: world.Button, Verb: "fall"}), "no such verb"},
		{control(world.Control{By: "shake", Verb: "rise"}), "no such gesture"},
		{control(world.Control{By: world.Place, Verb: "go", Scale: -1}), "not negative"},
		{control(world.Control{By: world.Steer, Verb: "go", Again: -1}), "not negative"},
		{control(world.Control{By: world.Button, Verb: "go", Args: []int64{-1}}), "x: -1 is outside"},
	} {
		err := c.look.Check(schema)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.look, err, c.want)
		}
	}
}

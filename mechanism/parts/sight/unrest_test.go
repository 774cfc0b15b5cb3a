package sight

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
)

// note has the field know what has changed, without looking.
func (c *scene) note(sync bool) {
	for d := range world.Diff(c.shown, c.state) {
		c.field.Change(d)
	}
	c.shown.CopyFrom(c.state)
	if sync {
		c.field.Sync()
	}
}

// Where it is calm, nothing that the user sees has changed, and to look would find nothing new.
func TestCalmMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		worlds := []world.World{newPlain(), &boundless{*newPlain()}, &foggy{*newPlain()}}
		c := newScene(rapid.SampledFrom(worlds).Draw(t, "world"), fixed.One/10)
		seen := c.state.Clone() // as of when the user was last looked after
		place := rapid.Int64Range(-5, 105)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			id := world.ID(rapid.IntRange(1, 8).Draw(t, "id"))
			switch o := c.state.Get(id); {
			case rapid.IntRange(0, 9).Draw(t, "what") == 0:
				c.state.Remove(id)
			case o != nil && o.Kind == thing:
				c.put(id, o.User, fixed.FromInt(place.Draw(t, "x")), fixed.FromInt(place.Draw(t, "y")))
			default:
				user := world.User(rapid.IntRange(0, 2).Draw(t, "user"))
				kind := world.KindID(rapid.IntRange(0, 1).Draw(t, "kind"))
				c.state.Put(world.Object{ID: id, Kind: kind, User: user})
			}
			c.note(rapid.Bool().Draw(t, "sync"))
			if c.field.Calm(c.user, &c.set) {
				for _, id := range c.in {
					if was, is := seen.Get(id), c.state.Get(id); is == nil || *was != *is {
						t.Fatalf("calm, although object %d has changed from %+v to %+v", id, was, is)
					}
				}
				c.log = nil
				c.field.Sync()
				if c.field.Look(c.user, c.reach, &c.set, c); len(c.log) > 0 {
					t.Fatalf("calm, although the user is to see %v", c.log)
				}
			} else if rapid.Bool().Draw(t, "look") {
				c.field.Look(c.user, c.reach, &c.set, c)
				seen.CopyFrom(c.state)
			}
		}
	})
}

func TestCalmFarFromWhatMoves(t *testing.T) {
	c := newScene(newPlain(), fixed.One/10)
	c.put(1, 1, 50*m, 50*m)
	c.put(2, 2, 55*m, 50*m)
	c.put(3, 3, 95*m, 95*m)
	if c.field.Calm(c.user, &c.set) {
		t.Error("calm before the user was ever looked after")
	}
	c.look()
	for _, step := range []struct {
		name string
		do   func()
		calm bool
	}{
		{"nothing", func() {}, true},
		{"one far away moves", func() { c.put(3, 3, 94*m, 95*m) }, true},
		{"one far away comes", func() { c.put(4, 3, 90*m, 95*m) }, true},
		{"a neighbour moves", func() { c.put(2, 2, 56*m, 50*m) }, false},
		{"the user moves", func() { c.put(1, 1, 51*m, 50*m) }, false},
		{"the user gets something far away", func() { c.put(5, 1, 5*m, 5*m) }, false},
		{"a score changes", func() { c.state.Put(world.Object{ID: 6, Kind: score}) }, false},
	} {
		step.do()
		c.note(true)
		if got := c.field.Calm(c.user, &c.set); got != step.calm {
			t.Errorf("%s: that it is calm is %v", step.name, got)
		}
		c.look()
	}
}

// Who has things all over the map is looked after at all times: to find out what has changed would take as long.
func TestWideSurroundingsAreNeverCalm(t *testing.T) {
	u := newUnrest(fixed.Box{Max: fixed.Vec{X: 1000 * m, Y: 1000 * m}}, 10*m)
	here, there := fixed.Vec{X: 5 * m, Y: 5 * m}, fixed.Vec{X: 995 * m, Y: 995 * m}
	if near := u.around([]fixed.Vec{here, here}); !u.quiet(near, u.clock) {
		t.Errorf("%+v is not quiet, where nothing has changed", near)
	}
	if far := u.around([]fixed.Vec{here, there}); u.quiet(far, u.clock) {
		t.Errorf("%+v is quiet", far)
	}
}

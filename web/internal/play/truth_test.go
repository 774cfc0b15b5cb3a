package play

import (
	"testing"

	"throng/world"
	"throng/worlds/crowd"
)

// What is revealed is listed, moved on by the time that has passed; hearsay about oneself is not, and nonsense never.
func TestTruth(t *testing.T) {
	s := town(t)
	c := enter(t, s)
	c.Act(s.now, world.Action{Verb: crowd.Walk, Args: [world.MaxArgs]int64{100}})
	s.run(c, world.Second)
	if c.Reveal([]byte("nonsense"), false) || len(c.Truths(s.now)) != 0 {
		t.Error("nonsense is taken for the truth")
	}
	view := c.machine.View()
	if !c.Reveal(view.Append(nil), false) || len(c.Truths(s.now)) != view.Len() {
		t.Errorf("%d objects of %d", len(c.Truths(s.now)), view.Len())
	}
	own := 0
	for o := range view.All() {
		if o.User == c.welcome.User {
			own++
		}
	}
	if !c.Reveal(view.Append(nil), true) || own == 0 || len(c.Truths(s.now)) != view.Len()-own {
		t.Errorf("%d objects of %d, %d of them one's own", len(c.Truths(s.now)), view.Len(), own)
	}
	c.Reveal(view.Append(nil), false)
	later := s.now + world.Second/4
	a, b := append(c.Truths(s.now)[:0:0], c.Truths(s.now)...), c.Truths(later)
	moved := false
	for i := range a {
		moved = moved || a[i].X != b[i].X || a[i].Y != b[i].Y
	}
	if !moved {
		t.Error("nothing moves on")
	}
}

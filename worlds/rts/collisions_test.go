package rts

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
)

// Two avatars that walk towards each other step aside and count that, or walk through each other, as in the source.
func TestAvatarsMayWalkThroughEachOther(t *testing.T) {
	for _, collide := range []bool{true, false} {
		c := param.Default[Config]()
		c.Users, c.Avatars, c.Collide = 1, 2, collide
		built, err := c.World()
		if err != nil {
			t.Fatal(err)
		}
		s := world.NewState(built.Schema(), 1)
		at := func(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }
		m := built.(*march)
		for i, x := range []int64{100, 110} {
			o := world.Object{ID: world.ID(i + 1), User: 1, Kind: kindAvatar, Pos: at(x, 50)}
			m.gait.send(&o, at(210-x, 50))
			s.Put(o)
		}
		w := world.NewWindow(s)
		for range 20 {
			w.Advance(built)
			for o := range s.All() {
				if !collide && o.Pos.Y != fixed.FromInt(50) {
					t.Fatalf("avatar %d stepped aside to %v", o.ID, o.Pos)
				}
			}
		}
		if met := s.Get(1).Attr[attrCollisions]; (met > 0) != collide {
			t.Errorf("collisions: %v, and avatar 1 met %d", collide, met)
		}
	}
}

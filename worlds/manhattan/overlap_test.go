package manhattan

import (
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
)

// The shortest effect range that is accepted is long enough: however two avatars stand who do not overlap, a move does not make
// them. With a shorter one it would.
func TestWhoCanBeMetIsWithinTheEffectRange(t *testing.T) {
	config := param.Default[Config]()
	config.Walls, config.Avatars = 0, 2
	config.Effect = config.touches()
	built, err := config.World()
	if err != nil {
		t.Fatal(err)
	}
	config.Effect--
	if config.Validate() == nil {
		t.Error("a shorter range is accepted")
	}
	overlap := func(s *world.State) bool {
		apart := s.Get(1).Pos.Sub(s.Get(2).Pos)
		return apart.X.Abs() < body && apart.Y.Abs() < body
	}
	rapid.Check(t, func(t *rapid.T) {
		s := world.NewState(built.Schema(), 1)
		built.Populate(s)
		near := func(name string) fixed.F {
			return fixed.F(rapid.Int64Range(int64(-3*body), int64(3*body)).Draw(t, name))
		}
		at := fixed.Vec{X: 500 * fixed.One, Y: 500 * fixed.One}
		s.Edit(1).Pos = at
		s.Edit(2).Pos = at.Add(fixed.Vec{X: near("x"), Y: near("y")})
		s.Edit(1).Vel = built.(*city).heading(rapid.Int64Range(0, 3).Draw(t, "direction"))
		if overlap(s) {
			return
		}
		world.NewWindow(s).Do(built, &world.Action{User: 1, Seq: 1})
		if overlap(s) {
			t.Fatalf("%v and %v overlap", s.Get(1).Pos, s.Get(2).Pos)
		}
	})
}

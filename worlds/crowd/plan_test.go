package crowd

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world/fixed"
)

// inHouse reports whether a place is within the walls of a house.
func inHouse(p *plan, v fixed.Vec) bool {
	at := locate(v)
	return p.blocks > 0 && at.onLot() && !p.open(at.block)
}

// somewhere draws a place in the town where one can stand, often at the edge of something.
func somewhere(p *plan) *rapid.Generator[fixed.Vec] {
	return rapid.Custom(func(t *rapid.T) fixed.Vec {
		coordinate := func(name string) fixed.F {
			whole := rapid.Int64Range(0, p.bounds.Max.X.Floor()).Draw(t, name)
			return fixed.FromInt(whole) + fixed.F(rapid.Int64Range(0, int64(metre-1)).Draw(t, name+" fraction"))
		}
		return p.clear(fixed.Vec{X: coordinate("x"), Y: coordinate("y")})
	})
}

func TestClearPlacesAreClear(t *testing.T) {
	p := newStreets(6)
	rapid.Check(t, func(t *rapid.T) {
		v := somewhere(&p).Draw(t, "place")
		if _, in := p.wall(v); in || inHouse(&p, v) || !p.bounds.Contains(v) {
			t.Fatalf("%v is not clear", v)
		}
		if p.clear(v) != v {
			t.Fatalf("%v was moved to %v", v, p.clear(v))
		}
	})
}

// TestEveryWayLeadsToItsGoal follows ways through the town: they end, pass through no house and are hardly longer than the
// streets demand.
func TestEveryWayLeadsToItsGoal(t *testing.T) {
	p := newStreets(6)
	rapid.Check(t, func(t *rapid.T) {
		from, goal := somewhere(&p).Draw(t, "from"), somewhere(&p).Draw(t, "goal")
		at, length := from, fixed.F(0)
		for legs := 0; at != goal; legs++ {
			if legs == 6 {
				t.Fatalf("after %d legs at %v", legs, at)
			}
			next := p.next(at, goal)
			for part := range fixed.F(65) {
				if v := at.Lerp(next, part*fixed.One/64); inHouse(&p, v) {
					t.Fatalf("between %v and %v through a house at %v", at, next, v)
				}
			}
			length += at.Dist(next)
			at = next
		}
		// Along streets, and at worst once to the next street and back.
		way := goal.Sub(from)
		if most := way.X.Abs() + way.Y.Abs() + pitch + 2*street; length > most {
			t.Fatalf("%v m long, want at most %v", length, most)
		}
	})
}

func TestOnAFieldTheWayIsStraight(t *testing.T) {
	p := newField(100 * metre)
	if got := p.next(at(1, 2), at(90, 80)); got != at(90, 80) {
		t.Errorf("by way of %v", got)
	}
}

func TestSlide(t *testing.T) {
	p := newStreets(4) // block (0, 0) is a house from 10 to 50 m along both axes, (1, 1) a square
	half := func(x, y int64) fixed.Vec { return at(x, y).Scale(fixed.One / 2) }
	for _, test := range []struct {
		name           string
		from, to, want fixed.Vec
	}{
		{"in the street", at(5, 20), at(6, 21), at(6, 21)},
		{"against a wall", half(19, 40), half(21, 40), half(19, 40)},
		{"along a wall", half(19, 40), half(21, 42), half(19, 42)},
		{"around a corner", half(19, 18), half(21, 18), half(21, 18)},
		{"onto a square", at(55, 80), at(65, 80), at(65, 80)},
		{"off the edge", at(1, 20), at(-1, 21), at(0, 21)},
		{"out of a house", at(12, 30), at(13, 30), half(19, 60)},
	} {
		if got := p.slide(test.from, test.to); got != test.want {
			t.Errorf("%s: slid to %v, want %v", test.name, got, test.want)
		}
	}
}

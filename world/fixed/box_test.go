package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// place draws points close enough to each other for boxes to touch, overlap and miss.
func place() *rapid.Generator[Vec] {
	coordinate := rapid.Int64Range(-6, 6)
	return rapid.Custom(func(t *rapid.T) Vec {
		return Vec{F(coordinate.Draw(t, "x")), F(coordinate.Draw(t, "y")), F(coordinate.Draw(t, "z"))}
	})
}

func box() *rapid.Generator[Box] {
	return rapid.Custom(func(t *rapid.T) Box {
		a, b := place().Draw(t, "a"), place().Draw(t, "b")
		return Box{a, a}.Union(Box{b, b})
	})
}

func TestBoxesAreSetsOfPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := box().Draw(t, "a"), box().Draw(t, "b")
		union, touching := a.Union(b), false
		for x := F(-6); x <= 6; x++ {
			for y := F(-6); y <= 6; y++ {
				for z := F(-6); z <= 6; z++ {
					p := Vec{x, y, z}
					touching = touching || a.Contains(p) && b.Contains(p)
					if (a.Contains(p) || b.Contains(p)) && !union.Contains(p) {
						t.Fatalf("%v lies in %v or %v but not in their union %v", p, a, b, union)
					}
				}
			}
		}
		if a.Intersects(b) != touching || b.Intersects(a) != touching {
			t.Fatalf("%v and %v have points in common: %v, but Intersects says otherwise", a, b, touching)
		}
		for _, corner := range []Vec{union.Min, union.Max} {
			holds := func(c func(Vec) F) bool {
				return c(corner) == c(a.Min) || c(corner) == c(a.Max) || c(corner) == c(b.Min) || c(corner) == c(b.Max)
			}
			if !holds(func(v Vec) F { return v.X }) || !holds(func(v Vec) F { return v.Y }) || !holds(func(v Vec) F { return v.Z }) {
				t.Fatalf("union %v of %v and %v is larger than need be", union, a, b)
			}
		}
	})
}

func TestClampIsTheNearestPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, p, other := box().Draw(t, "b"), place().Draw(t, "p"), place().Draw(t, "other")
		nearest := b.Clamp(p)
		if !b.Contains(nearest) {
			t.Fatalf("%v.Clamp(%v) = %v lies outside", b, p, nearest)
		}
		if b.Contains(other) && other.Dist(p) < b.DistTo(p) {
			t.Fatalf("%v in %v is nearer to %v than %v", other, b, p, nearest)
		}
		if got := b.DistTo(p); got != p.Dist(nearest) || (got == 0) != b.Contains(p) {
			t.Fatalf("%v.DistTo(%v) = %d", b, p, got)
		}
	})
}

func TestCentreIsTheMeanRoundedDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Box{vector().Draw(t, "min"), vector().Draw(t, "max")}
		mean := func(a, b F) F {
			sum := new(big.Int).Add(raw(a), raw(b))
			return F(sum.Rsh(sum, 1).Int64())
		}
		want := Vec{mean(b.Min.X, b.Max.X), mean(b.Min.Y, b.Max.Y), mean(b.Min.Z, b.Max.Z)}
		if got := b.Centre(); got != want {
			t.Fatalf("centre of %v = %v, want %v", b, got, want)
		}
	})
}

func TestBoxesByHand(t *testing.T) {
	b := Box{Vec{-One, 0, 2 * One}, Vec{One, 4 * One, 2 * One}}
	if got, want := b.Size(), (Vec{2 * One, 4 * One, 0}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	if got, want := b.Centre(), (Vec{0, 2 * One, 2 * One}); got != want {
		t.Errorf("centre %v, want %v", got, want)
	}
	if got, want := b.Grow(One), (Box{Vec{-2 * One, -One, One}, Vec{2 * One, 5 * One, 3 * One}}); got != want {
		t.Errorf("grown %v, want %v", got, want)
	}
	if got := b.Grow(One).Grow(-One); got != b {
		t.Errorf("grown and shrunk %v, want %v", got, b)
	}
	if got, want := Around(Vec{One, 0, 0}, One), (Box{Vec{0, -One, -One}, Vec{2 * One, One, One}}); got != want {
		t.Errorf("around %v, want %v", got, want)
	}
	if got := b.DistTo(Vec{4 * One, 8 * One, 2 * One}); got != 5*One {
		t.Errorf("distance %v, want 5", got)
	}
	if shrunk := b.Grow(-One); shrunk.Contains(b.Centre()) {
		t.Errorf("%v is empty but contains %v", shrunk, b.Centre())
	}
	whole := Box{Vec{Min, Min, Min}, Vec{Max, Max, Max}}
	if got, want := whole.Centre(), (Vec{-1, -1, -1}); got != want {
		t.Errorf("centre of everything %v, want %v", got, want)
	}
}

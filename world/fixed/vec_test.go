package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func vector() *rapid.Generator[Vec] {
	return rapid.Custom(func(t *rapid.T) Vec {
		return Vec{number().Draw(t, "x"), number().Draw(t, "y"), number().Draw(t, "z")}
	})
}

// sumOfSquares models the square of the distance between v and o, in units of 2⁻⁴⁸.
func sumOfSquares(v, o Vec) *big.Int {
	sum := new(big.Int)
	for _, pair := range [][2]F{{v.X, o.X}, {v.Y, o.Y}, {v.Z, o.Z}} {
		d := new(big.Int).Sub(raw(pair[0]), raw(pair[1]))
		sum.Add(sum, d.Mul(d, d))
	}
	return sum
}

func rootDown(square *big.Int) F { return nearest(new(big.Int).Sqrt(square), big.NewInt(1)) }

func TestLengthsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, o, r := vector().Draw(t, "v"), vector().Draw(t, "o"), number().Draw(t, "r")
		if got, want := v.Len(), rootDown(sumOfSquares(v, Vec{})); got != want {
			t.Fatalf("%v.Len() = %d, want %d", v, got, want)
		}
		if got, want := v.Dist(o), rootDown(sumOfSquares(v, o)); got != want {
			t.Fatalf("%v.Dist(%v) = %d, want %d", v, o, got, want)
		}
		for _, r := range []F{r, v.Len(), v.Len() - 1, v.Dist(o), v.Dist(o) - 1, Max} {
			inside := func(square *big.Int) bool { return r >= 0 && square.Cmp(product(r, r)) <= 0 }
			if got, want := v.LenWithin(r), inside(sumOfSquares(v, Vec{})); got != want {
				t.Fatalf("%v.LenWithin(%d) = %v, want %v", v, r, got, want)
			}
			if got, want := v.Within(o, r), inside(sumOfSquares(v, o)); got != want {
				t.Fatalf("%v.Within(%v, %d) = %v, want %v", v, o, r, got, want)
			}
		}
	})
}

func TestDistancesBeyondTheRange(t *testing.T) {
	// The sum of the squares of these gaps wraps around 128 bits to almost nothing.
	var gap uint64 = 13043817825332782213 // 2⁶³·√2, rounded up
	v := Vec{Min, Min, 0}
	o := Vec{Min + F(gap), Min + F(gap), 0}
	if v.Within(o, Max) || v.Dist(o) != Max {
		t.Errorf("%v and %v are %v apart, within the range: %v", v, o, v.Dist(o), v.Within(o, Max))
	}
}

func TestProductsOfVectorsAreRoundedOnce(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, v, o Vec) {
		dot := product(v.X, o.X)
		dot.Add(dot, product(v.Y, o.Y)).Add(dot, product(v.Z, o.Z))
		if got, want := v.Dot(o), nearest(dot, raw(One)); got != want {
			t.Fatalf("%v.Dot(%v) = %d, want %d", v, o, got, want)
		}
		cross := product(v.X, o.Y)
		cross.Sub(cross, product(v.Y, o.X))
		if got, want := v.Cross2(o), nearest(cross, raw(One)); got != want {
			t.Fatalf("%v.Cross2(%v) = %d, want %d", v, o, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, vector().Draw(t, "v"), vector().Draw(t, "o")) })

	// Sums beyond 127 bits, and sums beyond the range whose terms cancel.
	check(t, Vec{Min, Min, Min}, Vec{Min, Min, Min})
	check(t, Vec{Min, Min, Min}, Vec{Max, Max, Max})
	check(t, Vec{Min, Min, 0}, Vec{Max, Min, 0})
	check(t, Vec{Max, Max, One}, Vec{Max, -Max, One})
}

// along models v·length/|v|, each coordinate in units of the last place to 200 bits.
func along(v Vec, length F) [3]*big.Float {
	whole := new(big.Float).SetPrec(200).SetInt(sumOfSquares(v, Vec{}))
	whole.Sqrt(whole)
	var out [3]*big.Float
	for i, c := range []F{v.X, v.Y, v.Z} {
		out[i] = new(big.Float).SetPrec(200).SetInt(product(c, length))
		out[i].Quo(out[i], whole)
	}
	return out
}

func TestUnitAndLimitKeepTheDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := vector().Filter(func(v Vec) bool { return v != Vec{} }).Draw(t, "v")
		limit := F(rapid.Int64Min(0).Draw(t, "limit"))
		expect := func(name string, got Vec, want [3]*big.Float, units float64) {
			for i, c := range []F{got.X, got.Y, got.Z} {
				off := new(big.Float).SetInt(raw(c))
				if off.Sub(off, want[i]).Abs(off).Cmp(big.NewFloat(units)) > 0 {
					t.Fatalf("%v %s = %v, want %v", v, name, got, want)
				}
			}
		}
		expect("unit", v.Unit(), along(v, One), 0.51)

		limited := v.Limit(limit)
		if v.LenWithin(limit) {
			if limited != v {
				t.Fatalf("%v.Limit(%d) = %v although it is short enough", v, limit, limited)
			}
			return
		}
		expect("limited", limited, along(v, limit), 2)
		if !limited.LenWithin(limit) {
			t.Fatalf("%v.Limit(%d) = %v, which is too long", v, limit, limited)
		}
		if again := limited.Limit(limit); again != limited {
			t.Fatalf("%v limited again to %d is %v", limited, limit, again)
		}
	})
}

func TestVectorsByHand(t *testing.T) {
	v, o := Vec{3 * One, -4 * One, 0}, Vec{One, 2 * One, -One}
	for _, c := range []struct {
		name      string
		got, want Vec
	}{
		{"Add", v.Add(o), Vec{4 * One, -2 * One, -One}},
		{"Sub", v.Sub(o), Vec{2 * One, -6 * One, One}},
		{"Neg", v.Neg(), Vec{-3 * One, 4 * One, 0}},
		{"Scale", v.Scale(One / 2), Vec{One * 3 / 2, -2 * One, 0}},
		{"Unit", v.Unit(), Vec{Ratio(3, 5), -Ratio(4, 5), 0}},
		{"Unit of zero", Vec{}.Unit(), Vec{}},
		{"Unit of the shortest", Vec{X: -1}.Unit(), Vec{X: -One}},
		{"Limit to a negative length", v.Limit(-One), Vec{}},
		{"Limit", Vec{0, 0, -8 * One}.Limit(One), Vec{0, 0, -One}},
		{"Polar", Polar(2*One, QuarterTurn), Vec{Y: 2 * One}},
		{"Lerp halfway", v.Lerp(o, One/2), Vec{2 * One, -One, -One / 2}},
		{"Lerp beyond", Vec{}.Lerp(o, 2*One), Vec{2 * One, 4 * One, -2 * One}},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	if got := v.Len(); got != 5*One {
		t.Errorf("Len = %v, want 5", got)
	}
}

func TestLerpEndsExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, to := vector().Draw(t, "v"), vector().Draw(t, "to")
		if got := v.Lerp(to, 0); got != v {
			t.Fatalf("Lerp to 0 = %v, want %v", got, v)
		}
		if got := v.Lerp(to, One); got != to {
			t.Fatalf("Lerp to 1 = %v, want %v", got, to)
		}
	})
}

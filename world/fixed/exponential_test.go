package fixed

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// float is the exact value of a: numbers below 2⁵³ units have one.
func float(a F) float64 { return float64(a) / float64(One) }

// units is the distance between a and the real number want in units of the last place.
func units(a F, want float64) float64 {
	return math.Abs(float64(a) - want*float64(One))
}

func TestLogIsWithinItsBound(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, x F) {
		if got := Log(x); units(got, math.Log(float(x))) > 0.51 {
			t.Fatalf("Log(%d) = %d, which is off by %v units", x, got, units(got, math.Log(float(x))))
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, F(rapid.Int64Min(1).Draw(t, "x"))) })
	for x := F(1); x < Max-Max/500; x += x/500 + 1 {
		check(t, x)
	}
	check(t, Max)
	if got := Log(One); got != 0 {
		t.Errorf("Log(1) = %v", got)
	}
}

func TestLogOfNothingPanics(t *testing.T) {
	for _, x := range []F{0, -1, Min} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Log(%v) did not panic", x)
				}
			}()
			Log(x)
		}()
	}
}

// exp returns the exponential of x in units of the last place, to 200 bits.
func exp(x F) *big.Float {
	real := func(n float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(n) }
	argument := real(0).Quo(real(0).SetInt(raw(x.Abs())), real(float64(One)))
	sum, term := real(1), real(1)
	for n := 1; n < 200; n++ {
		term.Mul(term, argument).Quo(term, real(float64(n)))
		sum.Add(sum, term)
	}
	if x < 0 {
		sum.Quo(real(1), sum)
	}
	return sum.Mul(sum, real(float64(One)))
}

func TestExpIsWithinItsBound(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, x F) {
		want := exp(x)
		got := Exp(x)
		if got == Max {
			if limit := new(big.Float).SetInt(raw(Max)); want.Cmp(limit) < 0 {
				t.Fatalf("Exp(%d) saturates, want %v", x, want)
			}
			return
		}
		off := new(big.Float).SetInt(raw(got))
		off.Sub(off, want).Abs(off)
		allowed := new(big.Float).SetMantExp(want, -58)
		if off.Cmp(big.NewFloat(1)) > 0 && off.Cmp(allowed) > 0 {
			t.Fatalf("Exp(%d) = %d, want %v", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, F(rapid.Int64Range(int64(-30*One), int64(30*One)).Draw(t, "x")))
	})
	for x := -20 * One; x < 29*One; x += One / 37 {
		check(t, x)
	}
	for k := -26.0; k < 40; k++ { // where the result reaches a power of two
		x := F(k * math.Ln2 * float64(One))
		check(t, x-1)
		check(t, x)
		check(t, x+1)
	}
	for _, c := range []struct{ x, want F }{{0, One}, {Max, Max}, {Min, 0}, {28 * One, Max}, {-18 * One, 0}} {
		if got := Exp(c.x); got != c.want {
			t.Errorf("Exp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func TestExpUndoesLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := F(rapid.Int64Range(1, int64(One)).Draw(t, "x"))
		// Up to 1 the slope of the exponential is at most 1, so the half unit that Log may lose stays one.
		if back := Exp(Log(x)); (back - x).Abs() > 1 {
			t.Fatalf("Exp(Log(%d)) = %d", x, back)
		}
	})
}

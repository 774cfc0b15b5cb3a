package fixed

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// number draws numbers of every size, the ends of the range and the neighbours of zero included.
func number() *rapid.Generator[F] {
	return rapid.Map(rapid.Int64(), func(n int64) F { return F(n) })
}

func raw(a F) *big.Int { return big.NewInt(int64(a)) }

// nearest models the rounding of the package: num/den to the nearest integer, ties away from zero, saturated.
func nearest(num, den *big.Int) F {
	negative := num.Sign()*den.Sign() < 0
	n, d := new(big.Int).Abs(num), new(big.Int).Abs(den)
	n.Lsh(n, 1).Add(n, d)
	n.Quo(n, d.Lsh(d, 1))
	if negative {
		n.Neg(n)
	}
	switch {
	case n.Cmp(raw(Max)) > 0:
		return Max
	case n.Cmp(raw(Min)) < 0:
		return Min
	}
	return F(n.Int64())
}

func product(a, b F) *big.Int { return new(big.Int).Mul(raw(a), raw(b)) }
func scaled(a F) *big.Int     { return product(a, One) }

func TestArithmeticIsTheExactResultRoundedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := number().Draw(t, "a"), number().Draw(t, "b")
		expect := func(operation string, got, want F) {
			if got != want {
				t.Fatalf("%s = %d, want %d", operation, got, want)
			}
		}
		expect("a.Mul(b)", a.Mul(b), nearest(product(a, b), raw(One)))
		expect("a.MulInt(b)", a.MulInt(int64(b)), nearest(product(a, b), big.NewInt(1)))
		expect("FromInt(a)", FromInt(int64(a)), nearest(scaled(a), big.NewInt(1)))
		if b != 0 {
			expect("a.Div(b)", a.Div(b), nearest(scaled(a), raw(b)))
			expect("a.DivInt(b)", a.DivInt(int64(b)), nearest(raw(a), raw(b)))
			expect("Ratio(a, b)", Ratio(int64(a), int64(b)), nearest(scaled(a), raw(b)))
		}
		expect("a.Round()", F(a.Round()), nearest(raw(a), raw(One)))
		expect("a.Floor()", F(a.Floor()), F(new(big.Int).Div(raw(a), raw(One)).Int64()))
		expect("a.Abs()", a.Abs(), nearest(new(big.Int).Abs(raw(a)), big.NewInt(1)))
		expect("a.Sign()", F(a.Sign()), F(raw(a).Sign()))
		expect("a.Min(b)", a.Min(b), min(a, b))
		expect("a.Max(b)", a.Max(b), max(a, b))
	})
}

func TestArithmeticAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want F
	}{
		{"a product that ties rounds away from zero", F(3).Mul(One / 2), 2},
		{"so does its negative", F(-3).Mul(One / 2), -2},
		{"a product below a tie rounds towards zero", F(3).Mul(One/2 - 1), 1},
		{"a quotient that ties rounds away from zero", F(-3).DivInt(2), -2},
		{"products saturate above", Max.Mul(2 * One), Max},
		{"and below", Min.Mul(2 * One), Min},
		{"Min is its own product with 1", Min.Mul(One), Min},
		{"and saturates when negated by a product", Min.Mul(-One), Max},
		{"quotients saturate above", Max.Div(One / 2), Max},
		{"and below", Min.Div(1), Min},
		{"a quotient of the largest numbers is 1", Max.Div(Max), One},
		{"Min divided by -1 saturates", Min.DivInt(-1), Max},
		{"the largest quotient before its upper word saturates", Min.Div(1<<23 + 1), Min},
		{"the magnitude of Min saturates", Min.Abs(), Max},
		{"a clamp lifts", F(-5).Clamp(-2, 3), -2},
		{"a clamp lowers", F(5).Clamp(-2, 3), 3},
		{"a clamp leaves alone", F(1).Clamp(-2, 3), 1},
		{"a clamp with its ends swapped gives the first", F(1).Clamp(3, -2), 3},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, c.got, c.want)
		}
	}
}

func TestDivisionByZeroPanics(t *testing.T) {
	for name, divide := range map[string]func(){
		"Div":              func() { One.Div(0) },
		"Div of Max":       func() { Max.Div(0) },
		"DivInt":           func() { _ = One.DivInt(0) },
		"Ratio":            func() { Ratio(1, 0) },
		"Ratio of the max": func() { Ratio(math.MaxInt64, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			divide()
		})
	}
}

func TestSqrtIsTheRootRoundedDown(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, a F) {
		got := a.Sqrt()
		if want := new(big.Int).Sqrt(scaled(a)); raw(got).Cmp(want) != 0 {
			t.Fatalf("Sqrt(%d) = %d, want %d", a, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := number().Draw(t, "a")
		if a < 0 {
			if got := a.Sqrt(); got != 0 {
				t.Fatalf("Sqrt(%d) = %d, want 0", a, got)
			}
			return
		}
		check(t, a)
	})
	for a := range F(1 << 16) {
		check(t, a)
	}
	check(t, Max)
}

// TestRoot128 looks at squares and their neighbours, where a root rounded down goes wrong.
func TestRoot128(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, root uint64) {
		hi, lo := bits.Mul64(root, root)
		if got := root128(hi, lo); got != root {
			t.Fatalf("root of %d² = %d", root, got)
		}
		lo, borrow := bits.Sub64(lo, 1, 0)
		if got := root128(hi-borrow, lo); got != root-1 {
			t.Fatalf("root of %d²-1 = %d", root, got)
		}
		// (root+1)²-1 = root²-1 + 2·root+1, which fits into 128 bits for any root.
		lo, carry := bits.Add64(lo, 2*root+1, 0)
		hi += carry - borrow + root>>63
		if got := root128(hi, lo); got != root {
			t.Fatalf("root of (%d+1)²-1 = %d", root, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Uint64Min(1).Draw(t, "root")) })
	for bit := range 64 {
		for d := range uint64(100) {
			check(t, 1<<bit+d)
			check(t, -(1<<bit + d))
		}
	}
}

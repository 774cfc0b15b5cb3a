package fixed

import (
	"math"
	"math/big"
	"testing"
)

// The tables hold rounded constants; these tests compute them again. Double precision is fine enough for entries of
// 48 bits, those of 62 bits and more need big numbers.

func TestTablesOfSteps(t *testing.T) {
	for i, got := range lnStepQ48 {
		if want := math.Round(math.Log1p(float64(i)/32) * (1 << 48)); float64(got) != want {
			t.Errorf("ln(1+%d/32) = %d, want %.0f", i, got, want)
		}
	}
	for i, got := range arcQ48 {
		if want := math.Round(math.Atan2(float64(i), 16) / (2 * math.Pi) * (1 << 48)); float64(got) != want {
			t.Errorf("atan(%d/16) = %d, want %.0f", i, got, want)
		}
	}
}

func TestTableOfFactorials(t *testing.T) {
	for n, got := range invFactorialQ62 {
		quo, rem := new(big.Int), new(big.Int)
		factorial := new(big.Int).MulRange(1, int64(n))
		quo.QuoRem(new(big.Int).Lsh(big.NewInt(1), 62), factorial, rem)
		if rem.Lsh(rem, 1).Cmp(factorial) >= 0 {
			quo.Add(quo, big.NewInt(1))
		}
		if got != quo.Uint64() {
			t.Errorf("1/%d! = %d, want %v", n, got, quo)
		}
	}
}

func TestConstantsOfLogarithms(t *testing.T) {
	// ln 2 = Σ 1/(n·2ⁿ), with 128 fraction bits.
	sum := new(big.Int)
	for n := uint(1); n < 128; n++ {
		sum.Add(sum, new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(1), 128-n), big.NewInt(int64(n))))
	}
	rounded := func(bits uint) uint64 {
		n := new(big.Int).Rsh(sum, 127-bits)
		return n.Rsh(n.Add(n, big.NewInt(1)), 1).Uint64()
	}
	if got, want := uint64(ln2Q48), rounded(48); got != want {
		t.Errorf("ln 2 with 48 bits = %d, want %d", got, want)
	}
	if got, want := uint64(ln2Q64), rounded(64); got != want {
		t.Errorf("ln 2 with 64 bits = %d, want %d", got, want)
	}
	if got, want := float64(invLn2Q32), math.Round(math.Log2E*(1<<32)); got != want {
		t.Errorf("1/ln 2 with 32 bits = %.0f, want %.0f", got, want)
	}
}

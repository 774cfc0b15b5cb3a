package fixed

import "math/bits"

const (
	ln2Q48    = 195103586505167      // ln 2 with 48 fraction bits
	ln2Q64    = 12786308645202655660 // ln 2 with 64 fraction bits
	invLn2Q32 = 6196328019           // 1/ln 2 with 32 fraction bits
)

// lnStepQ48 holds ln(1 + i/32) with 48 fraction bits.
var lnStepQ48 = [33]int64{
	0, 8661451906573, 17064314013873, 25223580280171, 33152977218291, 40865102839786,
	48371547066152, 55682996496557, 62809325909300, 69759678463100, 76542536232600, 83165782443125,
	89636756550011, 95962303127591, 102148815384384, 108202273998089, 114128281861729, 119932095246910,
	125618651818601, 131192595875603, 136658301139996, 142019891375752, 147281259080020, 152446082459311,
	157517840876039, 162499828927881, 167395169302662, 172206824534353, 176937607771029, 181590192652790,
	186167122386477, 190670818094329, 195103586505167,
}

// Log returns the natural logarithm of x, at most 0.51 units of the last place from the true value. It panics unless
// x is positive.
func Log(x F) F {
	if x <= 0 {
		panic("fixed: logarithm of a number that is not positive")
	}
	// x = 2^exponent · m with m in [1, 2), here with 32 fraction bits.
	exponent := bits.Len64(uint64(x)) - 1
	m := int64(uint64(x) << (63 - exponent) >> 31)

	// ln m = ln c + ln(m/c) for the step c nearest to m; ln(m/c) = 2(s + s³/3 + ...) with s = (m-c)/(m+c), |s| < 2⁻⁷.
	step := (m - 1<<32 + 1<<26) >> 27
	c := 1<<32 + step<<27
	s := (m - c) << 36 / (m + c)
	cube := s * s >> 36 * s >> 36
	ln := int64(exponent-Shift)*ln2Q48 + lnStepQ48[step] + (s+cube/3)<<13
	return F((ln + 1<<(47-Shift)) >> (48 - Shift))
}

// invFactorialQ62 holds 1/n! with 62 fraction bits.
var invFactorialQ62 = [20]uint64{
	4611686018427387904, 4611686018427387904, 2305843009213693952, 768614336404564651, 192153584101141163,
	38430716820228233, 6405119470038039, 915017067148291, 114377133393536, 12708570377060,
	1270857037706, 115532457973, 9627704831, 740592679, 52899477,
	3526632, 220414, 12966, 720, 38,
}

// Exp returns e to the power of x, at most one unit of the last place or 2⁻⁵⁸ of the value from the true value,
// whichever is larger. It returns Max where that exceeds the range and 0 where it is less than half a unit.
func Exp(x F) F {
	if x > 28*One {
		return Max
	}
	if x < -18*One {
		return 0
	}
	// exp(x) = 2^k · exp(r). The estimate of k errs only downwards, which keeps r from being negative; r stays below
	// ln 2 + 2⁻²⁵, and its integer part, which overflows, is zero.
	k := (int64(x)*invLn2Q32 - 1<<30) >> (Shift + 32)
	r := uint64(x)<<(64-Shift) - uint64(k)*ln2Q64

	sum := invFactorialQ62[19]
	for n := 18; n >= 0; n-- {
		product, _ := bits.Mul64(sum, r)
		sum = product + invFactorialQ62[n]
	}
	shift := 62 - Shift - k
	if shift < 0 {
		return Max
	}
	if shift > 0 {
		sum = (sum>>(shift-1) + 1) >> 1
	}
	return signed(sum, 0)
}

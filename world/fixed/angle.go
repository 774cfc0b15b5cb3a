package fixed

import "math/bits"

// Angle is a direction or a turn. A full turn is 2³², so that angles wrap around by themselves; they grow
// counter-clockwise from the x axis.
type Angle uint32

const (
	QuarterTurn Angle = 1 << 30
	HalfTurn    Angle = 1 << 31
)

// Degrees returns the angle of n degrees.
func Degrees(n int64) Angle {
	n %= 360
	if n < 0 {
		n += 360
	}
	return Angle((n<<32 + 180) / 360)
}

// Sin returns the sine of a, at most 0.6·2⁻²⁴ from the true value and exact at multiples of a quarter turn.
func Sin(a Angle) F {
	// Fold the turn into its first quarter, x in [0, 1] with 31 fraction bits.
	x := int64(a&(QuarterTurn-1)) << 1
	if a&QuarterTurn != 0 {
		x = 1<<31 - x
	}
	// The Taylor series of sin(x·π/2) up to x¹³; what is left out is below 2⁻³⁰.
	square := x * x >> 31
	sum := int64(122)
	sum = sum*square>>31 - 7728
	sum = sum*square>>31 + 344545
	sum = sum*square>>31 - 10053990
	sum = sum*square>>31 + 171138612
	sum = sum*square>>31 - 1387197337
	sum = sum*square>>31 + 3373259426
	sine := F((sum*x>>31 + 1<<(30-Shift)) >> (31 - Shift))
	if a >= HalfTurn {
		return -sine
	}
	return sine
}

// Cos returns the cosine of a, as accurately as Sin.
func Cos(a Angle) F {
	return Sin(a + QuarterTurn)
}

// arcQ48 holds atan(i/16) in 2⁻⁴⁸ turns.
var arcQ48 = [17]int64{
	0, 2796246208089, 5570871696862, 8303242282030, 10974586953444, 13568676889799,
	16072256526237, 18475218184511, 20770547670515, 22954091652040, 25024206925308, 26981349178536,
	28827648836634, 30566508387586, 32202242574514, 33739771931634, 35184372088832,
}

// Atan2 returns the angle of the vector (x, y), at most 1.25·2⁻³² turns from the true one and exact on the axes and
// diagonals. The angle of the zero vector is 0.
func Atan2(y, x F) Angle {
	short, long := y.magnitude(), x.magnitude()
	steep := short > long
	if steep {
		short, long = long, short
	}
	if long == 0 {
		return 0
	}
	if excess := bits.Len64(long) - 32; excess > 0 {
		short >>= excess
		long >>= excess
	}
	a := arc(int64(short), int64(long))
	if steep {
		a = QuarterTurn - a
	}
	if x < 0 {
		a = HalfTurn - a
	}
	if y < 0 {
		a = -a
	}
	return a
}

// arc returns the angle of (long, short) in the first octant, for 0 ≤ short ≤ long < 2³².
func arc(short, long int64) Angle {
	// atan(short/long) = atan(i/16) + atan(u) for the step i/16 nearest to the ratio; |u| ≤ 1/32, so that three terms
	// of the series suffice. u has 32 fraction bits.
	i := (16*short + long/2) / long
	u := (16*short - i*long) << 32 / (16*long + i*short)
	square := u * u >> 32
	cube := square * u >> 32
	rest := u - cube/3 + (cube*square>>32)/5
	const turnsQ37 = 21874088818 // 1/2π with 37 fraction bits
	return Angle((arcQ48[i] + rest*turnsQ37>>21 + 1<<15) >> 16)
}

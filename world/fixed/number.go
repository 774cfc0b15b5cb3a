package fixed

import (
	"math"
	"math/bits"
)

// F is a number with Shift fraction bits.
type F int64

// Shift is the number of fraction bits of an F.
const Shift = 24

const (
	One F = 1 << Shift    // the number 1
	Max F = math.MaxInt64 // the largest number, just below 2³⁹
	Min F = math.MinInt64 // the smallest number, -2³⁹
)

const half = 1 << (Shift - 1)

// FromInt returns n as a number.
func FromInt(n int64) F {
	return One.MulInt(n)
}

// Ratio returns num/den.
func Ratio(num, den int64) F {
	return F(num).Div(F(den))
}

// Mul returns a·b.
func (a F) Mul(b F) F {
	hi, lo := bits.Mul64(a.magnitude(), b.magnitude())
	return narrow(hi, lo, (a ^ b).signBits())
}

// MulInt returns a·n.
func (a F) MulInt(n int64) F {
	hi, lo := bits.Mul64(a.magnitude(), F(n).magnitude())
	sign := (a ^ F(n)).signBits()
	if hi != 0 {
		return saturated(sign)
	}
	return signed(lo, sign)
}

// Div returns a/b. It panics if b is zero.
func (a F) Div(b F) F {
	n, d := a.magnitude(), b.magnitude()
	sign := (a ^ b).signBits()
	var quo, rem uint64
	if n < 1<<(64-Shift) { // almost always: the shifted dividend fits into one word
		n <<= Shift
		quo, rem = n/d, n%d
	} else {
		hi, lo := n>>(64-Shift), n<<Shift
		if d != 0 && hi >= d {
			return saturated(sign)
		}
		quo, rem = bits.Div64(hi, lo, d)
	}
	return signed(roundQuotient(quo, rem, d), sign)
}

// DivInt returns a/n. It panics if n is zero.
func (a F) DivInt(n int64) F {
	num, den := a.magnitude(), F(n).magnitude()
	return signed(roundQuotient(num/den, num%den, den), (a ^ F(n)).signBits())
}

// Abs returns |a|. The magnitude of Min is Max.
func (a F) Abs() F {
	if a == Min {
		return Max
	}
	if a < 0 {
		return -a
	}
	return a
}

// Sign returns -1, 0 or 1 as a is negative, zero or positive.
func (a F) Sign() int {
	if a < 0 {
		return -1
	}
	if a > 0 {
		return 1
	}
	return 0
}

// Floor returns the largest integer that is at most a.
func (a F) Floor() int64 {
	return int64(a >> Shift)
}

// Round returns the integer nearest to a.
func (a F) Round() int64 {
	return int64(signed((a.magnitude()+half)>>Shift, a.signBits()))
}

// Min returns the smaller of a and b.
func (a F) Min(b F) F {
	return min(a, b)
}

// Max returns the larger of a and b.
func (a F) Max(b F) F {
	return max(a, b)
}

// Clamp returns the number in [lo, hi] that is nearest to a. With lo > hi it returns lo.
func (a F) Clamp(lo, hi F) F {
	return max(lo, min(a, hi))
}

// magnitude returns |a| without the overflow that -Min would have as an F.
func (a F) magnitude() uint64 {
	sign := a.signBits()
	return uint64((a ^ sign) - sign)
}

// signBits returns -1 if a is negative and 0 otherwise. Signs are random in most worlds: used as a mask, which inverts
// all bits or none, a sign costs no branch that is predicted wrongly half of the time.
func (a F) signBits() F {
	return a >> 63
}

// signed returns the number of the given magnitude and sign bits.
func signed(magnitude uint64, sign F) F {
	if magnitude > math.MaxInt64 {
		return saturated(sign)
	}
	return (F(magnitude) ^ sign) - sign
}

// saturated returns the end of the range on the side of the given sign bits.
func saturated(sign F) F {
	return Max ^ sign
}

// narrow rounds the product of two magnitudes, which has twice Shift fraction bits, to a number.
func narrow(hi, lo uint64, sign F) F {
	lo, carry := bits.Add64(lo, half, 0)
	hi += carry
	if hi>>Shift != 0 {
		return saturated(sign)
	}
	return signed(hi<<(64-Shift)|lo>>Shift, sign)
}

// roundQuotient rounds quo + rem/den to the nearest integer. For Div the result could overflow only if the dividend
// were less than den/2 below 2⁶⁴·den. But both are multiples of 2²⁴, and a quotient that large needs den ≤ 2²³.
func roundQuotient(quo, rem, den uint64) uint64 {
	if rem >= den-rem {
		quo++
	}
	return quo
}

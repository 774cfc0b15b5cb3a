package fixed

import "math/bits"

// squares returns x² + y² + z² for magnitudes up to 2⁶³, whose sum is below 2¹²⁸.
func squares(x, y, z uint64) (hi, lo uint64) {
	xHi, xLo := bits.Mul64(x, x)
	yHi, yLo := bits.Mul64(y, y)
	zHi, zLo := bits.Mul64(z, z)
	lo, carry1 := bits.Add64(xLo, yLo, 0)
	lo, carry2 := bits.Add64(lo, zLo, 0)
	return xHi + yHi + zHi + carry1 + carry2, lo
}

// within says whether x² + y² + z² ≤ r².
func within(x, y, z uint64, r F) bool {
	if r < 0 {
		return false
	}
	hi, lo := squares(x, y, z)
	rHi, rLo := bits.Mul64(uint64(r), uint64(r))
	return hi < rHi || hi == rHi && lo <= rLo
}

// productSum adds products of numbers without rounding or overflow: a two's complement number of 192 bits.
type productSum struct{ top, hi, lo uint64 }

func (s *productSum) add(a, b F) {
	hi, lo := mulSigned(a, b)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, carry = bits.Add64(s.hi, hi, carry)
	s.top += uint64(int64(hi)>>63) + carry
}

func (s *productSum) sub(a, b F) {
	hi, lo := mulSigned(a, b)
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, lo, 0)
	s.hi, borrow = bits.Sub64(s.hi, hi, borrow)
	s.top -= uint64(int64(hi)>>63) + borrow
}

// round returns the sum as a number.
func (s *productSum) round() F {
	sign := s.top >> 63 * ^uint64(0)
	lo, borrow := bits.Sub64(s.lo^sign, sign, 0)
	hi, _ := bits.Sub64(s.hi^sign, sign, borrow)
	return narrow(hi, lo, F(sign))
}

// mulSigned returns the two's complement product of a and b.
func mulSigned(a, b F) (hi, lo uint64) {
	hi, lo = bits.Mul64(uint64(a), uint64(b))
	hi -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return hi, lo
}

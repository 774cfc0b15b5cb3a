package fixed

import "math/bits"

// Sqrt returns the largest number whose square is at most a, and 0 if a is negative.
func (a F) Sqrt() F {
	if a <= 0 {
		return 0
	}
	return F(root128(uint64(a)>>(64-Shift), uint64(a)<<Shift))
}

// root128 returns the integer square root of hi·2⁶⁴+lo, rounded down.
func root128(hi, lo uint64) uint64 {
	if hi == 0 {
		if lo == 0 {
			return 0
		}
		shift := bits.LeadingZeros64(lo) &^ 1
		return root64(lo<<shift) >> (shift / 2)
	}
	// Scale by a power of four to make the top bits significant; the root scales by the power of two.
	shift := bits.LeadingZeros64(hi) &^ 1
	hi = hi<<shift | lo>>(64-shift)
	lo <<= shift

	// With the root of the upper half known, dividing the remainder by twice that root gives the lower half of the
	// digits, as in long-hand extraction. The quotient may be one digit too many, and the result one too large.
	upper := root64(hi)
	rem := hi - upper*upper
	lower := min((rem<<31|lo>>33)/upper, 1<<32-1)
	root := upper<<32 + lower
	if sqHi, sqLo := bits.Mul64(root, root); sqHi > hi || sqHi == hi && sqLo > lo {
		root--
	}
	return root >> (shift / 2)
}

// root64 returns the integer square root of n, rounded down, for n ≥ 2⁶².
func root64(n uint64) uint64 {
	// On [2⁶², 2⁶⁴) a line approximates the root to one part in 30. Each Newton step squares that error and halves it,
	// and none falls below the root rounded down; three make it less than one unit.
	const offset = 1503238553 // 0.7·2³¹
	root := n/3>>31 + offset
	root = (root + n/root) / 2
	root = (root + n/root) / 2
	root = (root + n/root) / 2
	if hi, lo := bits.Mul64(root, root); hi != 0 || lo > n {
		root--
	}
	return root
}

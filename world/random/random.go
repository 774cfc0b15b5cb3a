// Package random draws numbers that depend on nothing but their seed.
//
// There is no global source. Every consumer of randomness owns a [Stream], derived from the seed of the run, the
// consumer's name and whatever identifies it: adding a consumer shifts the numbers of no other. The generator is
// written out here, so that the numbers do not change with a release of the standard library, and it computes with
// integers only, so that they do not change with the processor.
package random

import (
	"math/bits"

	"throng/world/fixed"
)

// Stream is a sequence of random numbers: the generator PCG-DXSM by Melissa O'Neill, with a period of 2¹²⁸. A copy
// continues with the same numbers as the original, so a stream can be kept in a snapshot. The zero Stream works, but
// all zero streams are alike: use New or Of.
type Stream struct{ hi, lo uint64 }

// New returns the stream of a named consumer, told apart from others of that name by keys.
func New(seed uint64, name string, keys ...uint64) Stream {
	const offset, prime = 14695981039346656037, 1099511628211 // of the hash FNV-1a
	hash := uint64(offset)
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * prime
	}
	return derive(scramble(seed^scramble(hash)), keys)
}

// Of returns a stream for a moment's use that is told apart from others by keys alone, such as the tick and the object
// for which a rule draws.
func Of(seed uint64, keys ...uint64) Stream {
	return derive(scramble(seed), keys)
}

// derive chains the keys to hash. Each passes through scramble before the next, so their order and number matter.
func derive(hash uint64, keys []uint64) Stream {
	for _, key := range keys {
		hash = scramble(hash ^ key)
	}
	return Stream{hi: hash, lo: scramble(hash)}
}

// scramble is one step of the generator SplitMix64: a bijection in which every bit of x affects every bit of the
// result.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns 64 random bits, which can also be read as the fraction bits of a number in [0, 1).
func (s *Stream) Uint64() uint64 {
	const (
		multiplierHi, multiplierLo = 2549297995355413924, 4865540595714422341
		incrementHi, incrementLo   = 6364136223846793005, 1442695040888963407
		cheapMultiplier            = 0xda942042e4dd58b5
	)
	hi, lo := bits.Mul64(s.lo, multiplierLo)
	hi += s.hi*multiplierLo + s.lo*multiplierHi
	lo, carry := bits.Add64(lo, incrementLo, 0)
	hi, _ = bits.Add64(hi, incrementHi, carry)
	s.hi, s.lo = hi, lo

	hi ^= hi >> 32
	hi *= cheapMultiplier
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// Below returns an integer in [0, n), each equally likely. It panics if n is zero.
func (s *Stream) Below(n uint64) uint64 {
	if n == 0 {
		panic("random: nothing lies below zero")
	}
	// Lemire's method: the upper word of a 64-bit draw times n, drawn again while the lower word shows that the
	// result belongs to the 2⁶⁴ mod n draws too many.
	result, low := bits.Mul64(s.Uint64(), n)
	if low < n {
		for surplus := -n % n; low < surplus; {
			result, low = bits.Mul64(s.Uint64(), n)
		}
	}
	return result
}

// Fixed returns a number in [0, 1).
func (s *Stream) Fixed() fixed.F {
	return fixed.F(s.Uint64() >> (64 - fixed.Shift))
}

// Between returns a number in [lo, hi), each equally likely, and lo if that range is empty.
func (s *Stream) Between(lo, hi fixed.F) fixed.F {
	if hi <= lo {
		return lo
	}
	return lo + fixed.F(s.Below(uint64(hi)-uint64(lo)))
}

// Chance returns true with probability p: never at 0 or less, always at 1 or more.
func (s *Stream) Chance(p fixed.F) bool {
	return s.Fixed() < p
}

// Angle returns a direction, each equally likely.
func (s *Stream) Angle() fixed.Angle {
	return fixed.Angle(s.Uint64() >> 32)
}

// Exponential returns a number of the exponential distribution with the given mean. It never exceeds 44 times the
// mean.
func (s *Stream) Exponential(mean fixed.F) fixed.F {
	return mean.Mul(s.exponential())
}

const ln2Times39 fixed.F = 453534119

// exponential returns a number of the exponential distribution with mean 1: -ln(u/2⁶³) for a random odd u below 2⁶³.
// Taking u for the raw value of a fixed.F, the logarithm of u/2⁶³ is that of the number less 39·ln 2, and the tail is
// as fine as 63 bits allow rather than the 24 of a fraction.
func (s *Stream) exponential() fixed.F {
	return ln2Times39 - fixed.Log(fixed.F(s.Uint64()>>1|1))
}

// Normal returns a number of the normal distribution with the given mean and standard deviation. It never lies more
// than ten deviations from the mean.
func (s *Stream) Normal(mean, deviation fixed.F) fixed.F {
	// Box and Muller: the squared distance of a normal point in the plane from its centre is exponential, its
	// direction uniform.
	radius := (2 * s.exponential()).Sqrt()
	return mean + deviation.Mul(radius.Mul(fixed.Cos(s.Angle())))
}

// Shuffle puts n elements into random order, each order equally likely, by calls of swap.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(s.Below(uint64(i)+1)))
	}
}

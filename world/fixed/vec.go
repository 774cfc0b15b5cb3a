package fixed

import "math/bits"

// Vec is a point or a vector. Two-dimensional worlds leave Z zero.
type Vec struct{ X, Y, Z F }

// Polar returns the vector of length r and heading a in the x-y plane.
func Polar(r F, a Angle) Vec {
	return Vec{X: r.Mul(Cos(a)), Y: r.Mul(Sin(a))}
}

// Add returns v + o, each coordinate wrapping around beyond the range.
func (v Vec) Add(o Vec) Vec {
	return Vec{v.X + o.X, v.Y + o.Y, v.Z + o.Z}
}

// Sub returns v - o, each coordinate wrapping around beyond the range.
func (v Vec) Sub(o Vec) Vec {
	return Vec{v.X - o.X, v.Y - o.Y, v.Z - o.Z}
}

// Neg returns -v.
func (v Vec) Neg() Vec {
	return Vec{-v.X, -v.Y, -v.Z}
}

// Scale returns v·k.
func (v Vec) Scale(k F) Vec {
	return Vec{v.X.Mul(k), v.Y.Mul(k), v.Z.Mul(k)}
}

// Dot returns the scalar product of v and o, rounded once.
func (v Vec) Dot(o Vec) F {
	var s productSum
	s.add(v.X, o.X)
	s.add(v.Y, o.Y)
	s.add(v.Z, o.Z)
	return s.round()
}

// Cross2 returns the z coordinate of the cross product of v and o, rounded once: positive if o lies to the left of v
// in the x-y plane.
func (v Vec) Cross2(o Vec) F {
	var s productSum
	s.add(v.X, o.Y)
	s.sub(v.Y, o.X)
	return s.round()
}

// Len returns the length of v, rounded down.
func (v Vec) Len() F {
	return signed(root128(squares(v.X.magnitude(), v.Y.magnitude(), v.Z.magnitude())), 0)
}

// LenWithin says whether v is at most r long, exactly and without the cost of a root.
func (v Vec) LenWithin(r F) bool {
	return within(v.X.magnitude(), v.Y.magnitude(), v.Z.magnitude(), r)
}

// Dist returns the distance between v and o, rounded down.
func (v Vec) Dist(o Vec) F {
	x, y, z := gap(v.X, o.X), gap(v.Y, o.Y), gap(v.Z, o.Z)
	if x|y|z > uint64(Max) {
		return Max
	}
	return signed(root128(squares(x, y, z)), 0)
}

// Within says whether v and o are at most r apart, exactly and without the cost of a root.
func (v Vec) Within(o Vec, r F) bool {
	x, y, z := gap(v.X, o.X), gap(v.Y, o.Y), gap(v.Z, o.Z)
	return x|y|z <= uint64(Max) && within(x, y, z, r)
}

// Unit returns the vector of length 1 in the direction of v, each coordinate within 0.51 units of the last
// place. The zero vector stays zero.
func (v Vec) Unit() Vec {
	x, y, z := v.X.magnitude(), v.Y.magnitude(), v.Z.magnitude()
	if x|y|z == 0 {
		return Vec{}
	}
	// Only the direction counts. Scaling it to 38 bits makes the length accurate for the shortest vectors and keeps
	// the divisions short for the longest.
	if shift := 38 - bits.Len64(x|y|z); shift >= 0 {
		x, y, z = x<<shift, y<<shift, z<<shift
	} else {
		x, y, z = x>>-shift, y>>-shift, z>>-shift
	}
	length := F(root128(squares(x, y, z)))
	return Vec{
		signed(x, v.X.signBits()).Div(length),
		signed(y, v.Y.signBits()).Div(length),
		signed(z, v.Z.signBits()).Div(length),
	}
}

// Limit returns v, shortened to most if it is longer. The result is never longer than most, so limiting it again
// changes nothing.
func (v Vec) Limit(most F) Vec {
	if v.LenWithin(most) {
		return v
	}
	if most <= 0 {
		return Vec{}
	}
	x, y, z := v.X.magnitude(), v.Y.magnitude(), v.Z.magnitude()
	hi, lo := squares(x, y, z)
	length := root128(hi, lo)
	if sqHi, sqLo := bits.Mul64(length, length); sqHi != hi || sqLo != lo {
		length++ // rounded up, the length makes the result rather too short than too long
	}
	return Vec{
		signed(share(x, most, length), v.X.signBits()),
		signed(share(y, most, length), v.Y.signBits()),
		signed(share(z, most, length), v.Z.signBits()),
	}
}

// Heading returns the direction of v in the x-y plane.
func (v Vec) Heading() Angle {
	return Atan2(v.Y, v.X)
}

// Lerp returns the point at the part t of the way from v to the point to: v at 0, to at One, beyond them outside.
func (v Vec) Lerp(to Vec, t F) Vec {
	return v.Add(to.Sub(v).Scale(t))
}

// gap returns |a - b|, which may exceed the range of an F.
func gap(a, b F) uint64 {
	return uint64(max(a, b)) - uint64(min(a, b))
}

// share returns total·part/whole, rounded down, for part ≤ whole.
func share(part uint64, total F, whole uint64) uint64 {
	hi, lo := bits.Mul64(part, uint64(total))
	quo, _ := bits.Div64(hi, lo, whole)
	return quo
}

package octree

import "throng/world/fixed"

// Volume is a box of the cube: the points from Low to High, both included.
type Volume struct{ Low, High Point }

// Limits say how closely boxes are fitted.
type Limits struct {
	Splits uint8 // how often a node may be split into its children on the way down; none gives the one node that encloses a box
	Depth  uint8 // how deep nodes may lie; what is smaller than such a node counts as as large
}

// Fit appends to dst the nodes that cover a volume, in the order of Compare. None covers another. Together they hold the whole
// volume and, the more splits are allowed, the less beyond it.
func Fit(dst []Code, v Volume, l Limits) []Code {
	l.Depth = min(l.Depth, AxisBits)
	return fit(dst, v.Low, v.High, int(l.Splits), l.Depth)
}

// FitBox does the same for a box of the world.
func (s Space) FitBox(dst []Code, b fixed.Box, l Limits) []Code { return Fit(dst, s.Volume(b), l) }

// fit goes down to the deepest node that holds the volume, for which nothing has to be split, and there splits the volume
// among the children that it lies in.
func fit(dst []Code, low, high Point, splits int, deepest uint8) []Code {
	depth := min(sharedDepth(low, high), deepest)
	rest := below(depth)
	whole := (low.X|low.Y|low.Z)&rest == 0 && high.X&high.Y&high.Z&rest == rest
	if splits == 0 || depth == deepest || whole {
		return append(dst, At(low, depth))
	}
	half := rest>>1 + 1 // the lowest coordinate of the upper children, within the node
	for child := range 8 {
		l, h := low, high
		if !clip(&l.X, &h.X, half, child&1) || !clip(&l.Y, &h.Y, half, child>>1&1) || !clip(&l.Z, &h.Z, half, child>>2) {
			continue
		}
		dst = fit(dst, l, h, splits-1, deepest)
	}
	return dst
}

// clip cuts an interval to the lower or the upper half of a node and reports whether anything is left of it. Half is the bit
// by which the halves differ.
func clip(low, high *uint64, half uint64, upper int) bool {
	if upper == 0 {
		if *low&half != 0 {
			return false
		}
		if *high&half != 0 {
			*high = *low&^(half-1) | (half - 1)
		}
		return true
	}
	if *high&half == 0 {
		return false
	}
	if *low&half == 0 {
		*low = *high &^ (half - 1)
	}
	return true
}

// Diff calls add for every code that is in to and not in from, and then remove for every code that is in from and not in to:
// what moves is never nowhere. Both lists are in the order of Compare.
func Diff(from, to []Code, add, remove func(Code)) {
	missing(to, from, add)
	missing(from, to, remove)
}

// missing calls f for every code of a that is not in b.
func missing(a, b []Code, f func(Code)) {
	for _, c := range a {
		for len(b) > 0 && Compare(b[0], c) < 0 {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != c {
			f(c)
		}
	}
}

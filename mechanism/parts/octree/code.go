package octree

import (
	"cmp"
	"fmt"
	"math/bits"

	"throng/world/fixed"
)

// AxisBits is how many bits a coordinate has, and so how deep the tree can get.
const AxisBits = 62

const axisMax = 1<<AxisBits - 1

// Point is a place in the cube, each coordinate below 2^AxisBits.
type Point struct{ X, Y, Z uint64 }

// Code names a node: the cube of 2^(AxisBits-Depth) units a side whose lowest corner is Low. The zero Code is the root.
type Code struct {
	Low   Point
	Depth uint8
}

// At is the node of a depth that a point lies in.
func At(p Point, depth uint8) Code {
	mask := ^below(depth)
	return Code{Point{p.X & mask, p.Y & mask, p.Z & mask}, depth}
}

// below has those bits of a coordinate set that tell apart points of one node.
func below(depth uint8) uint64 { return axisMax >> depth }

// High is the highest corner of the node, which belongs to it.
func (c Code) High() Point {
	b := below(c.Depth)
	return Point{c.Low.X | b, c.Low.Y | b, c.Low.Z | b}
}

// Parent is the node above. The root has none and is returned itself.
func (c Code) Parent() Code { return At(c.Low, c.Depth-min(c.Depth, 1)) }

// Covers reports whether d is the node itself or below it.
func (c Code) Covers(d Code) bool {
	return c.Depth <= d.Depth && ((c.Low.X^d.Low.X)|(c.Low.Y^d.Low.Y)|(c.Low.Z^d.Low.Z))&^below(c.Depth) == 0
}

// Common is the deepest node that covers both.
func Common(c, d Code) Code {
	return At(c.Low, min(c.Depth, d.Depth, sharedDepth(c.Low, d.Low)))
}

// sharedDepth is how deep the deepest node is that both points lie in.
func sharedDepth(a, b Point) uint8 {
	return uint8(AxisBits - bits.Len64((a.X^b.X)|(a.Y^b.Y)|(a.Z^b.Z)))
}

// branch is which of a node's eight children a point below it lies in.
func (c Code) branch(p Point) int {
	shift := AxisBits - 1 - c.Depth
	return int(p.X>>shift&1 | p.Y>>shift&1<<1 | p.Z>>shift&1<<2)
}

// Compare orders codes along the Morton curve, a node before what is below it.
func Compare(c, d Code) int {
	x, y, z := c.Low.X^d.Low.X, c.Low.Y^d.Low.Y, c.Low.Z^d.Low.Z
	switch {
	case x|y|z == 0:
		return cmp.Compare(c.Depth, d.Depth)
	case z >= x && z >= y || !belowTop(z, x) && !belowTop(z, y):
		return cmp.Compare(c.Low.Z, d.Low.Z)
	case !belowTop(y, x):
		return cmp.Compare(c.Low.Y, d.Low.Y)
	}
	return cmp.Compare(c.Low.X, d.Low.X)
}

// belowTop reports whether the highest bit of a is below that of b.
func belowTop(a, b uint64) bool { return a < b && a < a^b }

func (c Code) String() string {
	shift := AxisBits - c.Depth
	return fmt.Sprintf("%d/%x.%x.%x", c.Depth, c.Low.X>>shift, c.Low.Y>>shift, c.Low.Z>>shift)
}

// Space is the part of a world that the cube stands for: from Origin on, 2^Bits of the smallest fixed-point units a side.
type Space struct {
	Origin fixed.Vec
	Bits   uint8
}

// Enclose returns the smallest space that a box fits into, from its lowest corner on. A box that is larger than 2^AxisBits
// units is not enclosed whole: what lies beyond counts as at its edge.
func Enclose(b fixed.Box) Space {
	side := max(extent(b.Min.X, b.Max.X), extent(b.Min.Y, b.Max.Y), extent(b.Min.Z, b.Max.Z))
	return Space{b.Min, uint8(min(bits.Len64(side), AxisBits))}
}

// extent is the distance from a to b, which may be too large for a fixed-point number.
func extent(a, b fixed.F) uint64 {
	if b <= a {
		return 0
	}
	return uint64(b) - uint64(a)
}

// Place is the lowest point of the cube that a place stands for. What lies outside counts as at the edge, so that boxes which
// meet in the world meet here, too.
func (s Space) Place(v fixed.Vec) Point {
	return Point{s.axis(s.Origin.X, v.X), s.axis(s.Origin.Y, v.Y), s.axis(s.Origin.Z, v.Z)}
}

func (s Space) axis(origin, v fixed.F) uint64 {
	return min(extent(origin, v), uint64(1)<<s.Bits-1) << (AxisBits - s.Bits)
}

// Volume is the box of the cube that a box of the world stands for.
func (s Space) Volume(b fixed.Box) Volume {
	low, high := s.Place(b.Min), s.Place(b.Max)
	unit := below(s.Bits) // a place of the world is this many units of the cube, and one more
	return Volume{low, Point{high.X | unit, high.Y | unit, high.Z | unit}}
}

// Box is the box of the world that a node stands for: where nodes are smaller than the world's own units, the unit it lies in.
func (s Space) Box(c Code) fixed.Box {
	shift := AxisBits - s.Bits
	high := c.High()
	at := func(p Point) fixed.Vec {
		return s.Origin.Add(fixed.Vec{X: fixed.F(p.X >> shift), Y: fixed.F(p.Y >> shift), Z: fixed.F(p.Z >> shift)})
	}
	return fixed.Box{Min: at(c.Low), Max: at(high)}
}

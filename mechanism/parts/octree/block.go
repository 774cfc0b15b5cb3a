package octree

import "math/bits"

// Block is some of the 64 nodes two levels below a node: bit i of the mask stands for the i-th of them along the Morton curve.
// A fit ends in many small nodes side by side, and a block holds up to 64 of them in the memory of two.
type Block struct {
	Code Code
	Mask uint64
}

// blockLevels is how many levels the nodes of a mask lie below the block's own.
const blockLevels = 2

// All is the mask of a block that is covered whole.
const All = ^uint64(0)

// slabs has, for each axis and a range of the four places along it, the nodes of a block in that range.
var slabs = func() (s [3][4][4]uint64) {
	for i := range uint(64) {
		for axis := range uint(3) {
			at := i>>(3+axis)&1<<1 | i>>axis&1
			for low := range at + 1 {
				for high := at; high < 4; high++ {
					s[axis][low][high] |= 1 << i
				}
			}
		}
	}
	return s
}()

// FitBlocks appends to dst the blocks that cover a volume, in the order of their codes. None covers another. The last two splits
// are the blocks' masks: with fewer than two splits allowed, nodes are covered whole. Unlike Fit, it does not look for the
// smallest node that holds what a mask's node has of the volume, and so covers a little more; it is some twenty times as fast.
func FitBlocks(dst []Block, v Volume, l Limits) []Block {
	f := fitter{deepest: min(l.Depth, AxisBits), masked: l.Splits >= blockLevels}
	splits := int(l.Splits)
	if f.masked {
		splits -= blockLevels
	}
	return f.fit(dst, v.Low, v.High, splits)
}

type fitter struct {
	deepest uint8
	masked  bool
}

// part is what a half of a node has of a volume along one axis.
type part struct {
	low, high uint64
	differ    uint64 // the bits in which they do
}

// fit does for blocks what the function of that name does for nodes. What is the same for several children is worked out once.
func (f *fitter) fit(dst []Block, low, high Point, splits int) []Block {
	depth := min(sharedDepth(low, high), f.deepest)
	rest := below(depth)
	whole := (low.X|low.Y|low.Z)&rest == 0 && high.X&high.Y&high.Z&rest == rest
	if splits == 0 || depth == f.deepest || whole {
		dst = append(dst, Block{At(low, depth), All})
		dst[len(dst)-1].Mask = f.mask(&low, &high, depth)
		return dst
	}
	half := rest>>1 + 1
	var xs, ys, zs [2]part
	nx, ny, nz := halve(&xs, low.X, high.X, half), halve(&ys, low.Y, high.Y, half), halve(&zs, low.Z, high.Z, half)
	for z := range nz {
		for y := range ny {
			yz := ys[y&1].differ | zs[z&1].differ
			for x := range nx {
				l, h := Point{xs[x&1].low, ys[y&1].low, zs[z&1].low}, Point{xs[x&1].high, ys[y&1].high, zs[z&1].high}
				if splits > 1 {
					dst = f.fit(dst, l, h, splits-1)
					continue
				}
				depth := min(uint8(AxisBits-bits.Len64(xs[x&1].differ|yz)), f.deepest)
				dst = append(dst, Block{At(l, depth), All})
				dst[len(dst)-1].Mask = f.mask(&l, &h, depth)
			}
		}
	}
	return dst
}

// halve cuts an interval at the middle of a node and returns how many parts there are. Half is the bit by which the halves differ.
func halve(parts *[2]part, low, high, half uint64) int {
	if (low^high)&half == 0 {
		parts[0] = part{low, high, low ^ high}
		return 1
	}
	middle := high &^ (half - 1)
	parts[0], parts[1] = part{low, middle - 1, low ^ (middle - 1)}, part{middle, high, middle ^ high}
	return 2
}

// mask is what a node of a depth has of a volume that it holds.
func (f *fitter) mask(low, high *Point, depth uint8) uint64 {
	if !f.masked || depth >= f.deepest {
		return All
	}
	if depth+blockLevels > f.deepest {
		return children(low, high, depth)
	}
	shift := AxisBits - blockLevels - depth
	return slabs[0][low.X>>shift&3][high.X>>shift&3] &
		slabs[1][low.Y>>shift&3][high.Y>>shift&3] &
		slabs[2][low.Z>>shift&3][high.Z>>shift&3]
}

// children is the mask of the children that a volume reaches into, each whole: for where nodes may lie no deeper.
func children(low, high *Point, depth uint8) uint64 {
	shift := AxisBits - 1 - depth
	return slabs[0][low.X>>shift&1<<1][high.X>>shift&1<<1|1] &
		slabs[1][low.Y>>shift&1<<1][high.Y>>shift&1<<1|1] &
		slabs[2][low.Z>>shift&1<<1][high.Z>>shift&1<<1|1]
}

// Covers reports whether a node is one of the block's, or below one.
func (b Block) Covers(c Code) bool {
	if !b.Code.Covers(c) {
		return false
	}
	if b.Mask == All {
		return true
	}
	first := b.Code.branch(c.Low)
	switch c.Depth - b.Code.Depth {
	case 0:
		return false
	case 1:
		return b.Mask>>(8*first)&0xff == 0xff
	}
	child := At(c.Low, b.Code.Depth+1)
	return b.Mask>>(8*first+child.branch(c.Low))&1 != 0
}

// Nodes appends the nodes that a block stands for, in the order of Compare: as few as there can be.
func (b Block) Nodes(dst []Code) []Code {
	if b.Mask == All {
		return append(dst, b.Code)
	}
	for rest := b.Mask; rest != 0; {
		i := bits.TrailingZeros64(rest)
		child := b.Code.child(i >> 3)
		if eight := uint64(0xff) << (i &^ 7); b.Mask&eight == eight {
			dst = append(dst, child)
			rest &^= eight
			continue
		}
		dst = append(dst, child.child(i&7))
		rest &= rest - 1
	}
	return dst
}

// child is one of a node's eight children.
func (c Code) child(i int) Code {
	shift := AxisBits - 1 - c.Depth
	n := uint64(i)
	return Code{Point{c.Low.X | n&1<<shift, c.Low.Y | n>>1&1<<shift, c.Low.Z | n>>2<<shift}, c.Depth + 1}
}

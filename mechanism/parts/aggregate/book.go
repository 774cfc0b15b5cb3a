package aggregate

import (
	"cmp"
	"slices"
	"unsafe"

	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
)

// Cloud is what there is of a kind in a node of the tree.
type Cloud struct {
	Code   octree.Code
	Kind   world.KindID
	Count  int
	Motion fixed.Vec // of one of them, on average, in a second
}

// Book knows how many objects are where.
type Book struct {
	space  octree.Space
	bounds fixed.Box
	depth  uint8 // of the smallest nodes
	cells  []cell
	where  map[name]int32 // their places
	levels [][]node       // from the smallest nodes up, as of when it was last brought up to date
	coarse []coarse       // scratch
	since  world.Time
}

type name struct {
	code octree.Code
	kind world.KindID
}

// cell is a node of the smallest, as it is now.
type cell struct {
	name
	count int
	moved fixed.Vec // all of them together, since the book was brought up to date
}

// node is a cloud of some level, which consists of clouds of the level below.
type node struct {
	Cloud
	moved fixed.Vec
	first int32 // of those that it consists of
	parts int32
}

// levelsMax is how many levels there are: the largest nodes have 2⁶ times the side of the smallest.
const levelsMax = 7

// NewBook returns an empty book of a world with bounds, the smallest nodes of which have a depth.
func NewBook(bounds fixed.Box, depth uint8) *Book {
	return &Book{space: octree.Enclose(bounds), bounds: bounds, depth: depth, where: map[name]int32{}, levels: make([][]node, min(levelsMax, int(depth)+1))}
}

func (b *Book) nameOf(o *world.Object) name {
	return name{octree.At(b.space.Place(o.Pos), b.depth), o.Kind}
}

// Change takes note of how an object that has a place has changed: Old is nil where it is new, New where it is gone.
func (b *Book) Change(c world.Change) {
	if c.New != nil {
		x := b.cell(b.nameOf(c.New))
		x.count++
		if c.Old != nil {
			x.moved = x.moved.Add(c.New.Pos.Sub(c.Old.Pos))
		}
	}
	if c.Old != nil {
		b.cell(b.nameOf(c.Old)).count--
	}
}

func (b *Book) cell(n name) *cell {
	at, ok := b.where[n]
	if !ok {
		at = int32(len(b.cells))
		b.where[n] = at
		b.cells = append(b.cells, cell{name: n})
	}
	return &b.cells[at]
}

// Renew brings what can be looked at up to date.
func (b *Book) Renew(now world.Time) {
	for i := len(b.cells) - 1; i >= 0; i-- {
		if b.cells[i].count == 0 {
			delete(b.where, b.cells[i].name)
			last := len(b.cells) - 1
			if i != last {
				b.cells[i] = b.cells[last]
				b.where[b.cells[i].name] = int32(i)
			}
			b.cells = b.cells[:last]
		}
	}
	low := b.levels[0][:0]
	for i := range b.cells {
		x := &b.cells[i]
		low = append(low, node{Cloud: Cloud{Code: x.code, Kind: x.kind, Count: x.count}, moved: x.moved})
		x.moved = fixed.Vec{}
	}
	slices.SortFunc(low, func(x, y node) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), octree.Compare(x.Code, y.Code))
	})
	b.levels[0] = low
	for i := 1; i < len(b.levels); i++ {
		b.levels[i] = join(b.levels[i][:0], b.levels[i-1])
	}
	b.average(max(now-b.since, 1))
	b.since = now
}

// join makes nodes of their children.
func join(dst, parts []node) []node {
	for i := range parts {
		x := &parts[i]
		n := len(dst)
		if up := x.Code.Parent(); n == 0 || dst[n-1].Code != up || dst[n-1].Kind != x.Kind {
			dst = append(dst, node{Cloud: Cloud{Code: up, Kind: x.Kind}, first: int32(i)})
			n++
		}
		y := &dst[n-1]
		y.Count += x.Count
		y.moved = y.moved.Add(x.moved)
		y.parts++
	}
	return dst
}

// average works out how fast each cloud's members are.
func (b *Book) average(span world.Time) {
	second := fixed.Ratio(int64(world.Second), int64(span))
	for _, level := range b.levels {
		for i := range level {
			x := &level[i]
			each := fixed.F(x.Count)
			x.Motion = fixed.Vec{X: x.moved.X / each, Y: x.moved.Y / each, Z: x.moved.Z / each}.Scale(second)
		}
	}
}

// Eye is from where somebody looks, and how far.
type Eye struct {
	Centres []fixed.Vec
	Near    fixed.F // what is no farther is known one by one
	Sight   fixed.F
}

// judge reports whether some of a box is within a distance, and whether all of it is.
func (e *Eye) judge(box fixed.Box, distance fixed.F) (some, all bool) {
	for _, c := range e.Centres {
		if !box.Clamp(c).Within(c, distance) {
			continue
		}
		some = true
		far := fixed.Vec{X: farther(c.X, box.Min.X, box.Max.X), Y: farther(c.Y, box.Min.Y, box.Max.Y), Z: farther(c.Z, box.Min.Z, box.Max.Z)}
		if far.Within(c, distance) {
			return true, true
		}
	}
	return some, false
}

// farther is the one of two ends that is farther away.
func farther(from, low, high fixed.F) fixed.F {
	if from-low > high-from {
		return low
	}
	return high
}

// Bytes is the memory that the book holds, about.
func (b *Book) Bytes() int {
	n := cap(b.cells)*int(unsafe.Sizeof(cell{})) + len(b.where)*64
	for _, level := range b.levels {
		n += cap(level) * int(unsafe.Sizeof(node{}))
	}
	return n
}

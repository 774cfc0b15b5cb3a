package world

import (
	"math"
	"math/bits"
	"slices"

	"throng/world/fixed"
)

// Index finds objects by where they are. It remembers the state it was last synchronised with, so that keeping it up to
// date costs in proportion to what moved.
//
// Space is cut into cubes whose side is a power of two; a hash table holds the objects of each cube that has any. A query
// looks at the cubes it overlaps, so it is fastest when its radius is about a cube's side. Results come in the order of
// the objects' IDs: what rules do with them must not depend on the order in which objects came here.
type Index struct {
	state   *State // the state last seen, with its layout and the clock of its pool then
	layout  uint
	clock   uint64
	seen    []seenPage
	spare   []seenPage // the list before, as memory for the next
	shift   uint
	entries []entry // in blocks of pageObjects, one for each page seen
	free    []int32 // blocks that are not in use
	count   int
	extent  fixed.Box // holds all objects; grows only
	buckets []int32   // hash of a cube to the first entry of its chain
	found   []ID
	wasted  int // what queries have looked at beyond what was to be expected; see fit
}

// seenPage is a page as it was when it bore a stamp.
type seenPage struct {
	first ID
	stamp uint64
	block int32 // where its objects are in entries
	n     int32
}

// entry is one object, linked with the others of its bucket. Links are places in entries.
type entry struct {
	id         ID
	pos        fixed.Vec
	prev, next int32
}

// none ends a chain.
const none = -1

// nowhere is a box that becomes the first box united with it.
var nowhere = fixed.Box{
	Min: fixed.Vec{X: fixed.Max, Y: fixed.Max, Z: fixed.Max},
	Max: fixed.Vec{X: fixed.Min, Y: fixed.Min, Z: fixed.Min},
}

// cube numbers the cubes along each axis.
type cube struct{ x, y, z int64 }

// NewIndex returns an empty index with cubes of about the given side: the usual radius of queries is a good choice.
func NewIndex(side fixed.F) *Index {
	x := &Index{shift: shiftFor(side), extent: nowhere}
	x.rehash(64)
	return x
}

// shiftFor is the binary logarithm of a side of at least the given one. It is not zero, so that cubes can be counted.
func shiftFor(side fixed.F) uint { return uint(bits.Len64(uint64(max(side, 2)) - 1)) }

// Sync brings the index up to date with s. It looks at the pages of s that have changed since the last Sync, and passes
// over the others unread.
func (x *Index) Sync(s *State) {
	if x.state == nil || x.state.pool != s.pool { // stamps of another pool mean nothing
		x.empty()
	}
	same := x.state == s && x.layout == s.layout
	x.state = s
	if same {
		for at := range s.changedSince(x.clock) {
			x.seen[at] = x.update(x.seen[at], s.pages[at])
		}
	} else {
		x.match()
	}
	x.layout, x.clock = s.layout, s.pool.clock
	if x.count > len(x.buckets) {
		x.rehash(2 * x.count)
	}
}

func (x *Index) empty() {
	for _, p := range x.seen {
		x.drop(p)
	}
	x.seen, x.extent = x.seen[:0], nowhere
}

// match brings the index up to date with a state that may have other pages, in other places, than the one last seen.
func (x *Index) match() {
	old := x.seen
	x.seen, x.spare = x.spare[:0], x.seen
	for _, r := range x.state.pages {
		for len(old) > 0 && old[0].first < r.first {
			x.drop(old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].first == r.first {
			x.seen = append(x.seen, x.update(old[0], r))
			old = old[1:]
		} else {
			x.seen = append(x.seen, x.add(r))
		}
	}
	for _, p := range old {
		x.drop(p)
	}
}

// update turns what was seen of a page into what it is now.
func (x *Index) update(old seenPage, r ref) seenPage {
	if old.stamp == r.stamp {
		return old
	}
	objects := x.state.pool.page(r.page)[:r.n]
	entries := x.entries[old.block:][:old.n]
	if !sameObjects(entries, objects) {
		x.drop(old)
		return x.add(r)
	}
	for i := range objects {
		if pos := objects[i].Pos; entries[i].pos != pos {
			x.move(old.block+int32(i), pos)
		}
	}
	old.stamp = r.stamp
	return old
}

func sameObjects(entries []entry, objects []Object) bool {
	if len(entries) != len(objects) {
		return false
	}
	for i := range objects {
		if entries[i].id != objects[i].ID {
			return false
		}
	}
	return true
}

// add takes the objects of a page in.
func (x *Index) add(r ref) seenPage {
	if len(x.free) == 0 {
		x.free = append(x.free, int32(len(x.entries)))
		x.entries = append(x.entries, make([]entry, pageObjects)...)
	}
	block := x.free[len(x.free)-1]
	x.free = x.free[:len(x.free)-1]
	objects := x.state.pool.page(r.page)
	for i := range r.n {
		o := &objects[i]
		x.entries[block+i] = entry{id: o.ID, pos: o.Pos}
		x.extent = x.extent.Union(fixed.Box{Min: o.Pos, Max: o.Pos})
		x.link(block + i)
	}
	x.count += int(r.n)
	return seenPage{first: r.first, stamp: r.stamp, block: block, n: r.n}
}

// drop takes the objects of a page out.
func (x *Index) drop(p seenPage) {
	for i := range p.n {
		x.unlink(p.block + i)
	}
	x.count -= int(p.n)
	x.free = append(x.free, p.block)
}

func (x *Index) move(i int32, pos fixed.Vec) {
	x.extent = x.extent.Union(fixed.Box{Min: pos, Max: pos})
	if x.cubeOf(pos) == x.cubeOf(x.entries[i].pos) {
		x.entries[i].pos = pos
		return
	}
	x.unlink(i)
	x.entries[i].pos = pos
	x.link(i)
}

func (x *Index) cubeOf(p fixed.Vec) cube {
	return cube{int64(p.X >> x.shift), int64(p.Y >> x.shift), int64(p.Z >> x.shift)}
}

func (x *Index) bucket(c cube) *int32 {
	h := uint64(c.x)*mixA ^ uint64(c.y)*mixB ^ uint64(c.z)*mixC
	h ^= h >> 29
	h *= mixB
	return &x.buckets[h>>32&uint64(len(x.buckets)-1)]
}

func (x *Index) link(i int32) {
	e, head := &x.entries[i], x.bucket(x.cubeOf(x.entries[i].pos))
	e.prev, e.next = none, *head
	if e.next != none {
		x.entries[e.next].prev = i
	}
	*head = i
}

func (x *Index) unlink(i int32) {
	e := &x.entries[i]
	if e.next != none {
		x.entries[e.next].prev = e.prev
	}
	if e.prev != none {
		x.entries[e.prev].next = e.next
	} else {
		*x.bucket(x.cubeOf(e.pos)) = e.next
	}
}

// rehash distributes the objects over at least n buckets.
func (x *Index) rehash(n int) {
	if n > len(x.buckets) {
		x.buckets = make([]int32, 1<<bits.Len(uint(n-1)))
	}
	for i := range x.buckets {
		x.buckets[i] = none
	}
	for _, p := range x.seen {
		for i := range p.n {
			x.link(p.block + i)
		}
	}
}

// Near lists the objects within radius of centre, in the order of their IDs. The result holds until the next query.
func (x *Index) Near(centre fixed.Vec, radius fixed.F) []ID {
	if radius < 0 {
		return nil
	}
	box := fixed.Box{
		Min: fixed.Vec{X: below(centre.X, radius), Y: below(centre.Y, radius), Z: below(centre.Z, radius)},
		Max: fixed.Vec{X: above(centre.X, radius), Y: above(centre.Y, radius), Z: above(centre.Z, radius)},
	}
	return x.query(box, func(p fixed.Vec) bool { return p.Within(centre, radius) })
}

// below and above are c ± r, or the end of the range that lies in between.
func below(c, r fixed.F) fixed.F {
	if c-r > c {
		return fixed.Min
	}
	return c - r
}

func above(c, r fixed.F) fixed.F {
	if c+r < c {
		return fixed.Max
	}
	return c + r
}

// In lists the objects within a box, in the order of their IDs. The result holds until the next query.
func (x *Index) In(box fixed.Box) []ID {
	return x.query(box, box.Contains)
}

func (x *Index) query(box fixed.Box, inside func(fixed.Vec) bool) []ID {
	x.found = x.found[:0]
	if !box.Intersects(x.extent) {
		return x.found
	}
	// Nothing is outside the extent. A flat world, above all, has but one layer of cubes.
	box = fixed.Box{Min: x.extent.Clamp(box.Min), Max: x.extent.Clamp(box.Max)}
	low, high := x.cubeOf(box.Min), x.cubeOf(box.Max)
	looked := x.count
	if cubes := countCubes(low, high); cubes < looked {
		looked = cubes + x.walk(low, high, inside)
	} else {
		x.scan(inside)
	}
	x.fit(box, looked)
	slices.Sort(x.found)
	return x.found
}

// countCubes counts the cubes from low to high, as far as an int reaches.
func countCubes(low, high cube) int {
	n := 1
	for _, side := range [3]int64{high.x - low.x, high.y - low.y, high.z - low.z} {
		// An empty box has a negative side: nothing is found in it, however it is searched.
		if side < 0 || side >= int64(math.MaxInt/n) {
			return math.MaxInt
		}
		n *= int(side) + 1
	}
	return n
}

func (x *Index) scan(inside func(fixed.Vec) bool) {
	for _, p := range x.seen {
		for _, e := range x.entries[p.block:][:p.n] {
			if inside(e.pos) {
				x.found = append(x.found, e.id)
			}
		}
	}
}

// walk looks into each cube from low to high, and returns how many objects it met.
func (x *Index) walk(low, high cube, inside func(fixed.Vec) bool) (met int) {
	for cz := low.z; cz <= high.z; cz++ {
		for cy := low.y; cy <= high.y; cy++ {
			for cx := low.x; cx <= high.x; cx++ {
				c := cube{cx, cy, cz}
				for i := *x.bucket(c); i != none; i = x.entries[i].next {
					met++
					if e := &x.entries[i]; x.cubeOf(e.pos) == c && inside(e.pos) {
						x.found = append(x.found, e.id)
					}
				}
			}
		}
	}
	return met
}

// fit cuts space anew, to suit a query, as soon as queries that found little for what they looked at have cost as much as
// that takes. So the side given to NewIndex is only where it begins.
func (x *Index) fit(box fixed.Box, looked int) {
	const usual = 16 // objects and cubes that a query of fitting size looks at for each object found, and at least
	x.wasted += max(0, looked-usual*(len(x.found)+1))
	if x.wasted <= 4*x.count {
		return
	}
	x.wasted = 0
	size := box.Size()
	if shift := shiftFor(max(size.X, size.Y, size.Z) / 2); shift != x.shift {
		x.shift = shift
		x.rehash(len(x.buckets))
	}
}

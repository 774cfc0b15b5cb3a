package world

import (
	"math/bits"
	"slices"

	"throng/world/fixed"
)

// Index finds objects by where they are. It remembers the positions it was last synchronised with, so keeping it up to
// date costs in proportion to what moved.
//
// Space is cut into cubes whose side is a power of two; a hash table holds the objects of each cube that has any. A query
// looks at the cubes it overlaps, so it is fastest when its radius is about a cube's side. Results come in the order of
// the objects' IDs: what rules do with them must not depend on the order in which objects came here.
type Index struct {
	seen    State // a copy of what the entries were taken from
	shift   uint
	entries []entry
	free    []int32
	where   map[ID]int32 // the object's place in entries
	buckets []int32      // hash of a cube to the first entry of its chain, plus one
	found   []ID
}

type entry struct {
	id   ID
	pos  fixed.Vec
	cube cube
	next int32 // the next entry in the bucket, plus one
}

type cube struct{ x, y, z int32 }

// NewIndex returns an empty index with cubes of about the given side: the usual radius of queries is a good choice.
func NewIndex(side fixed.F) *Index {
	return &Index{shift: uint(bits.Len64(uint64(max(side, 1)) - 1)), where: map[ID]int32{}, buckets: make([]int32, 64)}
}

// Sync brings the index up to date with s. It costs one Diff against the state it was last synchronised with.
func (x *Index) Sync(s *State) {
	if x.seen.pool != s.pool {
		x.clear()
		x.seen = State{pool: s.pool, schema: s.schema}
	}
	for c := range Diff(&x.seen, s) {
		switch {
		case c.Old == nil:
			x.add(c.New)
		case c.New == nil:
			x.remove(c.Old.ID)
		case c.Old.Pos != c.New.Pos:
			x.move(c.New)
		}
	}
	x.seen.mirror(s)
}

func (x *Index) clear() {
	x.entries, x.free = x.entries[:0], x.free[:0]
	clear(x.where)
	clear(x.buckets)
}

func (x *Index) cubeOf(p fixed.Vec) cube {
	return cube{int32(p.X >> x.shift), int32(p.Y >> x.shift), int32(p.Z >> x.shift)}
}

func (x *Index) bucket(c cube) *int32 {
	h := (uint64(uint32(c.x))*mixA ^ uint64(uint32(c.y))*mixB ^ uint64(uint32(c.z))*mixC)
	h ^= h >> 29
	h *= mixB
	return &x.buckets[h>>32&uint64(len(x.buckets)-1)]
}

func (x *Index) add(o *Object) {
	if len(x.where) >= len(x.buckets) {
		x.grow()
	}
	var i int32
	if n := len(x.free); n > 0 {
		i = x.free[n-1]
		x.free = x.free[:n-1]
	} else {
		i = int32(len(x.entries))
		x.entries = append(x.entries, entry{})
	}
	x.entries[i] = entry{id: o.ID, pos: o.Pos, cube: x.cubeOf(o.Pos)}
	x.where[o.ID] = i
	x.link(i)
}

func (x *Index) remove(id ID) {
	i := x.where[id]
	x.unlink(i)
	delete(x.where, id)
	x.entries[i] = entry{}
	x.free = append(x.free, i)
}

func (x *Index) move(o *Object) {
	i := x.where[o.ID]
	e := &x.entries[i]
	e.pos = o.Pos
	if c := x.cubeOf(o.Pos); c != e.cube {
		x.unlink(i)
		e.cube = c
		x.link(i)
	}
}

func (x *Index) link(i int32) {
	head := x.bucket(x.entries[i].cube)
	x.entries[i].next = *head
	*head = i + 1
}

func (x *Index) unlink(i int32) {
	at := x.bucket(x.entries[i].cube)
	for *at != i+1 {
		at = &x.entries[*at-1].next
	}
	*at = x.entries[i].next
}

func (x *Index) grow() {
	x.buckets = make([]int32, 2*len(x.buckets))
	for i := range x.entries {
		if x.entries[i].id != 0 {
			x.link(int32(i))
		}
	}
}

// Near lists the objects within radius of centre, in the order of their IDs. The result holds until the next query.
func (x *Index) Near(centre fixed.Vec, radius fixed.F) []ID {
	return x.query(fixed.Around(centre, radius), func(p fixed.Vec) bool { return p.Within(centre, radius) })
}

// In lists the objects within a box, in the order of their IDs. The result holds until the next query.
func (x *Index) In(box fixed.Box) []ID {
	return x.query(box, box.Contains)
}

func (x *Index) query(box fixed.Box, inside func(fixed.Vec) bool) []ID {
	x.found = x.found[:0]
	low, high := x.cubeOf(box.Min), x.cubeOf(box.Max)
	if cubes(low, high) > len(x.where) {
		x.scan(inside)
	} else {
		x.walk(low, high, inside)
	}
	slices.Sort(x.found)
	return x.found
}

// cubes is how many cubes a query looks at, or a very large number.
func cubes(low, high cube) int {
	n := 1
	for _, side := range [3]int{int(high.x) - int(low.x) + 1, int(high.y) - int(low.y) + 1, int(high.z) - int(low.z) + 1} {
		if side <= 0 {
			return 0
		}
		if n *= side; n > 1<<30 {
			return 1 << 30
		}
	}
	return n
}

// scan looks at every object: for queries that overlap more cubes than there are objects.
func (x *Index) scan(inside func(fixed.Vec) bool) {
	for i := range x.entries {
		if e := &x.entries[i]; e.id != 0 && inside(e.pos) {
			x.found = append(x.found, e.id)
		}
	}
}

func (x *Index) walk(low, high cube, inside func(fixed.Vec) bool) {
	for cz := low.z; cz <= high.z; cz++ {
		for cy := low.y; cy <= high.y; cy++ {
			for cx := low.x; cx <= high.x; cx++ {
				c := cube{cx, cy, cz}
				for at := *x.bucket(c); at != 0; at = x.entries[at-1].next {
					if e := &x.entries[at-1]; e.cube == c && inside(e.pos) {
						x.found = append(x.found, e.id)
					}
				}
			}
		}
	}
}

package update

import (
	"slices"
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

const (
	kept   = 32 // versions of an object that can be bases
	cached = 8  // encodings of an object's present version, by base
)

// Table is every object that a node can send, in its present version, with earlier versions as bases and what has been
// encoded in this round.
type Table struct {
	Every bool // an object that is put is told of though it is as it was

	// Believed says how receivers take an object to be now, who let it go on from what they were told: whoever is told of it anew
	// must begin there, not where others did. Nil where objects stay as they were put.
	Believed Believed

	shapes  []shape
	heads   []head    // what is asked for all the time lies close together
	rows    []row     // at the same places, the rest
	free    [][]int32 // by kind
	where   world.ByID[int32]
	codes   []byte // what has been encoded in this round
	round   uint32
	none    units
	scratch units

	crowds   []crowd
	previews []preview           // at the same places as objects
	touched  []int32             // crowds that have changed since they were gathered
	moment   uint32              // counts how often that was, or more
	counts   uint32              // how often that has begun anew
	marks    [crowdCached]uint32 // the latest moments that are bases
	stale    bool                // an object has come or gone since
	sizes    []int               // of crowds, in objects, by kind; nil where there are none
	most     int                 // of a crowd, in bytes
}

// Believed is what receivers have made of objects that they let go on by themselves.
type Believed interface {
	Believed(id world.ID) *world.Object // or nil where that is as it was put
}

// head is one object, or free: then its ID is zero. Versions count on when a place is used again, so that none means two
// things.
type head struct {
	id      world.ID
	user    world.User
	kind    world.KindID
	crowd   int32  // the number of the one that it is in
	version uint32 // counts the changes
	altered uint32 // the version that last changed what others see of it
	first   uint32 // the oldest version that can be a base: since then it is the same object of the same kind and user
}

type row struct {
	object world.Object
	past   []int64 // the units of the latest versions
	codes  [cached]code
}

// code is where an encoding lies.
type code struct {
	version, base uint32 // of what and to what: zero for the whole object
	round         uint32 // in which the place was given out
	at, n         uint32
}

func codeAt(version, base, round uint32, start, end int) code {
	return code{version: version, base: base, round: round, at: uint32(start), n: uint32(end - start)}
}

// NewTable returns an empty table.
func NewTable(s *world.Schema) *Table {
	return &Table{shapes: shapesOf(s), free: make([][]int32, len(s.Kinds)), round: 1}
}

// Renew begins a new round: what was encoded so far is forgotten. It keeps the table's memory in bounds and is best done
// when most objects change anyway.
func (t *Table) Renew() {
	t.codes = t.codes[:0]
	if t.round++; t.round%crowdStep == 0 {
		t.mark()
	}
}

// Put brings an object up to date. The number is that of the last action of its owner that was carried out.
func (t *Table) Put(o *world.Object, action uint32) {
	i, known := t.where.Get(o.ID)
	if known && t.heads[i].kind != o.Kind {
		t.Remove(o.ID) // it belongs elsewhere now
		known = false
	}
	if !known {
		i = t.take(o.Kind)
		t.where.Set(o.ID, i)
	}
	h, r := &t.heads[i], &t.rows[i]
	shape := &t.shapes[o.Kind]
	same := known && h.user == o.User
	h.version++
	if !same {
		h.id, h.kind, h.user, h.first = o.ID, o.Kind, o.User, h.version
		t.stale = true
		r.past = r.past[:0]
	}
	now := r.record(h, shape, o, action)
	if same {
		before := r.units(h, h.version-1, shape.count())
		if !t.Every && slices.Equal(now[1:], before[1:]) {
			// Nothing that others see has changed, so they are told nothing, not even the action's number: a version
			// must mean the same numbers to whoever is sent it, whenever that is.
			now[0] = before[0]
			return
		}
	}
	h.altered = h.version
	t.touch(i)
}

// record keeps an object as its present version, and returns the units of that.
func (r *row) record(h *head, shape *shape, o *world.Object, action uint32) []int64 {
	n := shape.count()
	// Objects that never change need no more room than for one version.
	if have := len(r.past); have < n*kept {
		r.past = slices.Grow(r.past, n)[:have+n]
	}
	r.object = *o
	now := r.units(h, h.version, n)
	shape.measure(o, action, now)
	return now
}

// catchUp makes what receivers believe of an object its present version, for one of them who is to be told. To the others it has
// not changed.
func (t *Table) catchUp(i int32) {
	if t.Believed == nil {
		return
	}
	h, r := &t.heads[i], &t.rows[i]
	o := t.Believed.Believed(h.id)
	if o == nil {
		return
	}
	shape := &t.shapes[h.kind]
	last := r.units(h, h.version, shape.count())
	believed := t.scratch[:shape.count()]
	shape.measure(o, uint32(last[0]), believed)
	if slices.Equal(believed, last) {
		return
	}
	h.version++
	r.record(h, shape, o, uint32(last[0]))
	clear(r.codes[:])
}

// Remove takes an object out.
func (t *Table) Remove(id world.ID) {
	i, known := t.where.Get(id)
	if !known {
		return
	}
	t.where.Delete(id)
	t.heads[i].id = 0
	t.stale = true
	t.touch(i)
	kind := t.heads[i].kind
	t.free[kind] = append(t.free[kind], i)
}

// take finds a place for an object of a kind.
func (t *Table) take(kind world.KindID) int32 {
	free := t.free[kind]
	if n := len(free); n > 0 {
		t.free[kind] = free[:n-1]
		return free[n-1]
	}
	return t.found(kind)
}

// units are the n numbers of a version that is still kept.
func (r *row) units(h *head, version uint32, n int) []int64 {
	at := int((version-h.first)%kept) * n
	return r.past[at : at+n : at+n]
}

// base is the version to send a difference to, for a receiver that has the given one: that, or zero if it will not do.
func (h *head) base(has uint32) uint32 {
	if has < h.first || h.version-has >= kept {
		return 0
	}
	return has
}

// appendName appends what an object is.
func (h *head) appendName(dst []byte) []byte {
	dst = wire.AppendUint(dst, uint64(h.id))
	dst = wire.AppendUint(dst, uint64(h.kind))
	return wire.AppendUint(dst, uint64(h.user))
}

// encode returns the present version of an object as a difference to an earlier one, or the whole of it for base zero. It
// holds until the next call.
func (t *Table) encode(i int32, base uint32) []byte {
	h, r := &t.heads[i], &t.rows[i]
	c := &r.codes[base%cached]
	if c.version == h.altered && c.base == base && c.round == t.round {
		return t.codes[c.at : c.at+c.n]
	}
	n := t.shapes[h.kind].count()
	start := len(t.codes)
	from := t.none[:n]
	if base != 0 {
		from = r.units(h, base, n)
	} else {
		t.codes = h.appendName(t.codes)
	}
	t.codes = appendDelta(t.codes, r.units(h, h.version, n), from)
	*c = codeAt(h.altered, base, t.round, start, len(t.codes))
	return t.codes[start:]
}

// Bytes is the memory that the table holds.
func (t *Table) Bytes() int {
	n := cap(t.heads)*int(unsafe.Sizeof(head{})) + cap(t.previews)*int(unsafe.Sizeof(preview{})) + cap(t.rows)*int(unsafe.Sizeof(row{})) + cap(t.codes) + cap(t.touched)*4 + t.where.Len()*24
	for i := range t.free {
		n += cap(t.free[i]) * 4
	}
	for i := range t.crowds {
		n += t.crowds[i].bytes()
	}
	for i := range t.rows {
		n += cap(t.rows[i].past) * 8
	}
	return n
}

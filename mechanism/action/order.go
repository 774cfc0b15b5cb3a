package action

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/world"
)

// order is the server's queue: the entries that are not yet installed, each at its position, and an index by object of who
// wrote it last. So what an entry depends on is known when it gets its place, and is found by following chains from writer to
// writer, however long the queue is.
type order struct {
	entries   []entry // a ring, by position
	first     uint64  // the lowest position that is kept
	next      uint64  // the position of the next entry
	installed uint64  // the authoritative state is as after this position
	objects   map[world.ID]*record
	records   []*record // all there are, in use or not
	spare     []*record // those that are not
	gone      []write   // objects that came and went, for newcomers whose snapshots may have them
	forgotten uint64    // up to here these are no longer known
	start     *world.State
	walk      uint32 // counts walks, to mark what one of them has seen
	stack     []uint64
}

// entry is what stands at a position of the queue, and how far it has come.
type entry struct {
	mechanism.Entry
	number   uint32   // counts the entries of its client; zero for one that the server has placed in that client's name
	owner    int      // the slot of that client
	depends  []uint64 // for each object that it reads, the position that wrote it last, or zero
	place    place
	at       world.Time // since when it waits to be completed
	sent     slots      // who knows of it
	executed bool       // anybody ever knew of it
	from     int        // the slot of who is to complete it
	by       int        // and of who has
	agreed   bool       // somebody else has said the same
	disputed bool       // somebody else, in the slot rival, has said something else
	rival    int
	done     bool // it is completed
	void     bool // it counts as never done
	doubtful bool // it has just been lost, or rests on what was
	results  []world.Object
	seen     uint32 // the last walk that came by
}

// isOf reports whether an entry came from a client, which need not be told what it is.
func (e *entry) isOf(m *member) bool { return e.owner == m.slot && e.number != 0 }

// record is what the server knows of an object that was ever written.
type record struct {
	id      world.ID // none while it is not in use
	last    uint64   // the last position that writes it
	version uint64   // the last one that is installed
	told    slots    // who knows how it is since
	seen    uint32   // the last walk that came by
}

func newOrder(start *world.State) order {
	return order{entries: make([]entry, 64), first: 1, next: 1, objects: map[world.ID]*record{}, start: start}
}

// at returns what stands at a position that is kept.
func (o *order) at(position uint64) *entry { return &o.entries[position&uint64(len(o.entries)-1)] }

// link finds what the entry in the slot depends on: for each object that it reads, who wrote it last.
func (o *order) link(e *entry) {
	e.depends = e.depends[:0]
	for _, id := range e.Footprint.Reads {
		last := uint64(0)
		if r := o.objects[id]; r != nil {
			last = r.last
		}
		e.depends = append(e.depends, last)
	}
}

// append gives the entry in the slot, which is linked, its position.
func (o *order) append(e *entry) uint64 {
	position := o.next
	o.next++
	e.sent.clear()
	e.executed, e.done, e.void, e.results = false, false, false, e.results[:0]
	e.by, e.rival, e.agreed, e.disputed = none, none, false, false
	for _, id := range e.Footprint.Writes {
		r := o.objects[id]
		if r == nil {
			r = o.record(id)
		}
		r.last = position
	}
	return position
}

// slot returns where the entry of the next position goes, to be filled in.
func (o *order) slot() *entry {
	if o.next-o.first == uint64(len(o.entries)) {
		o.grow()
	}
	e := o.at(o.next)
	if cap(e.Footprint.Reads) > keptReads || cap(e.results) > keptReads {
		*e = entry{sent: e.sent} // or a few long footprints at a time could make all places long
	}
	if e.Footprint.Reads == nil {
		reserve(&e.Footprint)
		e.depends = make([]uint64, 0, usualReads)
		e.results = make([]world.Object, 0, usualWrites)
	}
	return e
}

// The usual size of a footprint: what is made for it serves any entry up to this.
const (
	usualReads  = 16
	usualWrites = 4
	keptReads   = 4096 // and up to this it is kept
)

// usualAbsent is how many objects that do not exist a table is kept for.
const usualAbsent = 1024

func reserve(f *world.Footprint) {
	f.Reads, f.Writes = make(world.Set, 0, usualReads), make(world.Set, 0, usualWrites)
}

func (o *order) grow() {
	old := o.entries
	o.entries = make([]entry, 2*len(old))
	for p := o.first; p < o.next; p++ {
		*o.at(p) = old[p&uint64(len(old)-1)]
	}
}

// record makes a record for an object that had none.
func (o *order) record(id world.ID) *record {
	var r *record
	if n := len(o.spare); n > 0 {
		r, o.spare = o.spare[n-1], o.spare[:n-1]
		r.told.clear()
	} else {
		r = &record{}
		o.records = append(o.records, r)
	}
	*r = record{id: id, told: r.told}
	if o.start.Get(id) == nil {
		r.version = o.installed // it may have been there before and have gone, which not everybody knows
	}
	o.objects[id] = r
	return r
}

// settle notes that everything up to the next position after installed is in the authoritative state, where the objects
// that it wrote exist or not.
func (o *order) settle(exists func(world.ID) bool) {
	o.installed++
	e := o.at(o.installed)
	if e.void {
		return
	}
	for _, id := range e.Footprint.Writes {
		r := o.objects[id]
		if r.last == o.installed && !exists(id) && o.start.Get(id) == nil {
			// It came and went. What has no record and was not there at the start is not there.
			delete(o.objects, id)
			r.id = 0
			o.spare = append(o.spare, r)
			o.bury(id)
			continue
		}
		r.version = o.installed
		r.told.copy(&e.sent)
	}
}

// goneMax is how many objects that came and went are remembered.
const goneMax = 4096

// bury remembers that an object has gone at the last installed position.
func (o *order) bury(id world.ID) {
	if len(o.gone) == goneMax {
		o.forgotten = o.gone[goneMax/2-1].position
		o.gone = append(o.gone[:0], o.gone[goneMax/2:]...)
	}
	o.gone = append(o.gone, write{o.installed, id})
}

// discard forgets what stands at positions before one.
func (o *order) discard(before uint64) {
	o.first = max(o.first, min(before, o.installed+1))
}

// writer follows the chain of an object's writers from a position to the first that counts, and returns zero where that is
// in the authoritative state.
func (o *order) writer(id world.ID, position uint64) uint64 {
	for position > o.installed {
		e := o.at(position)
		if !e.void {
			return position
		}
		position = e.dependence(id)
	}
	return 0
}

// dependence is the position that wrote an object last before this entry, which sees it.
func (e *entry) dependence(id world.ID) uint64 {
	i, _ := slices.BinarySearch(e.Footprint.Reads, id)
	return e.depends[i]
}

// closure is what a client lacks to carry out entries: others that these depend on, and objects as they are installed.
type closure struct {
	positions []uint64
	values    []world.ID
	absent    map[world.ID]bool // those of the values that do not exist
}

// begin starts a walk.
func (o *order) begin(c *closure) {
	o.walk++
	c.positions, c.values = c.positions[:0], c.values[:0]
	if c.absent == nil || len(c.absent) > usualAbsent {
		c.absent = map[world.ID]bool{}
	}
	clear(c.absent)
}

// gather adds to a closure the entry at a position that is not installed, as far as a client lacks it, with all that it
// depends on, directly or through others.
func (o *order) gather(m *member, position uint64, c *closure) {
	o.stack = append(o.stack[:0], position)
	for len(o.stack) > 0 {
		at := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		e := o.at(at)
		if e.seen == o.walk || e.void || e.sent.has(m.slot) {
			continue
		}
		e.seen = o.walk
		c.positions = append(c.positions, at)
		for i, id := range e.Footprint.Reads {
			if w := o.writer(id, e.depends[i]); w != 0 {
				o.stack = append(o.stack, w)
			} else {
				o.value(m, id, c)
			}
		}
	}
}

// object adds to a closure what a client lacks to know how an object is.
func (o *order) object(m *member, id world.ID, c *closure) {
	if r := o.objects[id]; r != nil {
		if w := o.writer(id, r.last); w != 0 {
			o.gather(m, w, c)
			return
		}
	}
	o.value(m, id, c)
}

// value adds an object that is as installed, unless the client knows.
func (o *order) value(m *member, id world.ID, c *closure) {
	r := o.objects[id]
	switch {
	case r == nil:
		// It never was, or is no more: of the latter the client may not have heard.
		if o.start.Get(id) == nil && !c.absent[id] {
			c.absent[id] = true
			c.values = append(c.values, id)
		}
	case r.seen == o.walk || r.version <= m.base || r.told.has(m.slot):
	default:
		r.seen = o.walk
		c.values = append(c.values, id)
	}
}

// tell notes that a client is told all of a closure, and puts it into the order of positions.
func (o *order) tell(m *member, c *closure) {
	slices.Sort(c.positions)
	for _, p := range c.positions {
		e := o.at(p)
		e.sent.add(m.slot)
		e.executed = true
	}
	for _, id := range c.values {
		if r := o.objects[id]; r != nil {
			r.told.add(m.slot)
		}
	}
}

// doubt takes back what is known of an entry if that rests on one that has just been lost. Only those who are gone can have
// known of either: whoever is sent an entry is sent what it depends on. It is to be called for all entries in the order of
// their positions.
func (o *order) doubt(e *entry) {
	e.doubtful = false
	if e.void || !e.executed {
		return
	}
	for i, id := range e.Footprint.Reads {
		p := e.depends[i]
		for p > o.installed && o.at(p).void && !o.at(p).doubtful { // that was lost before, and was not counted on
			p = o.at(p).dependence(id)
		}
		e.doubtful = e.doubtful || p > o.installed && o.at(p).doubtful
	}
	if e.doubtful {
		e.executed, e.done = false, false
	}
}

// forget takes a client out of all that is known about who knows what.
func (o *order) forget(slot int) {
	for p := o.first; p < o.next; p++ {
		o.at(p).sent.remove(slot)
	}
	for _, r := range o.records {
		r.told.remove(slot)
	}
}

func (o *order) bytes() int {
	e := &o.entries[0]
	each := int(unsafe.Sizeof(*e)) + cap(e.depends)*16 + fewMax*4 + cap(e.results)*int(unsafe.Sizeof(world.Object{}))
	return len(o.entries)*each + len(o.records)*(int(unsafe.Sizeof(record{}))+48)
}

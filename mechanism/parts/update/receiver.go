package update

import (
	"iter"
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

const (
	// handlesAhead is how far beyond those known a new handle may be. Handles are given out in order, so that more are
	// missing only where datagrams full of newcomers are.
	handlesAhead = 8192

	// overtaken is how many receipts behind the last one may be that a late datagram names: versions that were bases then
	// are kept as long.
	overtaken = 8
)

// Receiver is what a node has been told by one sender.
type Receiver struct {
	shapes   []shape
	user     world.User
	held     []holding // by handle
	crowds   []knownCrowd
	places   []place
	vacant   []int32
	where    world.ByID[int32] // objects' places
	arrivals arrivals
	receipt  uint32             // the last that was made
	echo     uint32             // the highest that the sender is known to have seen
	readings []reading          // of the datagram being read
	drafts   []*[CrowdMax]thing // crowds in it
	drafted  int                // how many there are
	changes  []Change
}

// Header is how a datagram begins.
type Header struct {
	Seq  uint32 // counts datagrams from one
	Echo uint32 // the last receipt that the sender has seen
}

// Change is what a datagram says of one object.
type Change struct {
	What   What
	Place  int32        // a small number that is the object's from when it enters until it leaves
	Object world.Object // exact if it is the receiver's own; only its ID if it left
	Action uint32       // the last action of its owner that had been carried out, zero for none
}

// What can happen to an object.
type What uint8

// The things that happen.
const (
	Entered What = iota
	Changed
	Left
)

// reading is an item that was read and waits to be accepted.
type reading struct {
	handle int32 // or the number of a crowd
	op     uint8
	member uint8 // of the crowd, for a preview
	late   bool  // what is known of the crowd is later
	draft  int   // which of the drafts, if it is one
	thing  thing
	object world.Object
}

// NewReceiver returns a receiver for a user's node.
func NewReceiver(s *world.Schema, user world.User) *Receiver {
	return &Receiver{shapes: shapesOf(s), user: user}
}

// Receipt makes a receipt for all that has arrived.
func (v *Receiver) Receipt() Receipt {
	v.receipt++
	return Receipt{Number: v.receipt, High: v.arrivals.high, Missing: v.arrivals.missing}
}

// Has reports whether every datagram from one to another has arrived.
func (v *Receiver) Has(from, to uint32) bool {
	r := Receipt{High: v.arrivals.high, Missing: v.arrivals.missing}
	for seq := from; seq <= to; seq++ {
		if !r.has(seq) {
			return false
		}
	}
	return true
}

// ReadHeader reads how a datagram begins.
func ReadHeader(r *wire.Reader) Header {
	return Header{Seq: uint32(r.UintMax(1<<32 - 1)), Echo: uint32(r.UintMax(1<<32 - 1))}
}

// Verdict is what to do with a datagram.
type Verdict uint8

// The verdicts.
const (
	Good       Verdict = iota
	Stale              // it was repeated, or is too late to be understood; it counts as lost
	Impossible         // its sender cannot have sent it
)

// Judge says what to do with a datagram, from its header.
func (v *Receiver) Judge(h Header) Verdict {
	switch {
	case h.Seq == 0 || h.Echo > v.receipt || h.Seq > v.arrivals.high+window:
		return Impossible
	case !v.arrivals.takes(h.Seq) || h.Echo+overtaken < v.echo:
		return Stale
	}
	return Good
}

// Read reads the items of a datagram that was judged good, to the end of the message. Nothing is changed until Accept.
func (v *Receiver) Read(r *wire.Reader, h Header) Verdict {
	v.readings, v.drafted = v.readings[:0], 0
	last, lastCrowd := int64(-1), int64(-1)
	for r.Len() > 0 {
		name := r.Uint()
		x := reading{op: uint8(name & 3)}
		before, known := &last, len(v.held)
		if x.op == opCrowd {
			before, known = &lastCrowd, len(v.crowds)
		}
		name >>= 2
		*before += int64(name>>1^-(name&1)) + 1
		if *before < 0 || *before >= int64(known+handlesAhead) {
			r.Fail()
			break
		}
		x.handle = int32(*before)
		if !v.readItem(r, h, &x) {
			if h.Seq < v.arrivals.high {
				return Stale // what it builds on has gone since
			}
			r.Fail()
		}
		v.readings = append(v.readings, x)
	}
	if r.Failed() {
		return Impossible
	}
	return Good
}

// readItem reads one item. It reports false if the item builds on something that is not known.
func (v *Receiver) readItem(r *wire.Reader, h Header, x *reading) bool {
	if x.op == opCrowd {
		return v.readCrowd(r, h.Seq, x)
	}
	var hold *holding
	if int(x.handle) < len(v.held) && h.Seq >= v.held[x.handle].left {
		hold = &v.held[x.handle]
	}
	switch x.op {
	case opDelta:
		if hold == nil {
			return false
		}
		base := hold.heard.base(h.Echo)
		if base == nil {
			return false
		}
		x.thing = *base
		v.readThing(r, x)
	case opWhole:
		if x.thing = v.readName(r); !r.Failed() {
			v.readThing(r, x)
		}
	}
	return true
}

// readThing reads the numbers of an object, as differences to those that are known.
func (v *Receiver) readThing(r *wire.Reader, x *reading) {
	shape := &v.shapes[x.thing.kind]
	readDelta(r, &x.thing.units, shape.count())
	v.restore(&x.thing, &x.object)
	if x.thing.user == v.user {
		shape.readRest(r, &x.object)
	}
}

// restore sets an object to what is known of it.
func (v *Receiver) restore(t *thing, o *world.Object) {
	*o = world.Object{ID: t.id, Kind: t.kind, User: t.user}
	v.shapes[t.kind].restore(&t.units, o)
}

// Accept takes over what was read, and returns what is new in it. The changes hold until the next call.
func (v *Receiver) Accept(h Header) []Change {
	v.arrivals.add(h.Seq)
	v.echo = max(v.echo, h.Echo)
	v.changes = v.changes[:0]
	for i := range v.readings {
		switch x := &v.readings[i]; x.op {
		case opCrowd:
			v.crowds = extended(v.crowds, x.handle)
			v.takeCrowd(x, h.Seq)
		case opPreview:
			v.takePreview(x, h.Seq)
		case opLeave:
			v.held = extended(v.held, x.handle)
			v.leave(x.handle, h.Seq)
		default:
			v.held = extended(v.held, x.handle)
			v.take(x, h.Seq)
		}
	}
	v.readings, v.drafted = v.readings[:0], 0
	return v.changes
}

// extended makes sure that a list reaches as far as a number.
func extended[T any](list []T, to int32) []T {
	for len(list) <= int(to) {
		var none T
		list = append(list, none)
	}
	return list
}

// Holds reports whether an object is there for the receiver to see.
func (v *Receiver) Holds(id world.ID) bool {
	_, ok := v.where.Get(id)
	return ok
}

// Len is how many objects there are for the receiver to see.
func (v *Receiver) Len() int { return v.where.Len() }

// All runs through the objects that are there for the receiver to see, by their places.
func (v *Receiver) All() iter.Seq[world.ID] {
	return func(yield func(world.ID) bool) {
		for i := range v.places {
			if id := v.places[i].id; id != 0 && !yield(id) {
				return
			}
		}
	}
}

// Place is the place of an object that is held.
func (v *Receiver) Place(id world.ID) (place int32, ok bool) {
	return v.where.Get(id)
}

// Get returns an object as it was last told; own ones are rounded like others.
func (v *Receiver) Get(id world.ID) (o world.Object, ok bool) {
	place, ok := v.where.Get(id)
	if ok {
		ok = v.latest(&v.places[place], &o)
	}
	return o, ok
}

// Bytes is the memory that the receiver holds.
func (v *Receiver) Bytes() int {
	n := cap(v.held)*int(unsafe.Sizeof(holding{})) + cap(v.places)*int(unsafe.Sizeof(place{})) + v.where.Len()*24 +
		cap(v.readings)*int(unsafe.Sizeof(reading{})) + (cap(v.drafts)+len(v.crowds))*int(unsafe.Sizeof([CrowdMax]thing{})) +
		cap(v.changes)*int(unsafe.Sizeof(Change{}))
	for i := range v.held {
		n += cap(v.held[i].heard) * int(unsafe.Sizeof(heard{}))
	}
	return n
}

// readName reads what appendName wrote.
func (v *Receiver) readName(r *wire.Reader) thing {
	id, kind := world.ID(r.Uint()), r.Uint()
	user := world.User(r.UintMax(1<<32 - 1))
	if id == 0 || kind >= uint64(len(v.shapes)) {
		r.Fail()
		return thing{}
	}
	return thing{id: id, kind: world.KindID(kind), user: user}
}

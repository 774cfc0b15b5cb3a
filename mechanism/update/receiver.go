package update

import (
	"slices"
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
	where    map[world.ID]int32
	arrivals arrivals
	receipt  uint32    // the last that was made
	echo     uint32    // the highest that the sender is known to have seen
	readings []reading // of the datagram being read
	changes  []Change
}

// holding is what a handle stands for.
type holding struct {
	id      world.ID
	live    bool
	left    uint32   // the datagram in which the object left, or the one before it did
	samples []sample // what has arrived of it, in the order of datagrams; never empty while live
}

// sample is an object's numbers as they arrived.
type sample struct {
	seq      uint32 // the datagram
	reported uint32 // the first receipt that reports it
	kind     world.KindID
	user     world.User
	units    units
}

// Header is how a datagram begins.
type Header struct {
	Seq  uint32 // counts datagrams from one
	Echo uint32 // the last receipt that the sender has seen
}

// Change is what a datagram says of one object.
type Change struct {
	What   What
	Handle int32
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
	handle int32
	op     uint8
	id     world.ID
	sample sample
	object world.Object
}

// NewReceiver returns a receiver for a user's node.
func NewReceiver(s *world.Schema, user world.User) *Receiver {
	return &Receiver{shapes: shapesOf(s), user: user, where: map[world.ID]int32{}}
}

// Receipt makes a receipt for all that has arrived.
func (v *Receiver) Receipt() Receipt {
	v.receipt++
	return Receipt{Number: v.receipt, High: v.arrivals.high, Missing: v.arrivals.missing}
}

// High is the highest datagram that has arrived.
func (v *Receiver) High() uint32 { return v.arrivals.high }

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
	v.readings = v.readings[:0]
	last := int64(-1)
	for r.Len() > 0 {
		name := r.Uint()
		op := uint8(name & 3)
		name >>= 2
		last += int64(name>>1^-(name&1)) + 1
		if last < 0 || last >= int64(len(v.held)+handlesAhead) {
			r.Fail()
			break
		}
		x := reading{handle: int32(last), op: op}
		switch op {
		case opDelta:
			base := v.base(x.handle, h)
			if base == nil {
				if h.Seq < v.arrivals.high {
					return Stale // what it builds on has gone since
				}
				r.Fail()
				break
			}
			x.id = v.held[x.handle].id
			x.sample = *base
			v.readBody(r, h, &x)
		case opWhole:
			v.readWhole(r, h, &x)
		case opLeave:
		default:
			r.Fail()
		}
		v.readings = append(v.readings, x)
	}
	if r.Failed() {
		return Impossible
	}
	return Good
}

// base is what a difference in a datagram builds on: see the package comment.
func (v *Receiver) base(handle int32, h Header) *sample {
	if int(handle) >= len(v.held) {
		return nil
	}
	x := &v.held[handle]
	if !x.live || h.Seq < x.left {
		return nil
	}
	for i := len(x.samples) - 1; i >= 0; i-- {
		if s := &x.samples[i]; s.reported <= h.Echo {
			return s
		}
	}
	return nil
}

func (v *Receiver) readWhole(r *wire.Reader, h Header, x *reading) {
	x.id = world.ID(r.Uint())
	kind := r.Uint()
	x.sample.user = world.User(r.UintMax(1<<32 - 1))
	if x.id == 0 || kind >= uint64(len(v.shapes)) {
		r.Fail()
		return
	}
	x.sample.kind = world.KindID(kind)
	v.readBody(r, h, x)
}

// readBody reads the numbers of an object, as differences to those in its sample.
func (v *Receiver) readBody(r *wire.Reader, h Header, x *reading) {
	shape := &v.shapes[x.sample.kind]
	x.sample.seq, x.sample.reported = h.Seq, v.receipt+1
	readDelta(r, &x.sample.units, shape.count())
	x.object = world.Object{ID: x.id, Kind: x.sample.kind, User: x.sample.user}
	shape.restore(&x.sample.units, &x.object)
	if x.object.User == v.user {
		shape.readRest(r, &x.object)
	}
}

// Accept takes over what was read, and returns what is new in it. The changes hold until the next call.
func (v *Receiver) Accept(h Header) []Change {
	v.arrivals.add(h.Seq)
	v.echo = max(v.echo, h.Echo)
	v.changes = v.changes[:0]
	for i := range v.readings {
		x := &v.readings[i]
		if x.op != opLeave {
			v.take(x)
			continue
		}
		v.leave(x.handle, h.Seq)
	}
	return v.changes
}

// take takes over one object.
func (v *Receiver) take(x *reading) {
	for len(v.held) <= int(x.handle) {
		v.held = append(v.held, holding{})
	}
	hold := &v.held[x.handle]
	if v.outdated(hold, x) {
		return
	}
	what := Changed
	if !hold.live || hold.id != x.id {
		what = Entered
		v.bind(x.handle, x.id)
	}
	if hold.add(&x.sample) {
		v.changes = append(v.changes, Change{What: what, Handle: x.handle, Object: x.object, Action: uint32(x.sample.units[0])})
	}
	hold.prune(v.echo)
}

// outdated reports whether a late datagram speaks of an object that has left since, or has got another handle.
func (v *Receiver) outdated(hold *holding, x *reading) bool {
	seq := x.sample.seq
	if seq < hold.left || hold.live && hold.id != x.id && seq < hold.newest() {
		return true
	}
	other, ok := v.where[x.id]
	return ok && other != x.handle && seq < v.held[other].newest()
}

// bind has a handle stand for an object. If another one did, the object left and came back, and the news of its leaving is
// still to come.
func (v *Receiver) bind(handle int32, id world.ID) {
	v.drop(handle)
	if other, ok := v.where[id]; ok {
		v.drop(other)
	}
	v.where[id] = handle
	h := &v.held[handle]
	h.id, h.live = id, true
}

// drop lets go of what a handle stands for, if anything.
func (v *Receiver) drop(handle int32) {
	h := &v.held[handle]
	if h.live {
		h.live = false
		h.samples = h.samples[:0]
		delete(v.where, h.id)
		v.changes = append(v.changes, Change{What: Left, Handle: handle, Object: world.Object{ID: h.id}})
	}
}

// leave notes that an object left.
func (v *Receiver) leave(handle int32, seq uint32) {
	for len(v.held) <= int(handle) {
		v.held = append(v.held, holding{})
	}
	h := &v.held[handle]
	if h.live && seq < h.newest() {
		return // its handle stands for another by now
	}
	h.left = max(h.left, seq)
	v.drop(handle)
}

// newest is the latest datagram that spoke of the object.
func (h *holding) newest() uint32 { return h.samples[len(h.samples)-1].seq }

// add puts a sample into its place and reports whether it is the newest.
func (h *holding) add(s *sample) bool {
	at := len(h.samples)
	for at > 0 && h.samples[at-1].seq > s.seq {
		at--
	}
	h.samples = slices.Insert(h.samples, at, *s)
	return at == len(h.samples)-1
}

// prune forgets samples that can no longer be bases.
func (h *holding) prune(echo uint32) {
	for i := len(h.samples) - 1; i > 0; i-- {
		if h.samples[i].reported+overtaken <= echo {
			h.samples = slices.Delete(h.samples, 0, i)
			return
		}
	}
}

// Holds reports whether an object is there for the receiver to see.
func (v *Receiver) Holds(id world.ID) bool {
	_, ok := v.where[id]
	return ok
}

// Bytes is the memory that the receiver holds.
func (v *Receiver) Bytes() int {
	n := cap(v.held)*int(unsafe.Sizeof(holding{})) + len(v.where)*24 +
		cap(v.readings)*int(unsafe.Sizeof(reading{})) + cap(v.changes)*int(unsafe.Sizeof(Change{}))
	for i := range v.held {
		n += cap(v.held[i].samples) * int(unsafe.Sizeof(sample{}))
	}
	return n
}

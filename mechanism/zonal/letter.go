package zonal

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// A letter is what one node says of what it answers for. It is passed on along the tree as it is, except for its first byte:
//
//	how often it was passed on
//	who wrote it, its number, and when, in milliseconds of its writer's clock
//	the writer's zone; the zone in whose band it is; up to two zones that it sees beyond its own
//	what it sees
//	of each object: the distance of its ID from the one before, never zero; the object, rounded
//	a zero
//	of each object that is gone: the distance of its ID from the one before
//	a zero
type letter struct {
	hops     byte
	origin   mechanism.NodeID
	number   uint64
	sent     int64 // milliseconds
	zone     int
	adjacent int // or none
	visible  [2]int
	gaze     gaze
	objects  []world.Object
	removed  []world.ID
	raw      []byte // as it came
}

// none is no zone.
const none = -1

// writer writes the letters of one node.
type writer struct {
	schema *world.Schema
	head   letter // what all letters say that are written now
	next   uint64 // the number of the next one
	buf    []byte
	object []byte
	open   bool
	gone   bool // it has come to what is gone
	last   world.ID
	items  int
}

// letterMax is how long a letter may be: with the length before it it fits into a datagram.
const letterMax = datagram - 8

// begin begins a letter, if none is begun.
func (w *writer) begin() {
	if w.open {
		return
	}
	h := &w.head
	b := append(w.buf[:0], 0)
	b = wire.AppendUint(b, uint64(h.origin))
	b = wire.AppendUint(b, w.next)
	b = wire.AppendUint(b, uint64(h.sent))
	for _, z := range [...]int{h.zone, h.adjacent, h.visible[0], h.visible[1]} {
		b = wire.AppendUint(b, uint64(z+1))
	}
	w.buf = h.gaze.append(b)
	w.next++
	w.open, w.gone, w.last, w.items = true, false, 0, 0
}

// put adds an object, in the order of IDs and before what is gone. It reports whether there was room.
func (w *writer) put(o *world.Object) bool {
	w.begin()
	w.object = w.schema.AppendObject(w.object[:0], o, nil, world.Rounded)
	if len(w.buf)+len(w.object)+12 > letterMax && w.items > 0 {
		return false
	}
	w.name(o.ID)
	w.buf = append(w.buf, w.object...)
	return true
}

// remove adds that an object is gone.
func (w *writer) remove(id world.ID) bool {
	w.begin()
	if len(w.buf)+12 > letterMax && w.items > 0 {
		return false
	}
	if !w.gone {
		w.buf = append(w.buf, 0)
		w.gone, w.last = true, 0
	}
	w.name(id)
	return true
}

func (w *writer) name(id world.ID) {
	w.buf = wire.AppendUint(w.buf, uint64(id-w.last))
	w.last = id
	w.items++
}

// end ends the letter and returns it, or nil if none was begun. It holds until the next one is begun.
func (w *writer) end() []byte {
	if !w.open {
		return nil
	}
	w.open = false
	if !w.gone {
		w.buf = append(w.buf, 0)
	}
	w.buf = append(w.buf, 0)
	return w.buf
}

// read reads a letter in a world with so many users and zones. What it accepts makes sense: kinds, users and zones exist, numbers are
// within their ranges.
func (l *letter) read(s *world.Schema, users world.User, zones int, raw []byte) error {
	r := wire.NewReader(raw)
	l.raw, l.objects, l.removed = raw, l.objects[:0], l.removed[:0]
	l.hops = r.Byte()
	l.origin = mechanism.NodeID(r.UintMax(1<<32 - 1))
	l.number, l.sent = r.UintMax(number), int64(r.UintMax(1<<50))
	readZone := func() int { return int(r.UintMax(uint64(zones))) - 1 }
	l.zone, l.adjacent = readZone(), readZone()
	l.visible = [2]int{readZone(), readZone()}
	l.gaze.read(&r)
	if l.hops > hopsMax || l.zone == none {
		r.Fail()
	}
	for id := world.ReadID(&r, 0); id != 0; id = world.ReadID(&r, id) {
		o := s.ReadObject(&r, nil, world.Rounded)
		if r.Failed() || o.User > users || !s.Sensible(&o) {
			return wire.ErrMalformed
		}
		o.ID = id
		l.objects = append(l.objects, o)
	}
	for id := world.ReadID(&r, 0); id != 0; id = world.ReadID(&r, id) {
		l.removed = append(l.removed, id)
	}
	return r.Done()
}

// concerns reports whether somebody sees anything of what a letter tells. What is gone, and what is nowhere, concerns everybody.
func (l *letter) concerns(g *gaze, margin fixed.F, placeless []bool) bool {
	if g.all || len(l.removed) > 0 {
		return true
	}
	for i := range l.objects {
		if o := &l.objects[i]; placeless[o.Kind] || g.sees(o.Pos, margin) {
			return true
		}
	}
	return false
}

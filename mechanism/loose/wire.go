package loose

import (
	"throng/world"
	"throng/world/wire"
)

// An update is the only message there is:
//
//	the tick at whose end it was sent
//	of each object: the distance of its ID from the one before, never zero; the object, rounded
//	a zero
//	of each object that was removed: the distance of its ID from the one before
//	a zero
//
// Whether it is a full update or one for a few objects makes no difference to the receiver.

// datagramMax is the size at which an update is continued in another datagram, so that it passes through real networks
// unfragmented. A single object is always smaller.
const datagramMax = 1200

// idMax is how many bytes an ID takes at most.
const idMax = 10

// writer puts what a host has to say in one tick into datagrams.
type writer struct {
	buf      []byte
	ends     []int // where each finished datagram ends
	start    int   // where the current one starts
	open     bool
	removing bool
	last     world.ID
	items    int // objects written
	object   []byte
	stamp    world.Tick
}

// begin forgets what was written before.
func (w *writer) begin(stamp world.Tick) {
	w.buf, w.ends, w.start, w.open, w.items, w.stamp = w.buf[:0], w.ends[:0], 0, false, 0, stamp
}

// put adds an object. Objects come in the order of their IDs, and before removals.
func (w *writer) put(s *world.Schema, o *world.Object) {
	w.object = s.AppendObject(w.object[:0], o, nil, world.Rounded)
	w.room(idMax + len(w.object))
	w.name(o.ID)
	w.buf = append(w.buf, w.object...)
}

// remove adds the removal of an object, in the order of IDs.
func (w *writer) remove(id world.ID) {
	w.room(idMax)
	if !w.removing {
		w.buf = append(w.buf, 0)
		w.removing, w.last = true, 0
	}
	w.name(id)
}

func (w *writer) name(id world.ID) {
	w.buf = wire.AppendUint(w.buf, uint64(id-w.last))
	w.last = id
	w.items++
}

// room sees to it that n more bytes fit into the current datagram.
func (w *writer) room(n int) {
	const ending = 2
	if w.open && len(w.buf)-w.start+n+ending > datagramMax {
		w.end()
	}
	if !w.open {
		w.open, w.removing, w.last = true, false, 0
		w.buf = wire.AppendUint(w.buf, uint64(w.stamp))
	}
}

// end finishes the current datagram, if there is one.
func (w *writer) end() {
	if !w.open {
		return
	}
	if !w.removing {
		w.buf = append(w.buf, 0)
	}
	w.buf = append(w.buf, 0)
	w.ends = append(w.ends, len(w.buf))
	w.start, w.open = len(w.buf), false
}

// update is one datagram as it is read.
type update struct {
	stamp   world.Tick
	objects []world.Object
	removed []world.ID
}

// stampMax is a tick that no world reaches.
const stampMax = 1 << 40

// read reads one datagram for a world with so many users. What it accepts makes sense: kinds and users exist, numbers are
// within their ranges.
func (u *update) read(s *world.Schema, users world.User, payload []byte) error {
	u.objects, u.removed = u.objects[:0], u.removed[:0]
	r := wire.NewReader(payload)
	u.stamp = world.Tick(r.UintMax(stampMax))
	for id := world.ReadID(&r, 0); id != 0; id = world.ReadID(&r, id) {
		o := s.ReadObject(&r, nil, world.Rounded)
		if r.Failed() || o.User > users || !s.Sensible(&o) {
			return wire.ErrMalformed
		}
		o.ID = id
		u.objects = append(u.objects, o)
	}
	for id := world.ReadID(&r, 0); id != 0; id = world.ReadID(&r, id) {
		u.removed = append(u.removed, id)
	}
	return r.Done()
}

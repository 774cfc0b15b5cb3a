package interest

import (
	"math/bits"
	"slices"

	"throng/world"
	"throng/world/wire"
)

// A stream tells all clients of a server the same: in each message, which objects are the server's from now on or no longer,
// and which of the others have changed.
//
// Whoever shows the streams of all servers keeps little more than the objects, so that clients to whom the same has come can
// share the work (package memo). An object lies in the area of the server that has it, and only that server's changes of
// it count. So it does no harm where the last changes that a server tells of an object are overtaken by the first word of
// the server that has taken it over. Values are told as they are, not as differences, since there is no saying what they
// would be differences to. The coming and going of objects is told with the tick since which the server has had them: what
// is older than what a client has heard of an object comes too late (see memory).

// The flags of a message.
const streamReset = 1 // it begins an account of all that there is in the server's area

const (
	streamHead = 2 + 3                                            // kind, flags, and the length of the first part
	itemMax    = 10 + 10 + 3 + 5 + 3 + 10*(6+world.MaxAttributes) // the most that an item takes
)

// teller is the server's end of a stream.
type teller struct {
	schema *world.Schema
	every  bool                    // what is touched is told though it is as it was
	told   *world.State            // as clients know it
	since  map[world.ID]world.Tick // when this server got what it has got since the start
	dirty  []world.ID
	anew   []world.ID // what is to be told as a whole
	now    world.Object
	message
}

func newTeller(s *world.State) *teller {
	return &teller{schema: s.Schema(), told: world.NewState(s.Schema(), s.Seed()), since: map[world.ID]world.Tick{}}
}

// touch notes that something has become of an object.
func (t *teller) touch(id world.ID) { t.dirty = append(t.dirty, id) }

// cross notes that an object has come over at a tick, from a server that had it since an earlier one: whatever clocks say.
func (t *teller) cross(id world.ID, before, tick world.Tick) {
	t.touch(id)
	t.anew = append(t.anew, id)
	t.since[id] = max(before+1, tick)
}

// tell puts what is new in a store at a tick into messages of a size.
func (t *teller) tell(c *store, tick world.Tick, buf []byte, room int, send sendItems) []byte {
	slices.Sort(t.dirty)
	t.dirty = slices.Compact(t.dirty)
	t.start(0, buf, room, send)
	for _, id := range t.dirty {
		t.news(c, id, tick)
	}
	t.dirty, t.anew = t.dirty[:0], t.anew[:0]
	return t.finish()
}

// news says what has become of an object. What is on its way to another server stays as it was last seen here.
func (t *teller) news(c *store, id world.ID, tick world.Tick) {
	was := t.told.Get(id)
	switch {
	case c.owns(id):
		t.now = *c.state.Get(id)
		t.round(c)
		switch {
		case was == nil || was.Kind != t.now.Kind || was.User != t.now.User || slices.Contains(t.anew, id):
			if was == nil && tick > 0 {
				t.since[id] = max(t.since[id], tick) // it is new
			}
			t.come(&t.now, t.since[id], t.schema)
		case *was == t.now && !t.every:
			return
		default:
			t.change(was, &t.now, t.schema)
		}
		t.told.Put(t.now)
	case was != nil && (c.state.Get(id) == nil || !c.shows(id)):
		t.leave(id, t.since[id])
		t.told.Remove(id)
		delete(t.since, id)
	}
}

// round rounds an object as the wire does, but not out of its area: clients would take it for another server's.
func (t *teller) round(c *store) {
	exact := t.now
	t.schema.Round(&t.now)
	if c.land.AreaOf(&t.now) == c.area {
		return
	}
	for _, v := range t.schema.Kinds[t.now.Kind].Variables {
		switch off := t.now.Get(v.Slot) - exact.Get(v.Slot); {
		case v.Slot > world.SlotY:
		case off > 0:
			t.now.Set(v.Slot, t.now.Get(v.Slot)-v.Quantum)
		case off < 0:
			t.now.Set(v.Slot, t.now.Get(v.Slot)+v.Quantum)
		}
	}
}

// account tells of all that clients know.
func (t *teller) account(buf []byte, room int, send sendItems) []byte {
	t.start(streamReset, buf, room, send)
	t.must = true
	for o := range t.told.All() {
		t.come(o, t.since[o.ID], t.schema)
	}
	return t.finish()
}

// sendItems sends a message that tells of a number of objects.
type sendItems func(msg []byte, items int)

// message is written item by item, and sent when it is full.
type message struct {
	comings []byte // and goings
	changes []byte
	buf     []byte
	flags   byte
	must    bool // it says something even if it is empty
	room    int
	last    world.ID // that has changed
	items   int
	send    sendItems
}

func (m *message) start(flags byte, buf []byte, room int, send sendItems) {
	*m = message{comings: m.comings[:0], changes: m.changes[:0], buf: buf, flags: flags, room: room, send: send}
}

// come says that an object is the server's, since a tick.
func (m *message) come(o *world.Object, since world.Tick, s *world.Schema) {
	m.makeRoom()
	m.comings = wire.AppendUint(m.comings, uint64(o.ID))
	m.comings = wire.AppendUint(m.comings, uint64(since)<<1)
	m.comings = s.AppendObject(m.comings, o, nil, world.Rounded)
}

// leave says that an object that was the server's since a tick no longer is.
func (m *message) leave(id world.ID, since world.Tick) {
	m.makeRoom()
	m.comings = wire.AppendUint(m.comings, uint64(id))
	m.comings = wire.AppendUint(m.comings, uint64(since)<<1|1)
}

// change says how an object has changed. Objects come in the order of their IDs.
func (m *message) change(from, to *world.Object, s *world.Schema) {
	m.makeRoom()
	m.changes = wire.AppendUint(m.changes, uint64(to.ID-m.last))
	m.changes = appendChange(m.changes, s, from, to)
	m.last = to.ID
}

// makeRoom begins a new message where the next item, which is about to be written, might not fit into this one.
func (m *message) makeRoom() {
	if n := len(m.comings) + len(m.changes); n > 0 && streamHead+n+itemMax > m.room {
		m.emit()
		m.comings, m.changes, m.items, m.last, m.flags, m.must = m.comings[:0], m.changes[:0], 0, 0, 0, false
	}
	m.items++
}

func (m *message) emit() {
	m.buf = append(m.buf[:0], kindStream, m.flags)
	m.buf = wire.AppendBytes(m.buf, m.comings)
	m.buf = append(m.buf, m.changes...)
	m.send(m.buf, m.items)
}

// finish sends what is left, and returns the memory that was used.
func (m *message) finish() []byte {
	if m.must || len(m.comings)+len(m.changes) > 0 {
		m.emit()
	}
	return m.buf
}

// appendChange appends the variables in which two objects of one kind differ, as they are in the second, in steps of their
// quanta.
func appendChange(dst []byte, s *world.Schema, from, to *world.Object) []byte {
	vars := s.Kinds[to.Kind].Variables
	var mask uint64
	for i := range vars {
		if from.Get(vars[i].Slot) != to.Get(vars[i].Slot) {
			mask |= 1 << i
		}
	}
	dst = wire.AppendUint(dst, mask)
	for ; mask != 0; mask &= mask - 1 {
		v := &vars[bits.TrailingZeros64(mask)]
		dst = wire.AppendInt(dst, to.Get(v.Slot)/max(v.Quantum, 1))
	}
	return dst
}

package interest

import (
	"math/bits"
	"slices"

	"throng/mechanism/area"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// A stream tells all clients of a server the same: in each message, in the order of their IDs, the objects that have changed.
//
// Whoever shows the streams of all servers keeps no more than the objects: what a message does to them follows from them
// alone, so that clients in the same state can share the work (package lineage). An object is taken to be with the server in
// whose area it lies. Only that server's changes count, and only it can take the object away; but any server can tell of a
// whole object, which is then with it. So it does no harm where the last word of the server that has handed an object over
// is overtaken by the first of the one that has taken it. Values are told as they are, not as differences, since there is no
// saying what they would be differences to.

// What is said of an object.
const (
	opChanged = iota // which of its variables have changed, and to what
	opWhole          // all of it
	opGone
)

// The flags of a message.
const streamReset = 1 // it begins an account of all that there is in the server's area

const (
	// again is after how many ticks an object that has come over is told of as a whole once more, lest what the server that
	// had it said has come later, and has been believed.
	again = 40

	streamHead = 2                                           // kind and flags
	itemMax    = 10 + 3 + 5 + 3 + 10*(6+world.MaxAttributes) // the most that an item takes
)

// teller is the server's end of a stream.
type teller struct {
	schema *world.Schema
	told   *world.State // as clients know it
	dirty  []world.ID
	whole  []reminder // what is to be told as a whole once more, the earliest first
	anew   []world.ID // what is to be told as a whole now
	now    world.Object
	message
}

type reminder struct {
	id  world.ID
	due world.Tick
}

func newTeller(s *world.State) *teller {
	return &teller{schema: s.Schema(), told: world.NewState(s.Schema(), s.Seed())}
}

// cross notes that an object has come over from another server at a tick. Clients are told of all of it: now, since they know
// it as the other's, and once more.
func (t *teller) cross(id world.ID, tick world.Tick) {
	t.touch(id)
	t.anew = append(t.anew, id)
	t.whole = append(t.whole, reminder{id, tick + again})
}

// touch notes that something has become of an object.
func (t *teller) touch(id world.ID) { t.dirty = append(t.dirty, id) }

// tell puts what is new in a custody at a tick into messages of a size.
func (t *teller) tell(c *custody, tick world.Tick, buf []byte, room int, send func([]byte)) []byte {
	due := 0
	for ; due < len(t.whole) && t.whole[due].due <= tick; due++ {
		t.touch(t.whole[due].id)
		t.anew = append(t.anew, t.whole[due].id)
	}
	t.whole = t.whole[:copy(t.whole, t.whole[due:])]
	slices.Sort(t.dirty)
	t.dirty = slices.Compact(t.dirty)
	m := &t.message
	*m = message{buf: append(buf[:0], kindStream, 0), room: room, send: send}
	for _, id := range t.dirty {
		t.news(m, c, id)
	}
	t.dirty, t.anew = t.dirty[:0], t.anew[:0]
	m.end()
	return m.buf
}

// news says what has become of an object. What is on its way to another server stays as it was last seen here.
func (t *teller) news(m *message, c *custody, id world.ID) {
	was := t.told.Get(id)
	switch {
	case c.owns(id):
		t.now = *c.state.Get(id)
		t.schema.Round(&t.now)
		switch {
		case was == nil || was.Kind != t.now.Kind || was.User != t.now.User || slices.Contains(t.anew, id):
			m.begin(id, opWhole)
			m.buf = t.schema.AppendObject(m.buf, &t.now, nil, world.Rounded)
		case *was == t.now:
			return
		default:
			m.begin(id, opChanged)
			m.buf = appendChange(m.buf, t.schema, was, &t.now)
		}
		t.told.Put(t.now)
	case was != nil && (c.state.Get(id) == nil || !c.shows(id)):
		m.begin(id, opGone)
		t.told.Remove(id)
	}
}

// account tells of all that clients know.
func (t *teller) account(buf []byte, room int, send func([]byte)) []byte {
	m := &t.message
	*m = message{buf: append(buf[:0], kindStream, streamReset), room: room, send: send, must: true}
	for o := range t.told.All() {
		m.begin(o.ID, opWhole)
		m.buf = t.schema.AppendObject(m.buf, o, nil, world.Rounded)
	}
	m.end()
	return m.buf
}

// message is written item by item, and sent when it is full.
type message struct {
	buf  []byte
	room int
	must bool // it says something even if it is empty
	last world.ID
	send func([]byte)
}

// begin begins an item, in a new message where it might not fit into this one.
func (m *message) begin(id world.ID, op uint64) {
	if len(m.buf) > streamHead && len(m.buf)+itemMax > m.room {
		m.send(m.buf)
		m.buf, m.last, m.must = append(m.buf[:0], kindStream, 0), 0, false
	}
	m.buf = wire.AppendUint(m.buf, uint64(id-m.last)<<2|op)
	m.last = id
}

func (m *message) end() {
	if m.must || len(m.buf) > streamHead {
		m.send(m.buf)
	}
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

// scroll is the client's end of all streams: what their messages do to a state.
type scroll struct {
	schema *world.Schema
	land   *area.Map
	slack  fixed.F // by how much rounding can put an object into another area
	gone   []world.ID
}

func newScroll(s *world.Schema, land *area.Map) *scroll {
	x := &scroll{schema: s, land: land}
	for i := range s.Kinds {
		for _, v := range s.Kinds[i].Variables {
			if v.Slot <= world.SlotY {
				x.slack = max(x.slack, fixed.F(v.Quantum))
			}
		}
	}
	return x
}

// unroll takes over a message of an area's server, after its kind. It stops where the message makes no sense, and reports
// whether it does to its end.
func (x *scroll) unroll(s *world.State, from int, msg []byte) bool {
	r := wire.NewReader(msg)
	switch r.Byte() {
	case streamReset:
		x.clear(s, from)
	case 0:
	default:
		return false
	}
	id := world.ID(0)
	for r.Len() > 0 {
		name := r.Uint()
		if id += world.ID(name >> 2); id == 0 {
			return false
		}
		was := s.Get(id)
		ours := was != nil && x.land.Within(from, was.Pos, x.slack)
		switch {
		case name&3 == opWhole:
			o := x.schema.ReadObject(&r, nil, world.Rounded)
			if r.Failed() {
				return false
			}
			o.ID = id
			s.Put(o)
		case name&3 == opGone:
			if ours {
				s.Remove(id)
			}
		case name&3 != opChanged:
			return false
		case ours:
			o := *was
			if x.readChange(&r, &o); r.Failed() {
				return false
			}
			*s.Edit(id) = o
		default:
			skipChange(&r)
		}
	}
	return !r.Failed()
}

// sound reports whether a message makes sense to its end, whatever it is about.
func (x *scroll) sound(msg []byte) bool {
	r := wire.NewReader(msg)
	if r.Byte()&^streamReset != 0 {
		return false
	}
	id := world.ID(0)
	for r.Len() > 0 && !r.Failed() {
		name := r.Uint()
		if id += world.ID(name >> 2); id == 0 {
			return false
		}
		switch name & 3 {
		case opWhole:
			x.schema.ReadObject(&r, nil, world.Rounded)
		case opGone:
		case opChanged:
			skipChange(&r)
		default:
			return false
		}
	}
	return !r.Failed()
}

// skipChange passes over the values of an object that is not known.
func skipChange(r *wire.Reader) {
	for values := bits.OnesCount64(r.Uint()); values > 0; values-- {
		r.Int()
	}
}

// clear takes away what lies in an area.
func (x *scroll) clear(s *world.State, from int) {
	x.gone = x.gone[:0]
	for o := range s.All() {
		if x.land.AreaOf(o) == from {
			x.gone = append(x.gone, o.ID)
		}
	}
	for _, id := range x.gone {
		s.Remove(id)
	}
}

func (x *scroll) readChange(r *wire.Reader, o *world.Object) {
	vars := x.schema.Kinds[o.Kind].Variables
	mask := r.Uint()
	if mask>>len(vars) != 0 {
		r.Fail()
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		v := &vars[bits.TrailingZeros64(mask)]
		o.Set(v.Slot, r.Int()*max(v.Quantum, 1))
	}
}

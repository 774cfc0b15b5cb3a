package interest

import (
	"math/bits"

	"throng/mechanism/parts/area"
	"throng/world"
	"throng/world/wire"
)

// scroll is the client's end of all streams: what their messages do to a state.
type scroll struct {
	schema *world.Schema
	land   *area.Map
	gone   []world.ID
	kept   []byte
	sifted []byte
}

func newScroll(s *world.Schema, land *area.Map) *scroll { return &scroll{schema: s, land: land} }

// unroll takes over a message of an area's server, after its kind. It stops where the message makes no sense, and reports
// whether it does to its end.
func (x *scroll) unroll(s *world.State, from int, msg []byte) bool {
	r := wire.NewReader(msg)
	flags := r.Byte()
	comings := wire.NewReader(r.Bytes())
	if flags&^streamReset != 0 || r.Failed() {
		return false
	}
	if flags == streamReset {
		x.clear(s, from)
	}
	for comings.Len() > 0 {
		c := x.readComing(&comings)
		switch {
		case comings.Failed():
			return false
		case c.gone:
			s.Remove(c.object.ID)
		default:
			s.Put(c.object)
		}
	}
	id := world.ID(0)
	for r.Len() > 0 && !r.Failed() {
		id += world.ID(r.Uint())
		was := s.Get(id)
		if was == nil || x.land.AreaOf(was) != from {
			skipChange(&r)
			continue
		}
		o := *was
		if x.readChange(&r, &o); !r.Failed() {
			*s.Edit(id) = o
		}
	}
	return !r.Failed()
}

// sound reports whether a message makes sense to its end, whatever it is about.
func (x *scroll) sound(msg []byte) bool {
	r := wire.NewReader(msg)
	flags := r.Byte()
	comings := wire.NewReader(r.Bytes())
	for comings.Len() > 0 && !comings.Failed() {
		x.readComing(&comings)
	}
	for r.Len() > 0 && !r.Failed() {
		r.Uint()
		skipChange(&r)
	}
	return flags&^streamReset == 0 && !comings.Failed() && !r.Failed()
}

// coming is an object that is a server's since a tick, or no longer.
type coming struct {
	since  world.Tick
	gone   bool
	object world.Object // if it is gone, only its ID
}

func (x *scroll) readComing(r *wire.Reader) (c coming) {
	id := world.ID(r.Uint())
	name := r.Uint()
	c.since, c.gone = world.Tick(name>>1), name&1 == 1
	if !c.gone {
		c.object = x.schema.ReadObject(r, nil, world.Rounded)
	}
	if c.object.ID = id; id == 0 {
		r.Fail()
	}
	return c
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

// memory is what a client remembers of objects that have come and gone: of each, since when the server has had it that was
// last heard to. It forgets those of which it has heard nothing for some thousands of others.
type memory struct {
	young, old world.ByID[world.Tick]
}

// memoryMax is how many objects there are in one half of it.
const memoryMax = 1 << 12

// late reports whether what is said of an object is older than what has been heard, and remembers it if not.
func (m *memory) late(c *coming) bool {
	id := c.object.ID
	heard, ok := m.young.Get(id) // which is not older than what the other half has
	if !ok {
		heard, _ = m.old.Get(id)
	}
	if c.since < heard {
		return true
	}
	if c.since > 0 {
		if m.young.Len() == memoryMax {
			m.young, m.old = m.old, m.young
			m.young.Clear()
		}
		m.young.Set(id, c.since)
	}
	return false
}

// sift appends a message, after its kind, to those that wait, without what comes too late. The message must be sound.
func (x *scroll) sift(inbox, msg []byte, m *memory) []byte {
	r := wire.NewReader(msg)
	flags := r.Byte()
	all := r.Bytes()
	comings := wire.NewReader(all)
	x.kept = x.kept[:0]
	for from := 0; comings.Len() > 0 && !comings.Failed(); {
		c := x.readComing(&comings)
		to := len(all) - comings.Len()
		if !m.late(&c) {
			x.kept = append(x.kept, all[from:to]...)
		}
		from = to
	}
	if len(x.kept) == len(all) {
		return wire.AppendBytes(inbox, msg)
	}
	x.sifted = wire.AppendBytes(append(x.sifted[:0], flags), x.kept)
	x.sifted = append(x.sifted, r.Rest()...)
	return wire.AppendBytes(inbox, x.sifted)
}

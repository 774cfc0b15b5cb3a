package area

import (
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

// Border is what one server says to another and hears from it: the band, and objects that change hands. What it appends must
// reach the other side once and in order.
type Border struct {
	Band Encoder // what this side has that concerns the other
	Seen Decoder // what the other side has that concerns this one

	schema  *world.Schema
	handing []Handed   // to go with the next message
	flying  []world.ID // handed over and not known to have landed, the oldest first
	given   uint64     // how many were handed over
	taken   uint64     // how many have come
	told    uint64     // how many of those the other side has been told of
	items   int        // handed over since TakeItems
	frame   Frame
}

// Handed is an object that changes hands.
type Handed struct {
	Object world.Object
	Stay   uint32 // of its user; see Roster
}

// Landing is an object that was handed over and has arrived. Number is what Hand returned.
type Landing struct {
	ID     world.ID
	Number uint64
}

// Frame is what a message says. Whoever takes it deals with its parts in this order.
type Frame struct {
	Tick    world.Tick // of the other side
	Landed  []Landing  // what was handed over to the other side and is there now
	Changes []Change   // in what the other side has
	Handed  []Handed   // what is this side's from now on
}

// NewBorder returns a border over which nothing has been said.
func NewBorder(s *world.Schema, how Encoding) *Border {
	return &Border{Band: *NewEncoder(s, how), Seen: *NewDecoder(s), schema: s}
}

// Hand hands an object over, with the next message, and returns a number for it. It is no longer part of the band.
func (b *Border) Hand(o *world.Object, stay uint32) (number uint64) {
	b.Band.Remove(o.ID)
	b.handing = append(b.handing, Handed{*o, stay})
	b.flying = append(b.flying, o.ID)
	b.given++
	return b.given
}

// InFlight are the objects that have been handed over and are not known to have landed, for reading.
func (b *Border) InFlight() []world.ID { return b.flying }

// Flying is how many objects have been handed over and are not known to have landed.
func (b *Border) Flying() int { return len(b.flying) }

// Append appends a message of about a size at most with what is new, and reports whether there is more to be said. Where there
// is no news, nothing is appended.
func (b *Border) Append(dst []byte, tick world.Tick, room int) (out []byte, more bool) {
	start := len(dst)
	dst = wire.AppendUint(dst, uint64(tick))
	dst = wire.AppendUint(dst, b.taken)
	limit := start + room
	fits := min(len(b.handing), max(1, (room-handMax)/handMax))
	dst = wire.AppendUint(dst, uint64(fits))
	for i := range fits {
		h := &b.handing[i]
		dst = wire.AppendUint(dst, uint64(h.Object.ID))
		dst = wire.AppendUint(dst, uint64(h.Stay))
		dst = b.schema.AppendObject(dst, &h.Object, nil, world.Exact)
	}
	b.handing = b.handing[:copy(b.handing, b.handing[fits:])]
	b.items += fits
	head := len(dst)
	dst, more = b.Band.Append(dst, limit-head)
	if fits == 0 && b.told == b.taken && len(dst) == head {
		return dst[:start], false
	}
	b.told = b.taken
	return dst, more || len(b.handing) > 0
}

// TakeItems returns of how many objects messages have told since the last call.
func (b *Border) TakeItems() int {
	n := b.items + b.Band.TakeItems()
	b.items = 0
	return n
}

// handMax is the most that an object takes that is handed over.
const handMax = itemMax + 5

// Read takes a message. One that makes no sense changes nothing and returns false. The frame holds until the next call.
func (b *Border) Read(msg []byte) (f *Frame, ok bool) {
	r := wire.NewReader(msg)
	f = &b.frame
	f.Handed, f.Landed = f.Handed[:0], f.Landed[:0]
	f.Tick = world.Tick(r.UintMax(1<<62 - 1))
	landed := r.UintMax(b.given)
	first := b.given - uint64(len(b.flying))
	if landed < first {
		r.Fail() // it takes back what it said
	}
	for n := r.UintMax(uint64(len(msg))); n > 0 && !r.Failed(); n-- {
		id, stay := world.ID(r.Uint()), uint32(r.UintMax(1<<32-1))
		o := b.schema.ReadObject(&r, nil, world.Exact)
		if o.ID = id; id == 0 {
			r.Fail()
		}
		f.Handed = append(f.Handed, Handed{o, stay})
	}
	if r.Failed() {
		return nil, false
	}
	if f.Changes, ok = b.Seen.Read(r.Rest()); !ok {
		return nil, false
	}
	for i, id := range b.flying[:landed-first] {
		f.Landed = append(f.Landed, Landing{id, first + uint64(i) + 1})
	}
	b.flying = b.flying[:copy(b.flying, b.flying[landed-first:])]
	b.taken += uint64(len(f.Handed))
	return f, true
}

// Bytes is the memory that the border holds.
func (b *Border) Bytes() int {
	return b.Band.Bytes() + b.Seen.Bytes() + 8*cap(b.flying) + cap(b.handing)*int(unsafe.Sizeof(Handed{}))
}

// Taken is how many objects have come over.
func (b *Border) Taken() uint64 { return b.taken }

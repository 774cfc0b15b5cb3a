package area

import (
	"slices"
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

// Encoding is how states are told again and again.
type Encoding uint8

// The encodings.
const (
	Full       Encoding = iota // everything, whenever something has changed
	Delta                      // what has changed since the last time, as differences
	Compressed                 // the same, compressed
)

// Encodings are the names of the encodings, as options of a parameter.
var Encodings = [...]string{Full: "full", Delta: "delta", Compressed: "compressed"}

// ParseEncoding finds an encoding by its name.
func ParseEncoding(name string) (Encoding, bool) {
	i := slices.Index(Encodings[:], name)
	return Encoding(max(i, 0)), i >= 0
}

// Encoder tells one listener, or several who hear the same, of a set of objects. What it appends must reach them once and in
// order.
type Encoder struct {
	schema  *world.Schema
	how     Encoding
	entries []entry
	unused  []int32
	where   world.ByID[int32] // places among the entries
	dirty   []int32           // those with news
	order   []uint64          // scratch: the same with what they are sorted by
	slots   []int32           // what stands in each: a place among the entries plus one, or zero
	vacant  []int32           // slots in which nothing stands
	cursor  int               // how far an account of everything has come
	squeeze *squeezer
	buf     []byte
	items   int // how many were told of since TakeItems
}

// entry is one object. Listeners know it by its slot.
type entry struct {
	slot      int32 // plus one; zero while they do not know it
	wanted    bool  // they are to know it
	dirty     bool
	now, told world.Object // as it is, and as listeners know it
}

// NewEncoder returns an encoder of nothing yet.
func NewEncoder(s *world.Schema, how Encoding) *Encoder {
	e := &Encoder{schema: s, how: how}
	if how == Compressed {
		e.squeeze = newSqueezer()
	}
	return e
}

// Has reports whether listeners are to know of an object.
func (e *Encoder) Has(id world.ID) bool {
	at, ok := e.where.Get(id)
	return ok && e.entries[at].wanted
}

// Put has listeners know of an object as it is now.
func (e *Encoder) Put(o *world.Object) {
	at, known := e.where.Get(o.ID)
	if !known {
		at = e.take()
		e.where.Set(o.ID, at)
	}
	x := &e.entries[at]
	x.now, x.wanted = *o, true
	e.touch(at)
}

// Remove has them forget one.
func (e *Encoder) Remove(id world.ID) {
	if at, known := e.where.Get(id); known {
		e.entries[at].wanted = false
		e.touch(at)
	}
}

func (e *Encoder) touch(at int32) {
	if x := &e.entries[at]; !x.dirty {
		x.dirty = true
		e.dirty = append(e.dirty, at)
	}
}

func (e *Encoder) take() int32 {
	if n := len(e.unused); n > 0 {
		at := e.unused[n-1]
		e.unused = e.unused[:n-1]
		return at
	}
	e.entries = append(e.entries, entry{})
	return int32(len(e.entries) - 1)
}

// drop forgets an object.
func (e *Encoder) drop(at int32) {
	x := &e.entries[at]
	if x.slot != 0 {
		e.slots[x.slot-1] = 0
		e.vacant = append(e.vacant, x.slot-1)
	}
	e.where.Delete(x.now.ID)
	*x = entry{}
	e.unused = append(e.unused, at)
}

// seat gives an object a slot.
func (e *Encoder) seat(at int32) {
	slot := int32(len(e.slots))
	if n := len(e.vacant); n > 0 {
		slot = e.vacant[n-1]
		e.vacant = e.vacant[:n-1]
	} else {
		e.slots = append(e.slots, 0)
	}
	e.slots[slot] = at + 1
	e.entries[at].slot = slot + 1
}

// Append appends a message with what is new, of about a size at most, and reports whether there is more to be said. Where
// there is no news, nothing is appended.
func (e *Encoder) Append(dst []byte, room int) (out []byte, more bool) {
	switch {
	case e.how == Full && e.cursor != 0:
		dst, e.cursor = e.AppendAccount(dst, room, e.cursor)
		return dst, e.cursor != 0
	case !e.tidy():
		return dst, false
	case e.how == Full:
		e.settle()
		dst, e.cursor = e.AppendAccount(dst, room, 0)
		return dst, e.cursor != 0
	case e.how == Compressed:
		e.buf = e.appendNews(e.buf[:0], room)
		dst = e.squeeze.append(dst, e.buf)
	default:
		dst = e.appendNews(dst, room)
	}
	return dst, len(e.dirty) > 0
}

// tidy drops what has come to nothing, puts what has changed in the order of slots, newcomers last, and reports whether there
// is news at all.
func (e *Encoder) tidy() bool {
	e.order = e.order[:0]
	for _, at := range e.dirty {
		x := &e.entries[at]
		switch {
		case !x.wanted && x.slot == 0:
			e.drop(at)
		case x.wanted && x.slot != 0 && x.now == x.told:
			x.dirty = false
		default:
			e.order = append(e.order, uint64(uint32(x.slot-1))<<32|uint64(at))
		}
	}
	slices.Sort(e.order)
	e.dirty = e.dirty[:len(e.order)]
	for i, key := range e.order {
		e.dirty[i] = int32(uint32(key))
	}
	return len(e.dirty) > 0
}

// settle takes note of what is about to be told as a whole.
func (e *Encoder) settle() {
	for _, at := range e.dirty {
		x := &e.entries[at]
		if !x.wanted {
			e.drop(at)
			continue
		}
		if x.slot == 0 {
			e.seat(at)
		}
		x.told, x.dirty = x.now, false
	}
	e.dirty = e.dirty[:0]
}

// The forms of a message: its first byte.
const (
	formNews     = iota // what has changed
	formFirst           // all there is, or the first part of that
	formMore            // a further part of it
	formLast            // the last part of it
	formOnly            // the first and last part of it
	formSqueezed        // one of the others, compressed
)

// What is said of a slot.
const (
	opChanged = iota // a difference follows
	opWhole          // an ID and a whole object follow
	opGone           // nothing stands there any more
)

// itemMax is the most that an item takes: slot and operation, ID, kind, user, mask, variables.
const itemMax = 5 + 10 + 3 + 5 + 3 + 10*(6+world.MaxAttributes)

// appendNews appends what has changed: at least one item, and others while there is room for any.
func (e *Encoder) appendNews(dst []byte, room int) []byte {
	limit := len(dst) + room
	dst = append(dst, formNews)
	before := int32(-1)
	done := 0
	for _, at := range e.dirty {
		if done > 0 && len(dst)+itemMax > limit {
			break
		}
		dst = e.appendItem(dst, at, &before)
		done++
	}
	e.dirty = e.dirty[:copy(e.dirty, e.dirty[done:])]
	e.items += done
	return dst
}

// appendItem says what has become of one object. Its slot is told by its distance from the one before.
func (e *Encoder) appendItem(dst []byte, at int32, before *int32) []byte {
	x := &e.entries[at]
	op := opChanged
	switch {
	case !x.wanted:
		op = opGone
	case x.slot == 0:
		op = opWhole
		e.seat(at)
	}
	distance := int64(x.slot-1) - int64(*before) - 1
	*before = x.slot - 1
	dst = wire.AppendUint(dst, (uint64(distance)<<1^uint64(distance>>63))<<2|uint64(op))
	switch op {
	case opGone:
		e.drop(at)
		return dst
	case opWhole:
		dst = wire.AppendUint(dst, uint64(x.now.ID))
		dst = e.schema.AppendObject(dst, &x.now, nil, world.Exact)
	default:
		dst = e.schema.AppendObject(dst, &x.now, &x.told, world.Exact)
	}
	x.told, x.dirty = x.now, false
	return dst
}

// AppendAccount appends all that listeners have been told, for one who has not heard it: a part of about a size, from a slot
// on. It returns where the next part begins, or zero after the last one. All parts must go before the next news.
func (e *Encoder) AppendAccount(dst []byte, room, from int) (out []byte, next int) {
	limit := len(dst) + room
	form := len(dst)
	dst = append(dst, formMore)
	slot := from
	for ; slot < len(e.slots) && (slot == from || len(dst)+itemMax <= limit); slot++ {
		at := e.slots[slot]
		if at == 0 {
			dst = append(dst, opGone)
			continue
		}
		o := &e.entries[at-1].told
		e.items++
		dst = append(dst, opWhole)
		dst = wire.AppendUint(dst, uint64(o.ID))
		dst = e.schema.AppendObject(dst, o, nil, world.Exact)
	}
	ended := slot == len(e.slots)
	switch {
	case from == 0 && ended:
		dst[form] = formOnly
	case from == 0:
		dst[form] = formFirst
	case ended:
		dst[form] = formLast
	}
	if ended {
		slot = 0
	}
	return dst, slot
}

// TakeItems returns of how many objects it has told since the last call.
func (e *Encoder) TakeItems() int {
	n := e.items
	e.items = 0
	return n
}

// Bytes is the memory that the encoder holds.
func (e *Encoder) Bytes() int {
	return cap(e.entries)*int(unsafe.Sizeof(entry{})) + 24*e.where.Len() +
		4*(cap(e.unused)+cap(e.dirty)+cap(e.slots)+cap(e.vacant)) + 8*cap(e.order) + cap(e.buf)
}

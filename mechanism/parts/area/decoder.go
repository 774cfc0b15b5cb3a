package area

import (
	"iter"
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

// Decoder keeps a copy of what an Encoder tells of.
type Decoder struct {
	schema  *world.Schema
	slots   []world.Object // an ID of zero where nothing stands
	where   world.ByID[int32]
	account int32 // where the next part of an account begins, or -1 if there is none under way
	items   []item
	changes []Change
	expand  expander
}

// item is something that was read of a slot.
type item struct {
	slot   int32
	object world.Object // an ID of zero if nothing stands there
}

// Change is what has become of one object.
type Change struct {
	Gone   bool // the server has stopped telling of it
	Object world.Object
}

// NewDecoder returns a decoder that has heard nothing.
func NewDecoder(s *world.Schema) *Decoder {
	return &Decoder{schema: s, account: -1}
}

// Len is how many objects are told of.
func (d *Decoder) Len() int { return d.where.Len() }

// Get returns an object as it was last told of, or nil.
func (d *Decoder) Get(id world.ID) *world.Object {
	if slot, ok := d.where.Get(id); ok {
		return &d.slots[slot]
	}
	return nil
}

// All runs through the objects as they were last told of, always in the same order.
func (d *Decoder) All() iter.Seq[*world.Object] {
	return func(yield func(*world.Object) bool) {
		for i := range d.slots {
			if d.slots[i].ID != 0 && !yield(&d.slots[i]) {
				return
			}
		}
	}
}

// Read takes a message and returns what has changed. A message that makes no sense changes nothing and returns false. The
// changes hold until the next call.
func (d *Decoder) Read(msg []byte) (changes []Change, ok bool) {
	d.changes = d.changes[:0]
	if len(msg) == 0 {
		return nil, true
	}
	r := wire.NewReader(msg)
	form := r.Byte()
	if form == formSqueezed {
		inner := d.expand.expand(&r)
		if r.Failed() {
			return nil, false
		}
		r = wire.NewReader(inner)
		form = r.Byte()
	}
	d.items = d.items[:0]
	if form == formNews {
		d.readNews(&r)
	} else {
		d.readAccount(&r, form)
	}
	if r.Failed() {
		return nil, false
	}
	for i := range d.items {
		d.set(&d.items[i])
	}
	d.end(form)
	return d.changes, true
}

// readNews reads what has changed.
func (d *Decoder) readNews(r *wire.Reader) {
	if d.account >= 0 {
		r.Fail()
	}
	top, last := len(d.slots), int64(-1)
	for r.Len() > 0 && !r.Failed() {
		name := r.Uint()
		op := name & 3
		name >>= 2
		last += int64(name>>1^-(name&1)) + 1
		if last < 0 || last > int64(top) || last == int64(top) && op != opWhole {
			r.Fail()
			return
		}
		if last == int64(top) {
			top++
		}
		d.readItem(r, op, int32(last))
	}
}

// readAccount reads a part of all there is, slot by slot.
func (d *Decoder) readAccount(r *wire.Reader, form byte) {
	slot := d.account
	switch form {
	case formFirst, formOnly:
		slot = 0
	case formMore, formLast:
		if slot < 0 {
			r.Fail()
		}
	default:
		r.Fail()
	}
	for ; r.Len() > 0 && !r.Failed(); slot++ {
		op := uint64(r.Byte())
		if op == opChanged {
			r.Fail()
			return
		}
		d.readItem(r, op, slot)
	}
}

// readItem reads what is said of a slot.
func (d *Decoder) readItem(r *wire.Reader, op uint64, slot int32) {
	x := item{slot: slot}
	switch op {
	case opGone:
	case opWhole:
		id := world.ID(r.Uint())
		x.object = d.schema.ReadObject(r, nil, world.Exact)
		if x.object.ID = id; id == 0 {
			r.Fail()
		}
	case opChanged:
		if int(slot) >= len(d.slots) || d.slots[slot].ID == 0 {
			r.Fail()
			return
		}
		base := &d.slots[slot]
		x.object = d.schema.ReadObject(r, base, world.Exact)
		x.object.ID = base.ID
	default:
		r.Fail()
	}
	d.items = append(d.items, x)
}

// set puts something into a slot.
func (d *Decoder) set(x *item) {
	for int(x.slot) >= len(d.slots) {
		d.slots = append(d.slots, world.Object{})
	}
	was := &d.slots[x.slot]
	if *was == x.object {
		return
	}
	if was.ID != x.object.ID {
		d.vacate(x.slot)
		if x.object.ID == 0 {
			return
		}
		if old, ok := d.where.Get(x.object.ID); ok {
			d.slots[old] = world.Object{} // it has moved to another slot
		}
		d.where.Set(x.object.ID, x.slot)
	}
	d.slots[x.slot] = x.object
	d.changes = append(d.changes, Change{Object: x.object})
}

// vacate empties a slot.
func (d *Decoder) vacate(slot int32) {
	if o := &d.slots[slot]; o.ID != 0 {
		d.where.Delete(o.ID)
		d.changes = append(d.changes, Change{Gone: true, Object: *o})
		*o = world.Object{}
	}
}

// end notes how far an account has come. Slots that a complete one does not mention are empty.
func (d *Decoder) end(form byte) {
	next := int32(0)
	if n := len(d.items); n > 0 {
		next = d.items[n-1].slot + 1
	} else if form == formMore || form == formLast {
		next = d.account
	}
	switch form {
	case formFirst, formMore:
		d.account = next
	case formLast, formOnly:
		for slot := next; int(slot) < len(d.slots); slot++ {
			d.vacate(slot)
		}
		d.slots = d.slots[:next]
		d.account = -1
	}
}

// Bytes is the memory that the decoder holds.
func (d *Decoder) Bytes() int {
	const object = int(unsafe.Sizeof(world.Object{}))
	return object*(cap(d.slots)+cap(d.items)+cap(d.changes)) + 24*d.where.Len() + cap(d.expand.buf)
}

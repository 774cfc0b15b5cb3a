package world

import "math/bits"

// ByID holds something for each of some objects, and finds it by the object's ID. It does what a map does, but cannot be run
// through, and finds what it holds with one look into memory: where there are many such tables, each of them out of cache
// whenever it is needed, that look is what they cost. The zero ByID is empty.
type ByID[V any] struct {
	slots []slotByID[V] // as many as a power of two, or none; an ID of zero where there is nothing
	shift uint
	count int
}

type slotByID[V any] struct {
	id    ID
	value V
}

// Len is for how many objects there is something.
func (t *ByID[V]) Len() int { return t.count }

// home is the slot where an object is to be, unless others are there: then it is in the next that is left.
func (t *ByID[V]) home(id ID) int { return int(uint64(id) * mixA >> t.shift) }

// find returns the slot that an object has, or would have. There is one left for it.
func (t *ByID[V]) find(id ID) (at int, ok bool) {
	at = t.home(id)
	for t.slots[at].id != id {
		if t.slots[at].id == 0 {
			return at, false
		}
		at = (at + 1) & (len(t.slots) - 1)
	}
	return at, id != 0
}

// Get returns what there is for an object.
func (t *ByID[V]) Get(id ID) (v V, ok bool) {
	if t.count == 0 {
		return v, false
	}
	at, ok := t.find(id)
	return t.slots[at].value, ok
}

// Set puts something in for an object, in place of what there was.
func (t *ByID[V]) Set(id ID, v V) {
	if id == 0 {
		panic("world: an object without an ID")
	}
	if 4*(t.count+1) > 3*len(t.slots) {
		t.grow()
	}
	at, ok := t.find(id)
	if !ok {
		t.count++
	}
	t.slots[at] = slotByID[V]{id, v}
}

func (t *ByID[V]) grow() {
	old := t.slots
	t.slots = make([]slotByID[V], max(8, 2*len(old)))
	t.shift = uint(64 - bits.Len(uint(len(t.slots)-1)))
	for i := range old {
		if old[i].id != 0 {
			at, _ := t.find(old[i].id)
			t.slots[at] = old[i]
		}
	}
}

// Delete takes out what there is for an object.
func (t *ByID[V]) Delete(id ID) {
	if t.count == 0 {
		return
	}
	gap, ok := t.find(id)
	if !ok {
		return
	}
	t.count--
	last := len(t.slots) - 1
	// Those behind it move up, as far as none gets before its home.
	for at := (gap + 1) & last; t.slots[at].id != 0; at = (at + 1) & last {
		if away := (at - t.home(t.slots[at].id)) & last; away >= (at-gap)&last {
			t.slots[gap] = t.slots[at]
			gap = at
		}
	}
	t.slots[gap] = slotByID[V]{}
}

// Clear takes everything out and keeps the memory.
func (t *ByID[V]) Clear() {
	clear(t.slots)
	t.count = 0
}

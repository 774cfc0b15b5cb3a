package link

import (
	"cmp"
	"slices"

	"throng/mechanism"
	"throng/world"
)

// bodies holds the bytes of messages that cannot be sent or handed over at once. A message to many is held once.
type bodies struct {
	list  []body
	free  []int32
	bytes int // what is held
}

type body struct {
	data []byte
	refs int32
}

// bodyBytes is what a message takes besides its bytes: about what its body, its flight and its parcel do.
const bodyBytes = 96

// keptMax is how long a message may be whose memory is kept for another one.
const keptMax = 2 * datagramMax

// put copies a message and returns its place, counted from one, for one holder.
func (b *bodies) put(payload []byte) int32 {
	if len(b.free) == 0 {
		b.list = append(b.list, body{})
		b.free = append(b.free, int32(len(b.list)))
	}
	i := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	x := &b.list[i-1]
	x.data = append(x.data[:0], payload...)
	x.refs = 1
	b.bytes += b.size(i)
	return i
}

// get returns a message's bytes. They stay in place until its last holder drops it.
func (b *bodies) get(i int32) []byte { return b.list[i-1].data }

// size is what a message takes.
func (b *bodies) size(i int32) int { return bodyBytes + len(b.get(i)) }

// hold adds a holder.
func (b *bodies) hold(i int32) { b.list[i-1].refs++ }

// drop takes a holder away.
func (b *bodies) drop(i int32) {
	x := &b.list[i-1]
	if x.refs--; x.refs == 0 {
		b.bytes -= b.size(i)
		b.free = append(b.free, i)
		if cap(x.data) > keptMax {
			x.data = nil // or a few long messages at a time could make all places long
		}
	}
}

// slots holds what belongs to consecutive numbers, of which a stretch is in use at a time. Unused slots are zero.
type slots[T any] struct{ ring []T }

func (s *slots[T]) at(n uint64) *T { return &s.ring[n&uint64(len(s.ring)-1)] }

// reserve makes room for the numbers from low up to high; those in use are among them.
func (s *slots[T]) reserve(low, high uint64) {
	size := uint64(max(len(s.ring), 8))
	for size < high-low {
		size *= 2
	}
	if size == uint64(len(s.ring)) {
		return
	}
	old := *s
	s.ring = make([]T, size)
	for n := low; n < low+uint64(len(old.ring)); n++ {
		*s.at(n) = *old.at(n)
	}
}

// fifo is a queue that reuses its memory.
type fifo[T any] struct {
	ring    []T
	head, n int
}

func (q *fifo[T]) len() int { return q.n }

func (q *fifo[T]) front() *T { return &q.ring[q.head] }

func (q *fifo[T]) push(x T) {
	if q.n == len(q.ring) {
		ring := make([]T, max(8, 2*q.n))
		copy(ring[copy(ring, q.ring[q.head:]):], q.ring[:q.head])
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = x
	q.n++
}

func (q *fifo[T]) pop() T {
	x := q.ring[q.head]
	var none T
	q.ring[q.head] = none
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return x
}

// agenda is what is to be done at different times, in their order; what has the same time stays in the order of coming. It is a
// heap that reuses its memory.
type agenda[T any] struct {
	heap []entry[T]
	came uint64
}

type entry[T any] struct {
	due   world.Time
	place uint64
	value T
}

func (a *agenda[T]) len() int { return len(a.heap) }

// due is when the first is.
func (a *agenda[T]) due() world.Time { return a.heap[0].due }

func (a *agenda[T]) front() *T { return &a.heap[0].value }

func (a *agenda[T]) less(i, j int) bool {
	x, y := &a.heap[i], &a.heap[j]
	return x.due < y.due || x.due == y.due && x.place < y.place
}

func (a *agenda[T]) push(due world.Time, value T) {
	a.heap = append(a.heap, entry[T]{due, a.came, value})
	a.came++
	for i := len(a.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if a.less(parent, i) {
			break
		}
		a.heap[i], a.heap[parent] = a.heap[parent], a.heap[i]
		i = parent
	}
}

func (a *agenda[T]) pop() T {
	x := a.heap[0].value
	last := len(a.heap) - 1
	a.heap[0] = a.heap[last]
	a.heap[last] = entry[T]{}
	a.heap = a.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && a.less(child+1, child) {
			child++
		}
		if a.less(i, child) {
			break
		}
		a.heap[i], a.heap[child] = a.heap[child], a.heap[i]
		i = child
	}
	return x
}

// minor is a message that has not reached its age.
type minor struct {
	from  mechanism.NodeID
	class mechanism.Class
	body  int32
}

// ages are such messages by when they reach it.
type ages struct {
	agenda[minor]
	bytes int // of the messages
}

// forget takes out what has come from a peer.
func (a *ages) forget(id mechanism.NodeID, b *bodies) {
	kept := a.heap[:0]
	for _, x := range a.heap {
		if x.value.from != id {
			kept = append(kept, x)
			continue
		}
		a.bytes -= b.size(x.value.body)
		b.drop(x.value.body)
	}
	a.heap = kept
	slices.SortFunc(a.heap, func(x, y entry[minor]) int { // which is a heap
		return cmp.Or(cmp.Compare(x.due, y.due), cmp.Compare(x.place, y.place))
	})
}

// Package queue holds the events that a simulation has yet to run, and hands them out in one total order: by time, at one time
// by class, within a class in the order of insertion. Nothing but the calls made decides that order.
//
// Few events are ever near. Those up to a horizon lie in a small heap; the others lie unsorted in the buckets of a
// hierarchical wheel, whose widths grow by 64 from one nanosecond to the whole range of time. When the heap runs dry, the
// earliest bucket moves into it, split into finer buckets first if it is crowded. An event is thus touched about once per
// level on its way, whatever the number pending, and only neighbours in time are ever compared. A heap alone needs twice
// as long with 10,000 pending and almost four times as long with a million (go test -bench . ./lab/queue); only
// where everything happens at the same few instants is it a fifth faster.
//
// An event is not cancelled here: its owner puts a generation into the value and ignores the ones that are out of date.
package queue

import "math/bits"

const (
	levelBits  = 6
	slotCount  = 1 << levelBits
	levelCount = (63 + levelBits - 1) / levelBits

	// chunkSize is how many events lie side by side in memory, and how many a bucket may hold without being split.
	chunkSize = 16
)

// Queue holds pending events with a value each. The zero Queue is empty and ready. T should be small and without pointers:
// values are copied, and what a removed event left behind is overwritten rather than cleared.
//
// Memory grows with the highest number of events ever pending and is reused from then on.
type Queue[T any] struct {
	near  heap[T] // all events at or before until
	until int64

	// The wheel holds all events after until. A time belongs to the level of the highest bit in which it differs from base,
	// and there to the slot that its own six bits name. Hence every event of a level is earlier than any of the next.
	wheel [levelCount][slotCount]bucket
	used  [levelCount]uint64 // which slots hold anything
	base  int64              // between 0 and until
	far   int                // how many events the wheel holds

	chunks []chunk[T]
	free   int32 // head of the list of unused chunks

	inserted uint64
}

// bucket is a list of chunks. All but the first are full; the first fills from its end and has room for some more.
type bucket struct{ first, room int32 }

// chunk is named by its index plus one, so that zero ends a list.
type chunk[T any] struct {
	entries [chunkSize]entry[T]
	next    int32
}

// Len returns the number of pending events.
func (q *Queue[T]) Len() int { return len(q.near) + q.far }

// Push adds an event. A time before that of the last event popped is allowed, and then comes next.
func (q *Queue[T]) Push(time int64, class uint8, value T) {
	e := entry[T]{time, uint64(class)<<56 | q.inserted, value}
	q.inserted++
	if time <= q.until {
		q.near.push(e)
		return
	}
	q.far++
	q.place(&e)
}

// Pop removes the first event, or reports that there is none.
func (q *Queue[T]) Pop() (time int64, value T, ok bool) {
	if len(q.near) == 0 && !q.advance() {
		return 0, value, false
	}
	e := q.near.pop()
	return e.time, e.value, true
}

// Peek returns the first event and leaves it where it is, or reports that there is none.
func (q *Queue[T]) Peek() (time int64, value T, ok bool) {
	if len(q.near) == 0 && !q.advance() {
		return 0, value, false
	}
	return q.near[0].time, q.near[0].value, true
}

// place puts an entry into the bucket that its time belongs to.
func (q *Queue[T]) place(e *entry[T]) {
	level := (bits.Len64(uint64(e.time^q.base)|1) - 1) / levelBits
	slot := e.time >> (level * levelBits) & (slotCount - 1)
	b := &q.wheel[level][slot]
	if b.room == 0 {
		q.used[level] |= 1 << slot
		q.extend(b)
	}
	b.room--
	q.chunks[b.first-1].entries[b.room] = *e
}

// extend puts an empty chunk before the others of a bucket.
func (q *Queue[T]) extend(b *bucket) {
	if q.free == 0 {
		q.chunks = append(q.chunks, chunk[T]{})
		q.free = int32(len(q.chunks))
	}
	c := &q.chunks[q.free-1]
	b.first, c.next, q.free = q.free, b.first, c.next
	b.room = chunkSize
}

// advance moves the horizon past the earliest bucket and that bucket's events into the empty heap. It reports whether
// there were any.
func (q *Queue[T]) advance() bool {
	if q.far == 0 {
		return false
	}
	for {
		level := 0
		for q.used[level] == 0 {
			level++
		}
		slot := bits.TrailingZeros64(q.used[level])
		b := q.wheel[level][slot]
		q.wheel[level][slot] = bucket{}
		q.used[level] &^= 1 << slot

		shift := level * levelBits
		q.base = q.base&^(1<<(shift+levelBits)-1) | int64(slot)<<shift
		if level == 0 || q.chunks[b.first-1].next == 0 {
			q.until = q.base | (1<<shift - 1)
			q.collect(b)
			return true
		}
		q.split(b)
	}
}

// collect moves a bucket's events into the heap.
func (q *Queue[T]) collect(b bucket) {
	for i := b.first; i != 0; {
		entries := q.chunks[i-1].entries[b.room:]
		for j := range entries {
			q.near.push(entries[j])
		}
		q.far -= len(entries)
		i, b.room = q.release(i), 0
	}
}

// split moves a bucket's events to lower levels, to which they belong once base is the bucket's beginning.
func (q *Queue[T]) split(b bucket) {
	for i := b.first; i != 0; {
		for j := b.room; j < chunkSize; j++ {
			q.place(&q.chunks[i-1].entries[j]) // may move q.chunks
		}
		i, b.room = q.release(i), 0
	}
}

// release gives a chunk back and returns the one that followed it.
func (q *Queue[T]) release(i int32) (next int32) {
	c := &q.chunks[i-1]
	next, c.next, q.free = c.next, q.free, i
	return next
}

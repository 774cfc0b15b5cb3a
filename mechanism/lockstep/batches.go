package lockstep

import (
	"slices"

	"throng/mechanism/parts/turn"
	"throng/world"
)

// batchesKept is how many turns the server remembers, for those who join with a state that is older than the present.
const batchesKept = 1024

// batches are turns' ordered actions, in their encoded form, and when they became known.
type batches struct {
	first, next turn.Number // those from first up to, but without, next are there
	list        []batch     // ends with the turn before next; what comes before first is still to be given back
	text        []byte
}

type batch struct {
	start, end int // in the text
	came       world.Time
}

// begin forgets everything. The next turn to come is n.
func (b *batches) begin(n turn.Number) {
	b.first, b.next = n, n
	b.list, b.text = b.list[:0], b.text[:0]
}

// add takes the next turn. The text is copied.
func (b *batches) add(text []byte, now world.Time) {
	start := len(b.text)
	b.text = append(b.text, text...)
	b.list = append(b.list, batch{start, len(b.text), now})
	b.next++
}

// nobody is a turn in which nobody acts.
var nobody = []byte{0}

// addEmpty adds the turns before n, for which nobody can have acted.
func (b *batches) addEmpty(n turn.Number) {
	for b.next < n {
		b.add(nobody, longAgo)
	}
}

// drop forgets the turns before one. Memory is given back when that is worth the copying.
func (b *batches) drop(before turn.Number) {
	b.first = min(max(b.first, before), b.next)
	held := int(b.next - b.first)
	if dropped := len(b.list) - held; dropped > held {
		start := len(b.text)
		if held > 0 {
			start = b.list[dropped].start
		}
		b.text = slices.Delete(b.text, 0, start)
		b.list = slices.Delete(b.list, 0, dropped)
		for i := range b.list {
			b.list[i].start -= start
			b.list[i].end -= start
		}
	}
}

func (b *batches) has(n turn.Number) bool { return n >= b.first && n < b.next }

// get returns a turn that is there, and when it came. The text holds until the next call of another method.
func (b *batches) get(n turn.Number) (text []byte, came world.Time) {
	x := &b.list[len(b.list)-int(b.next-n)]
	return b.text[x.start:x.end:x.end], x.came
}

func (b *batches) bytes() int { return cap(b.text) + 24*cap(b.list) }

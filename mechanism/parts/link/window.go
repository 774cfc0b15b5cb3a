package link

// windowSize is how many messages may be under way to one peer.
const windowSize = 1024

// window remembers which numbers have come from a peer: all below next, and some of the windowSize from there.
type window struct {
	open  bool   // whether anything has come
	first uint64 // the number that the link began with
	next  uint64 // the lowest number that has not come
	top   uint64 // no number from here on has come
	bits  [windowSize / 64]uint64
}

// begin starts the window at a number.
func (w *window) begin(first uint64) {
	*w = window{open: true, first: first, next: first, top: first}
}

func (w *window) bit(n uint64) (word *uint64, mask uint64) {
	return &w.bits[n/64%uint64(len(w.bits))], 1 << (n % 64)
}

// has reports whether a number, within the window or below it, has come.
func (w *window) has(n uint64) bool {
	if n < w.next {
		return true
	}
	word, mask := w.bit(n)
	return *word&mask != 0
}

// add notes that a number within the window has come.
func (w *window) add(n uint64) {
	w.top = max(w.top, n+1)
	word, mask := w.bit(n)
	*word |= mask
	for w.next < w.top {
		word, mask = w.bit(w.next)
		if *word&mask == 0 {
			break
		}
		*word &^= mask
		w.next++
	}
}

// remove takes back what was added last.
func (w *window) remove(n uint64) {
	for w.next > n {
		w.next--
		word, mask := w.bit(w.next)
		*word |= mask
	}
	word, mask := w.bit(n)
	*word &^= mask
}

// runBelow finds the highest stretch of numbers that have come out of turn below a number: empty if there is none.
func (w *window) runBelow(at uint64) (from, to uint64) {
	for at > w.next && !w.has(at-1) {
		at--
	}
	to = at
	for at > w.next && w.has(at-1) {
		at--
	}
	return at, to
}

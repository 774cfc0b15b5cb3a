package octree

// window is which of a user's actions have been carried out: the highest, and which of those shortly before.
type window struct {
	high uint32
	mask uint64 // bit i stands for high-i
}

// note notes that an action has been carried out.
func (w *window) note(seq uint32) {
	switch {
	case seq > w.high:
		w.mask = w.mask<<(seq-w.high) | 1
		w.high = seq
	case w.high-seq < 64:
		w.mask |= 1 << (w.high - seq)
	}
}

// take takes back that an action has been carried out.
func (w *window) take(seq uint32) {
	if seq <= w.high && w.high-seq < 64 {
		w.mask &^= 1 << (w.high - seq)
	}
}

// has reports whether an action has been carried out, as far as is known. Of what is long past it says so: clients do not repeat
// that.
func (w window) has(seq uint32) bool {
	if seq > w.high {
		return false
	}
	return w.high-seq >= 64 || w.mask>>(w.high-seq)&1 != 0
}

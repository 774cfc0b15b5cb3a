package update

// ring is a queue whose places are numbered from the first that was ever pushed. It reuses its memory.
type ring[T any] struct {
	slots       []T // a power of two
	first, next uint32
}

func (r *ring[T]) len() int { return int(r.next - r.first) }

// at is the element with a number.
func (r *ring[T]) at(i uint32) *T { return &r.slots[i&uint32(len(r.slots)-1)] }

func (r *ring[T]) push(x T) {
	if r.len() == len(r.slots) {
		r.grow()
	}
	*r.at(r.next) = x
	r.next++
}

// drop takes elements off the front up to, but without, the one with a number.
func (r *ring[T]) drop(to uint32) { r.first = to }

func (r *ring[T]) grow() {
	old := *r
	r.slots = make([]T, max(8, 2*len(old.slots)))
	for i := r.first; i != r.next; i++ {
		*r.at(i) = *old.at(i)
	}
}

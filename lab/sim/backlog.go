package sim

// backlog is the work that waits for a host's processor, first in, first out, in a ring that grows to what is needed.
type backlog struct {
	ring  []item
	first int
	n     int
}

func (b *backlog) len() int { return b.n }

func (b *backlog) push(it item) {
	if b.n == len(b.ring) {
		grown := make([]item, max(16, 2*b.n))
		for i := range b.n {
			grown[i] = b.ring[(b.first+i)%len(b.ring)]
		}
		b.ring, b.first = grown, 0
	}
	b.ring[(b.first+b.n)%len(b.ring)] = it
	b.n++
}

func (b *backlog) pop() item {
	it := b.ring[b.first]
	b.first = (b.first + 1) % len(b.ring)
	b.n--
	return it
}

package network

import (
	"math/bits"

	"throng/world"
	"throng/world/random"
)

// pair is what one node's packets to another have in common.
type pair struct {
	from, to uint32
	bad      bool       // whether packets are being lost
	arrival  world.Time // the latest so far, kept for FIFO only

	delay, loss, duplicate, reorder random.Stream
}

// pairs holds the state of every pair that has exchanged a packet: of all pairs in a full mesh, of few where clients talk to
// servers. It is a hash table with linear probing, at most half full, of positions in a dense list.
type pairs struct {
	seed  uint64
	table []int32 // position in list plus one; zero for an empty place
	list  []pair
	last  int // the position found last
}

// find returns the state of a pair, made fresh if this is its first packet. It stays in place until the next call.
func (t *pairs) find(from, to uint32) (p *pair, fresh bool) {
	// Who sends to many sends to them in the same order each time.
	if next := t.last + 1; next < len(t.list) && t.list[next].from == from && t.list[next].to == to {
		t.last = next
		return &t.list[next], false
	}
	if 2*len(t.list) >= len(t.table) {
		t.grow()
	}
	i := t.slot(from, to)
	if position := int(t.table[i]); position != 0 {
		t.last = position - 1
		return &t.list[t.last], false
	}
	stream := func(name string) random.Stream {
		return random.New(t.seed, name, uint64(from), uint64(to))
	}
	t.list = append(t.list, pair{
		from: from, to: to,
		delay:     stream("network.delay"),
		loss:      stream("network.loss"),
		duplicate: stream("network.duplicate"),
		reorder:   stream("network.reorder"),
	})
	t.table[i] = int32(len(t.list))
	t.last = len(t.list) - 1
	return &t.list[t.last], true
}

// slot returns where in the table a pair is, or the empty place where it belongs.
func (t *pairs) slot(from, to uint32) int {
	mask := len(t.table) - 1
	hash := (uint64(from)<<32 | uint64(to)) * 0x9e3779b97f4a7c15 // Fibonacci hashing: the upper bits are well mixed
	for i := int(hash >> (64 - bits.Len(uint(mask)))); ; i = (i + 1) & mask {
		position := t.table[i]
		if position == 0 || t.list[position-1].from == from && t.list[position-1].to == to {
			return i
		}
	}
}

func (t *pairs) grow() {
	t.table = make([]int32, max(16, 2*len(t.table)))
	for position, p := range t.list {
		t.table[t.slot(p.from, p.to)] = int32(position + 1)
	}
}

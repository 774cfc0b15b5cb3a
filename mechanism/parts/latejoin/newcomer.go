package latejoin

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

const (
	// patience is how long the newcomer waits for chunks before it asks again.
	patience = 500 * world.Millisecond

	// triesMax is how often it asks the same node in vain.
	triesMax = 4

	// fetchMax is how long a node may take to tell all.
	fetchMax = world.Minute

	// roundsMax is how many times in a row all have to be new before the world is taken for lost. Meanwhile whoever had nearly
	// all of a snapshot when its guide went has got it, or has given it up.
	roundsMax = 8
)

// Newcomer fetches a snapshot from one of the other nodes. Poll is to be called after every Receive, and when the time of Next
// has come.
type Newcomer struct {
	epoch  uint32
	others []mechanism.NodeID // in the order in which they are asked
	asked  []bool             // which of them may answer
	turn   int                // who is asked next
	due    world.Time         // when
	first  bool               // no other has a lower ID
	fresh  []bool             // which of them have said in this round that they are new themselves
	rounds int                // how many times in a row all have

	source mechanism.NodeID // who is at answering, or zero
	began  world.Time       // since when
	tries  int              // asks since anything of use came
	sum    uint64
	text   []byte // of the length that it will have
	have   []bool // which chunks are there
	left   int    // how many are not
	base   int    // from where the last ask wanted some
	want   uint32 // those of them that have not come
}

// NewNewcomer returns a newcomer to a node's place in an epoch, who has yet to ask any of the others.
func NewNewcomer(self mechanism.NodeID, epoch uint32, others []mechanism.NodeID) *Newcomer {
	n := &Newcomer{epoch: epoch, asked: make([]bool, len(others)), fresh: make([]bool, len(others))}
	next, _ := slices.BinarySearch(others, self)
	n.others = slices.Concat(others[next:], others[:next])
	n.first = next == 0
	return n
}

// Next is when the newcomer asks next, unless something comes before.
func (n *Newcomer) Next() world.Time {
	if len(n.others) == 0 {
		return world.Never
	}
	return n.due
}

// Poll appends what is to be asked now and returns whom to ask, or zero if there is nothing to be asked.
func (n *Newcomer) Poll(now world.Time, dst []byte) (to mechanism.NodeID, payload []byte) {
	if now < n.Next() {
		return 0, dst
	}
	n.due = now + patience
	if n.tries == triesMax || n.source != 0 && now-n.began > fetchMax {
		n.drop()
	}
	a := ask{epoch: n.epoch, mask: 1<<windowChunks - 1}
	if n.source == 0 {
		if n.turn == 0 {
			n.nextRound()
		}
		to = n.others[n.turn]
		n.asked[n.turn] = true
		n.turn = (n.turn + 1) % len(n.others)
		return to, appendAsk(dst, &a)
	}
	n.tries++
	n.choose()
	a.sum, a.base, a.mask = n.sum, n.base, n.want
	return n.source, appendAsk(dst, &a)
}

// nextRound begins to ask all others once more.
func (n *Newcomer) nextRound() {
	if slices.Contains(n.fresh, false) {
		n.rounds = 0
	} else {
		n.rounds++
	}
	clear(n.fresh)
}

// choose says which chunks to ask for: the first of those that are missing.
func (n *Newcomer) choose() {
	for n.have[n.base] {
		n.base++
	}
	n.want = 0
	for i, have := range n.have[n.base:min(n.base+windowChunks, len(n.have))] {
		if !have {
			n.want |= 1 << i
		}
	}
}

// Receive takes an answer. It returns the snapshot if that is all of it, and whether the answer could be read. Who finds that the
// snapshot makes no sense goes on polling for that of somebody else.
func (n *Newcomer) Receive(now world.Time, from mechanism.NodeID, payload []byte) (snapshot []byte, sound bool) {
	c, err := readChunk(payload)
	if err != nil {
		return nil, false
	}
	i := slices.Index(n.others, from)
	if i < 0 || !n.asked[i] || c.epoch != n.epoch {
		return nil, true
	}
	if c.size == 0 {
		n.pass(now, i, c.fresh)
		return nil, true
	}
	if n.source == 0 {
		n.adopt(now, from, &c)
	}
	if from != n.source || c.sum != n.sum || c.size != len(n.text) || n.have[c.index] {
		return nil, true
	}
	return n.take(now, &c), true
}

// pass notes that a node has nothing to tell. The next one is asked at once, but for a pause when all have been asked.
func (n *Newcomer) pass(now world.Time, i int, fresh bool) {
	n.asked[i], n.fresh[i] = false, fresh
	if n.others[i] == n.source {
		n.drop()
	}
	if n.source == 0 && n.turn != 0 {
		n.due = now
	}
}

// Lost reports whether the world has to begin again, and this node is the one to do it: all others have said, time and again,
// that they are new themselves, and none of them has a lower ID.
func (n *Newcomer) Lost() bool { return n.first && (n.rounds >= roundsMax || len(n.others) == 0) }

// adopt begins with the snapshot that a chunk is of.
func (n *Newcomer) adopt(now world.Time, from mechanism.NodeID, c *chunk) {
	n.source, n.began, n.sum = from, now, c.sum
	n.text = make([]byte, c.size)
	n.have = make([]bool, chunks(c.size))
	n.left = len(n.have)
	n.base = 0
	n.choose()
}

// take adds a chunk and returns the snapshot when it is complete. When all chunks asked for have come, it is time to ask for
// more.
func (n *Newcomer) take(now world.Time, c *chunk) []byte {
	start, _ := span(c.index, c.size)
	copy(n.text[start:], c.data)
	n.have[c.index] = true
	n.left--
	n.tries = 0
	if at := c.index - n.base; at >= 0 && at < windowChunks {
		n.want &^= 1 << at
	}
	if n.left > 0 {
		if n.want == 0 {
			n.due = now
		}
		return nil
	}
	text, sum := n.text, n.sum
	n.drop()
	if sumOf(text) != sum {
		return nil
	}
	return text
}

// drop gives up what has come so far, and who it came from.
func (n *Newcomer) drop() {
	if i := slices.Index(n.others, n.source); i >= 0 {
		n.asked[i] = false
	}
	n.source, n.tries, n.text, n.have = 0, 0, nil, nil
}

package optimistic

import (
	"throng/world"
	"throng/world/wire"
)

// What a message is tells its class, which the link carries along:
//
//	command   an action: the tick in which it takes effect, and the action; if it was not taken by the sender's user in the
//	          sender's epoch, the epoch in which it was
//	control   a byte that says which: what a newcomer asks (package latejoin), or a comparison
//	snapshot  a chunk of a snapshot (package latejoin)
//
// A snapshot is the state of the oldest checkpoint, how many actions follow, and of each the distance of its tick from the one
// before, its epoch, and the action. Runs without newcomers have none but commands of the short form.

// What a control message may be.
const (
	controlAsk byte = iota
	controlCompare
	controlAnswer
)

const (
	tickMax  = 1 << 62
	epochMax = 1<<32 - 1
)

// news is an action as it goes over the wire.
type news struct {
	tick   world.Tick
	action world.Action
	epoch  uint32
	old    bool // the epoch is given
}

func (x *news) append(dst []byte) []byte {
	dst = wire.AppendUint(dst, uint64(x.tick))
	dst = world.AppendAction(dst, &x.action)
	if x.old {
		dst = wire.AppendUint(dst, uint64(x.epoch))
	}
	return dst
}

func readNews(message []byte) (x news, err error) {
	r := wire.NewReader(message)
	x.tick = world.Tick(r.UintMax(tickMax))
	x.action = world.ReadAction(&r)
	if r.Len() > 0 {
		x.old = true
		x.epoch = uint32(r.UintMax(epochMax))
	}
	return x, r.Done()
}

// comparison is what two nodes tell each other when one of them is new.
type comparison struct {
	answer bool       // it answers one, or else asks for one
	epoch  uint32     // the sender's
	yours  uint32     // the receiver's, as far as the sender knows
	first  world.Tick // where the sender's history begins
	mine   []run      // which actions of its own user the sender has
	theirs []run      // and which of the receiver's
}

// run is a stretch of one user's actions.
type run struct{ epoch, from, to uint32 }

// runsMax is how many runs of one user's actions a comparison may name. Each action that is left out is sent once in vain.
const runsMax = 64

func (c *comparison) append(dst []byte) []byte {
	kind := controlCompare
	if c.answer {
		kind = controlAnswer
	}
	dst = append(dst, kind)
	dst = wire.AppendUint(dst, uint64(c.epoch))
	dst = wire.AppendUint(dst, uint64(c.yours))
	dst = wire.AppendUint(dst, uint64(c.first))
	dst = appendRuns(dst, c.mine)
	return appendRuns(dst, c.theirs)
}

// readComparison reads what follows the first byte.
func readComparison(kind byte, r *wire.Reader) (c comparison, err error) {
	c.answer = kind == controlAnswer
	c.epoch = uint32(r.UintMax(epochMax))
	c.yours = uint32(r.UintMax(epochMax))
	c.first = world.Tick(r.UintMax(tickMax))
	c.mine = readRuns(r)
	c.theirs = readRuns(r)
	return c, r.Done()
}

func appendRuns(dst []byte, runs []run) []byte {
	dst = append(dst, byte(len(runs)))
	for _, x := range runs {
		dst = wire.AppendUint(dst, uint64(x.epoch))
		dst = wire.AppendUint(dst, uint64(x.from))
		dst = wire.AppendUint(dst, uint64(x.to-x.from))
	}
	return dst
}

func readRuns(r *wire.Reader) []run {
	n := int(r.Byte())
	if n > runsMax {
		r.Fail()
		return nil
	}
	runs := make([]run, n)
	for i := range runs {
		x := &runs[i]
		x.epoch = uint32(r.UintMax(epochMax))
		x.from = uint32(r.UintMax(1<<32 - 1))
		x.to = x.from + uint32(r.UintMax(uint64(1<<32-1-x.from)))
	}
	return runs
}

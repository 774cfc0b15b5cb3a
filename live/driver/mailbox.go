package driver

import (
	"sync"

	"throng/mechanism"
)

// Limits bound what may wait for a node. What does not fit is dropped: the newest, since a sender that floods should lose
// its own datagrams rather than others'.
type Limits struct {
	Datagrams int
	Bytes     int
}

// DefaultLimits suit a user's node.
var DefaultLimits = Limits{Datagrams: 4096, Bytes: 1 << 20}

// mailbox holds datagrams that wait. Senders append to one half while the node works through the other: a sender waits for
// no more than another sender's copy, and the memory is used again.
type mailbox struct {
	limits Limits
	ring   chan struct{} // holds a token when something has come since the last take

	mu      sync.Mutex
	in      letters
	out     letters // what was taken and is not done
	dropped int64
	closed  bool
}

// letters are datagrams, with their payloads behind each other in one buffer.
type letters struct {
	list []letter
	buf  []byte

	uses int // since the memory was last looked over
	peak int // the most bytes in a use since then
}

type letter struct {
	from, to mechanism.NodeID
	class    mechanism.Class
	end      int // of the payload in buf; it begins where the one before ends
}

// reviewUses is after how many uses a buffer that turned out to be much too large is given back. A burst, such as the state
// of the whole world for one who joins, would otherwise hold its memory for good.
const reviewUses = 256

func (l *letters) reset() {
	l.peak = max(l.peak, len(l.buf))
	l.uses++
	if l.uses == reviewUses {
		if cap(l.buf) > 8*l.peak {
			l.list, l.buf = nil, nil
		}
		l.uses, l.peak = 0, 0
	}
	l.list, l.buf = l.list[:0], l.buf[:0]
}

func newMailbox(limits Limits) *mailbox {
	return &mailbox{limits: limits, ring: make(chan struct{}, 1)}
}

// put adds a datagram, whose payload is copied, and reports whether there was room.
func (b *mailbox) put(m mechanism.Message) bool {
	b.mu.Lock()
	if b.closed || len(b.in.list)+len(b.out.list) >= b.limits.Datagrams ||
		len(b.in.buf)+len(b.out.buf)+len(m.Payload) > b.limits.Bytes {
		b.dropped++
		b.mu.Unlock()
		return false
	}
	b.in.buf = append(b.in.buf, m.Payload...)
	b.in.list = append(b.in.list, letter{m.From, m.To, m.Class, len(b.in.buf)})
	first := len(b.in.list) == 1
	b.mu.Unlock()
	if first {
		b.alarm()
	}
	return true
}

// alarm has the node look, whether anything has come or not.
func (b *mailbox) alarm() {
	select {
	case b.ring <- struct{}{}:
	default:
	}
}

// take returns what waits. It counts as waiting until done, which allows its memory to be used again.
func (b *mailbox) take() letters {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in, b.out = b.out, b.in
	return b.out
}

// done says that what was taken has been worked through.
func (b *mailbox) done() {
	b.mu.Lock()
	b.out.reset()
	b.mu.Unlock()
}

// close refuses everything from now on.
func (b *mailbox) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
}

func (b *mailbox) look() (waiting int, dropped int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.in.list) + len(b.out.list), b.dropped
}

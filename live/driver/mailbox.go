package driver

import (
	"sync"

	"throng/mechanism"
)

// Limits bound what may wait for a node. What does not fit is dropped: the newest, since a sender that floods should lose
// its own datagrams.
type Limits struct {
	Datagrams int
	Bytes     int
}

// DefaultLimits suit a user's node.
var DefaultLimits = Limits{Datagrams: 4096, Bytes: 1 << 20}

// mailbox holds datagrams that wait. Senders append to one half while the node works through the other; so a sender waits
// for no more than another sender's copy, and the buffers are used again.
type mailbox struct {
	limits Limits
	ring   chan struct{} // holds a token while there is something to take

	mu      sync.Mutex
	in      letters
	taken   int // datagrams and bytes that the node has taken and not finished
	bytes   int
	dropped int64
	closed  bool
}

// letters are datagrams, with their payloads behind each other in one buffer.
type letters struct {
	list []letter
	buf  []byte
}

type letter struct {
	from, to mechanism.NodeID
	class    mechanism.Class
	end      int // of the payload in buf; it begins where the one before ends
}

func (l *letters) reset() { l.list, l.buf = l.list[:0], l.buf[:0] }

func newMailbox(limits Limits) *mailbox {
	return &mailbox{limits: limits, ring: make(chan struct{}, 1)}
}

// put adds a datagram, whose payload is copied.
func (b *mailbox) put(m mechanism.Message) bool {
	b.mu.Lock()
	if b.closed || len(b.in.list)+b.taken >= b.limits.Datagrams || len(b.in.buf)+b.bytes+len(m.Payload) > b.limits.Bytes {
		b.dropped++
		b.mu.Unlock()
		return false
	}
	first := len(b.in.list) == 0
	b.in.buf = append(b.in.buf, m.Payload...)
	b.in.list = append(b.in.list, letter{m.From, m.To, m.Class, len(b.in.buf)})
	b.mu.Unlock()
	if first {
		select {
		case b.ring <- struct{}{}:
		default:
		}
	}
	return true
}

// take exchanges what waits for an empty set of letters, whose memory is used for what comes next.
func (b *mailbox) take(empty *letters) {
	b.mu.Lock()
	b.in, *empty = *empty, b.in
	b.taken, b.bytes = len(empty.list), len(empty.buf)
	b.mu.Unlock()
}

// done says that what was taken has been worked through.
func (b *mailbox) done() {
	b.mu.Lock()
	b.taken, b.bytes = 0, 0
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
	return len(b.in.list) + b.taken, b.dropped
}

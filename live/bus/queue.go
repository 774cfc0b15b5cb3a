package bus

import (
	"sync"

	"throng/live/driver"
	"throng/mechanism"
)

// queue holds datagrams on their way to the bus. Senders append to one half while the other is being published: a sender waits for
// no more than another sender's copy.
type queue struct {
	limits driver.Limits
	ring   chan struct{} // holds a token when something has come since the last take

	mu      sync.Mutex
	in, out parcels
}

// parcels are datagrams with their headers, behind each other in one buffer.
type parcels struct {
	list []parcel
	buf  []byte
}

type parcel struct {
	to  mechanism.NodeID
	end int // in buf; it begins where the one before ends
}

func newQueue(limits driver.Limits) *queue {
	return &queue{limits: limits, ring: make(chan struct{}, 1)}
}

// put adds a datagram, whose payload is copied, and reports whether there was room.
func (q *queue) put(m *mechanism.Message) bool {
	q.mu.Lock()
	if len(q.in.list)+len(q.out.list) >= q.limits.Datagrams ||
		len(q.in.buf)+len(q.out.buf)+headerSize+len(m.Payload) > q.limits.Bytes {
		q.mu.Unlock()
		return false
	}
	q.in.buf = append(appendHeader(q.in.buf, m), m.Payload...)
	q.in.list = append(q.in.list, parcel{m.To, len(q.in.buf)})
	first := len(q.in.list) == 1
	q.mu.Unlock()
	if first {
		select {
		case q.ring <- struct{}{}:
		default:
		}
	}
	return true
}

// take returns what waits. It counts as waiting until done, which allows its memory to be used again.
func (q *queue) take() parcels {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.in, q.out = q.out, q.in
	return q.out
}

// done says that what was taken has been published.
func (q *queue) done() {
	q.mu.Lock()
	q.out.list, q.out.buf = q.out.list[:0], q.out.buf[:0]
	q.mu.Unlock()
}

// waiting is how many datagrams have not been published yet.
func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.in.list) + len(q.out.list)
}

package cluster

import (
	"sync"

	"throng/live/driver"
	"throng/live/replica/batch"
	"throng/mechanism"
)

// inbox gathers what is for servers' nodes, as it will go into the log, where each batch has its time before it. Senders append to one half while the other is being
// proposed.
type inbox struct {
	limits driver.Limits
	ring   chan struct{} // holds a token when something has come since the last take

	mu      sync.Mutex
	open    bool // this process leads
	in, out batch.Batch
	dropped int64
}

func newInbox(limits driver.Limits) *inbox {
	b := &inbox{limits: limits, ring: make(chan struct{}, 1)}
	b.in.Reset(0)
	return b
}

// put adds a datagram, whose payload is copied, and reports whether there was room and somebody who leads.
func (b *inbox) put(m *mechanism.Message) bool {
	b.mu.Lock()
	if !b.open || b.in.Len() >= b.limits.Datagrams || len(b.in.Entry())+len(m.Payload) > b.limits.Bytes {
		b.dropped++
		b.mu.Unlock()
		return false
	}
	b.in.Add(*m)
	first := b.in.Len() == 1
	b.mu.Unlock()
	if first {
		select {
		case b.ring <- struct{}{}:
		default:
		}
	}
	return true
}

// take returns what has come, which holds until the next call.
func (b *inbox) take() *batch.Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in, b.out = b.out, b.in
	b.in.Reset(0)
	return &b.out
}

// waiting is how many datagrams have come.
func (b *inbox) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.in.Len()
}

// lead says whether this process leads. What has come for one who does no more is lost, as on a network.
func (b *inbox) lead(leads bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = leads
	b.in.Reset(0)
}

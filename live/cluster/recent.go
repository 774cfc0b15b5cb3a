package cluster

import (
	"sync"
	"time"

	"throng/live/replica/batch"
	"throng/mechanism"
)

// recent is what this process has sent to servers in the last moments. Whoever led may have died before it was in the log: whoever
// leads next is sent it again. What was in the log then comes twice, as it may on any network.
type recent struct {
	mu         sync.Mutex
	young, old batch.Batch
	since      time.Time // when the young one was begun
}

const (
	recentTime  = 100 * time.Millisecond // at least for so long, and up to twice as long
	recentBytes = 1 << 20
)

// add remembers a datagram. While nobody leads nothing is forgotten, as long as there is room.
func (r *recent) add(m *mechanism.Message, led bool, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if full := len(r.young.Entry()) > recentBytes; full || led && now.Sub(r.since) > recentTime {
		if full && !led {
			return
		}
		r.young, r.old, r.since = r.old, r.young, now
		r.young.Reset(0)
	}
	r.young.Add(*m)
}

// take hands everything over that is remembered, in the order in which it was sent, and forgets it.
func (r *recent) take(f func(m *mechanism.Message)) {
	r.mu.Lock()
	old, young := r.old, r.young
	r.old, r.young = batch.Batch{}, batch.Batch{}
	r.old.Reset(0)
	r.young.Reset(0)
	r.mu.Unlock()
	each := func(m mechanism.Message) { f(&m) }
	batch.Read(old.Entry(), each)
	batch.Read(young.Entry(), each)
}

func newRecent() *recent {
	r := new(recent)
	r.old.Reset(0)
	r.young.Reset(0)
	return r
}

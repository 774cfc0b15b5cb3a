package hub

import (
	"sync/atomic"

	"throng/live/driver"
	"throng/mechanism"
)

const (
	pageBits = 10
	pageSize = 1 << pageBits

	// NodesMax is the greatest ID that a node may have. It bounds the directory to 128 KiB.
	NodesMax = 1 << 24
)

// routes finds posts by their IDs. Reading takes three loads and no lock. Posts are never taken out: places that fall vacant
// are given to the next who comes.
type routes struct {
	directory atomic.Pointer[[]*routePage] // replaced as a whole when a page is added; those that nobody needs are nil
}

type routePage [pageSize]atomic.Pointer[post]

func (r *routes) get(id mechanism.NodeID) *post {
	directory := r.directory.Load()
	if directory == nil || int(id>>pageBits) >= len(*directory) {
		return nil
	}
	page := (*directory)[id>>pageBits]
	if page == nil {
		return nil
	}
	return page[id%pageSize].Load()
}

// put adds a post. The caller holds the hub's lock.
func (r *routes) put(id mechanism.NodeID, p *post) {
	var pages []*routePage
	if directory := r.directory.Load(); directory != nil {
		pages = *directory
	}
	at := int(id >> pageBits)
	if at >= len(pages) || pages[at] == nil {
		grown := make([]*routePage, max(at+1, len(pages)))
		copy(grown, pages)
		grown[at] = new(routePage)
		r.directory.Store(&grown)
		pages = grown
	}
	pages[at][id%pageSize].Store(p)
}

// holder is who takes what is sent to a post: a node that runs here or a connection.
type holder struct {
	runner *driver.Runner
	conn   Conn
}

// Route carries a datagram to its receiver. It never blocks, and copies the payload.
func (h *Hub) Route(m mechanism.Message) bool {
	if p := h.routes.get(m.To); p != nil && !p.elsewhere.Load() {
		return p.take(m)
	}
	if h.config.Fallback != nil {
		h.forwarded.Add(1)
		return h.config.Fallback.Route(m)
	}
	h.unknown.Add(1)
	return false
}

// Receive carries a datagram that came from another process to its receiver here. Unlike Route it never sends it on.
func (h *Hub) Receive(m mechanism.Message) bool {
	switch {
	case m.From == Nobody:
		return h.heed(m)
	case h.Lost(m.To):
		h.refuse(m)
	}
	if p := h.routes.get(m.To); p != nil && !p.elsewhere.Load() {
		return p.take(m)
	}
	h.unknown.Add(1)
	return false
}

// take hands a datagram to whoever holds the post.
func (p *post) take(m mechanism.Message) bool {
	holder := p.holder.Load()
	if holder == nil {
		p.missed.Add(1)
		return false
	}
	p.bytes.Add(int64(len(m.Payload)))
	p.routed.Add(1)
	ok := false
	if holder.runner != nil {
		ok = holder.runner.Deliver(m)
	} else {
		ok = holder.conn.Send(m)
	}
	if !ok {
		p.full.Add(1)
	}
	return ok
}

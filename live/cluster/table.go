package cluster

import (
	"sync/atomic"

	"throng/mechanism"
)

// table finds the process that holds a node's place. Reading takes no lock; it is written by one goroutine.
type table struct {
	pages atomic.Pointer[[]*tablePage]
}

const tableBits = 10

type tablePage [1 << tableBits]atomic.Uint32

func (t *table) get(id mechanism.NodeID) uint32 {
	pages := t.pages.Load()
	if pages == nil || int(id>>tableBits) >= len(*pages) || (*pages)[id>>tableBits] == nil {
		return 0
	}
	return (*pages)[id>>tableBits][id%(1<<tableBits)].Load()
}

func (t *table) put(id mechanism.NodeID, process uint32) {
	var pages []*tablePage
	if now := t.pages.Load(); now != nil {
		pages = *now
	}
	at := int(id >> tableBits)
	if at >= len(pages) || pages[at] == nil {
		grown := make([]*tablePage, max(at+1, len(pages)))
		copy(grown, pages)
		grown[at] = new(tablePage)
		t.pages.Store(&grown)
		pages = grown
	}
	pages[at][id%(1<<tableBits)].Store(process)
}

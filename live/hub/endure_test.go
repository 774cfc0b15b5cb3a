package hub

import (
	"testing"

	"throng/mechanism"
)

// enduring is a mechanism that goes on as long as no more than some nodes are lost.
type enduring struct {
	mechanism.Mechanism
	most int
}

func (e enduring) Endures(lost []mechanism.NodeID) bool { return len(lost) <= e.most }

// A world is whole as long as the mechanism's other servers stand in for those that are lost, and no longer.
func TestWorldsEndure(t *testing.T) {
	lose := func(h *Hub, id mechanism.NodeID) {
		h.Lose(Process{Number: uint32(id), Sites: []Site{{Place: mechanism.Place{ID: id, Role: "server"}}}})
	}
	h := &Hub{mechanism: enduring{most: 1}}
	if lose(h, 2); h.Whole() != nil || h.Lost(2) {
		t.Errorf("without one server: %v; lost %v", h.Whole(), h.Lost(2))
	}
	if lose(h, 3); h.Whole() == nil || !h.Lost(2) || !h.Lost(3) || h.Lost(1) {
		t.Errorf("without two servers: %v", h.Whole())
	}
	h = &Hub{}
	if lose(h, 2); h.Whole() == nil || !h.Lost(2) {
		t.Error("a world whose servers do not stand in for one another is whole")
	}
}

package hub

import (
	"encoding/binary"

	"throng/mechanism"
)

// Nobody is whom hubs' notices to one another are from. No node has this ID, so that nothing that a client says can be one.
const Nobody mechanism.NodeID = 0

// The kinds of notices, which go to where somebody's node is held.
const (
	noticeCut  = 1 // what it has sent did harm: it is to be cut off
	noticeGone = 2 // a server that it has sent something to is given up; its ID follows
)

// IsNotice reports whether a datagram can be a notice.
func IsNotice(m mechanism.Message) bool {
	return m.From == Nobody && m.Class == mechanism.Control && len(m.Payload) >= 1 && len(m.Payload) <= 5
}

// notify sends a notice to another process.
func (h *Hub) notify(to mechanism.NodeID, payload ...byte) {
	if h.config.Fallback != nil {
		h.config.Fallback.Route(mechanism.Message{From: Nobody, To: to, Class: mechanism.Control, Payload: payload})
	}
}

// heed takes a notice from another process.
func (h *Hub) heed(m mechanism.Message) bool {
	switch p := m.Payload; {
	case !IsNotice(m):
		return false
	case p[0] == noticeCut && len(p) == 1:
		go h.cutHere(m.To)
	case p[0] == noticeGone && len(p) == 5:
		h.loseServer(mechanism.NodeID(binary.LittleEndian.Uint32(p[1:])))
	default:
		return false
	}
	return true
}

// loseServer notes that a server in another process is given up.
func (h *Hub) loseServer(id mechanism.NodeID) {
	if h.Lost(id) {
		return
	}
	for _, place := range h.session.Places {
		if place.ID == id && place.User == 0 {
			h.Lose(Process{Name: "another process", Sites: []Site{{Place: place}}})
		}
	}
}

// refuse tells who has sent something to a server that is given up here that it is.
func (h *Hub) refuse(m mechanism.Message) {
	h.notify(m.From, binary.LittleEndian.AppendUint32([]byte{noticeGone}, uint32(m.To))...)
}

// Cut ends the seat of a person whose node has done harm, here or in another process.
func (h *Hub) Cut(id mechanism.NodeID) {
	if p := h.routes.get(id); p == nil || p.elsewhere.Load() {
		h.notify(id, noticeCut)
		return
	}
	h.cutHere(id)
}

func (h *Hub) cutHere(id mechanism.NodeID) {
	p := h.routes.get(id)
	if p == nil {
		return
	}
	h.mu.Lock()
	s := p.seat
	h.mu.Unlock()
	if s != nil {
		h.Leave(s, CutReason)
	}
}

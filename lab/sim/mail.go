package sim

import (
	"throng/mechanism"
	"throng/world"
)

// Losses counts datagrams that did not arrive, by cause.
type Losses struct {
	Network int64 // the network lost them
	Link    int64 // a host's link had no room for them
	Host    int64 // a host's processor was too far behind
}

// mail holds the datagrams in flight. Slots and their buffers are used again.
type mail struct {
	slots []mechanism.Message
	free  []uint32
}

func (m *mail) post(msg mechanism.Message) uint32 {
	if len(m.free) == 0 {
		m.free = append(m.free, uint32(len(m.slots)))
		m.slots = append(m.slots, mechanism.Message{})
	}
	ref := m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	slot := &m.slots[ref]
	buf := append(slot.Payload[:0], msg.Payload...)
	*slot = msg
	slot.Payload = buf
	return ref
}

func (m *mail) discard(ref uint32) { m.free = append(m.free, ref) }

// dispatch sends one datagram from h, whose processor has finished with it at time at.
func (r *Run) dispatch(h *Host, m mechanism.Message, at world.Time) {
	size := len(m.Payload) + r.setup.Hosts.Header
	for _, o := range r.seen.packet {
		o.Sent(h, m, size)
	}
	if m.To == 0 || int(m.To) > len(r.hosts) || m.To == h.Place.ID {
		panic("sim: a node sends to nobody or to itself")
	}
	left, ok := h.up.Depart(at, size)
	if !ok {
		r.lost.Link++
		return
	}
	fate := r.setup.Network.Fate(left, uint32(m.From), uint32(m.To), size)
	if fate.N == 0 {
		r.lost.Network++
		return
	}
	for _, delay := range fate.Delays[:fate.N] {
		r.push(left+delay, arrive, event{host: uint32(m.To - 1), ref: r.mail.post(m)})
	}
}

// enter lets a datagram that has crossed the network pass the receiving host's link.
func (r *Run) enter(h *Host, ref uint32) {
	size := len(r.mail.slots[ref].Payload) + r.setup.Hosts.Header
	at, ok := h.down.Depart(r.now, size)
	switch {
	case !ok:
		r.lost.Link++
		r.mail.discard(ref)
	case at == r.now:
		h.take(item{kind: deliver, ref: ref})
	default:
		r.push(at, deliver, event{host: uint32(h.Place.ID - 1), ref: ref})
	}
}

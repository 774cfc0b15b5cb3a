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

// mail holds the datagrams in flight. Slots and buffers are used again; what goes to many is kept once.
type mail struct {
	slots   []slot
	free    []uint32
	letters []letter
	blank   []uint32 // letters that nobody holds
	last    uint32   // the letter posted last, and
	from    []byte   // the payload that it was copied from, as long as that stands
}

// slot is one datagram in flight.
type slot struct {
	message mechanism.Message // without its payload
	letter  uint32
}

// letter is a payload and how many datagrams in flight carry it.
type letter struct {
	payload []byte
	holders int
}

// post takes a datagram in. Payloads that follow one another and are the same memory are copied once, until forget.
func (m *mail) post(msg mechanism.Message) uint32 {
	if len(m.free) == 0 {
		m.free = append(m.free, uint32(len(m.slots)))
		m.slots = append(m.slots, slot{})
	}
	ref := m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	l := m.write(msg.Payload)
	m.letters[l].holders++
	msg.Payload = nil
	m.slots[ref] = slot{msg, l}
	return ref
}

// write returns a letter with the given payload.
func (m *mail) write(payload []byte) uint32 {
	if len(payload) > 0 && len(payload) == len(m.from) && &payload[0] == &m.from[0] && m.letters[m.last].holders > 0 {
		return m.last
	}
	if len(m.blank) == 0 {
		m.blank = append(m.blank, uint32(len(m.letters)))
		m.letters = append(m.letters, letter{})
	}
	m.last, m.from = m.blank[len(m.blank)-1], payload
	m.blank = m.blank[:len(m.blank)-1]
	l := &m.letters[m.last]
	l.payload = append(l.payload[:0], payload...)
	return m.last
}

// forget says that the memory of the payloads posted so far is about to be used for others.
func (m *mail) forget() { m.from = nil }

// message returns a datagram. Its payload holds until it is discarded.
func (m *mail) message(ref uint32) mechanism.Message {
	s := &m.slots[ref]
	msg := s.message
	msg.Payload = m.letters[s.letter].payload
	return msg
}

// size is the length of a datagram's payload.
func (m *mail) size(ref uint32) int { return len(m.letters[m.slots[ref].letter].payload) }

func (m *mail) discard(ref uint32) {
	l := m.slots[ref].letter
	if m.letters[l].holders--; m.letters[l].holders == 0 {
		m.blank = append(m.blank, l)
	}
	m.free = append(m.free, ref)
}

// dispatch sends one datagram from h, whose processor has finished with it at time at.
func (r *Run) dispatch(h *Host, m mechanism.Message, at world.Time) {
	size := r.setup.Hosts.wire(len(m.Payload))
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
	size := r.setup.Hosts.wire(r.mail.size(ref))
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

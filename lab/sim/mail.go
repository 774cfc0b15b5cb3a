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
	Nobody  int64 // there was no node to take them, or it had moved
}

// mail holds what the datagrams in flight carry. Memory is used again; what goes to many is kept once.
type mail struct {
	letters []letter
	blank   []uint32 // letters that nobody holds
	last    uint32   // the letter posted last, and
	from    []byte   // the payload that it was copied from, as long as that stands
}

// letter is what datagrams carry that were sent together, and how many of them are in flight.
type letter struct {
	message mechanism.Message // for nobody in particular
	holders int
}

// post takes a datagram in and returns the letter that it carries. Those whose payloads follow one another and are the same
// memory carry the same letter, until forget.
func (m *mail) post(msg mechanism.Message) uint32 {
	if !m.again(msg.Payload) {
		m.write(msg)
	}
	m.letters[m.last].holders++
	return m.last
}

// again reports whether a payload is the one posted last.
func (m *mail) again(payload []byte) bool {
	return len(payload) > 0 && len(payload) == len(m.from) && &payload[0] == &m.from[0] && m.letters[m.last].holders > 0
}

// write makes a letter of a datagram, the last one.
func (m *mail) write(msg mechanism.Message) {
	if len(m.blank) == 0 {
		m.blank = append(m.blank, uint32(len(m.letters)))
		m.letters = append(m.letters, letter{})
	}
	m.last, m.from = m.blank[len(m.blank)-1], msg.Payload
	m.blank = m.blank[:len(m.blank)-1]
	l := &m.letters[m.last]
	msg.Payload = append(l.message.Payload[:0], msg.Payload...)
	l.message = msg
}

// forget says that the memory of the payloads posted so far is about to be used for others.
func (m *mail) forget() { m.from = nil }

// message returns the datagram that brings a letter to a node. Its payload holds until it is discarded.
func (m *mail) message(ref uint32, to mechanism.NodeID) mechanism.Message {
	msg := m.letters[ref].message
	msg.To = to
	return msg
}

// size is the length of a letter's payload.
func (m *mail) size(ref uint32) int { return len(m.letters[ref].message.Payload) }

// discard says that one of the datagrams with a letter is no longer in flight.
func (m *mail) discard(ref uint32) {
	if m.letters[ref].holders--; m.letters[ref].holders == 0 {
		m.blank = append(m.blank, ref)
	}
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
	to := r.hosts[m.To-1]
	e := event{host: uint32(m.To - 1), moves: to.moves}
	if to.box == h.box {
		e.ref = r.mail.post(m)
		r.push(at, deliver, e) // it never leaves the process
		return
	}
	r.transmit(h.box, to.box, m, at, arrive, e)
}

// transmit sends a datagram from one computer to another, where it comes as an event of a kind.
func (r *Run) transmit(from, to *box, m mechanism.Message, at world.Time, k kind, e event) {
	size := r.setup.Hosts.wire(len(m.Payload))
	left, ok := from.up.Depart(at, size)
	if !ok {
		r.lost.Link++
		return
	}
	fate := r.setup.Network.Fate(left, from.number, to.number, size)
	if fate.N == 0 {
		r.lost.Network++
		return
	}
	for _, delay := range fate.Delays[:fate.N] {
		e.ref = r.mail.post(m)
		r.push(left+delay, k, e)
	}
}

// enter lets a datagram that has crossed the network pass the receiving host's link.
func (r *Run) enter(h *Host, e event) {
	if !h.awake() || e.moves != h.moves {
		r.nobody(e.ref)
		return
	}
	size := r.setup.Hosts.wire(r.mail.size(e.ref))
	at, ok := h.box.down.Depart(r.now, size)
	switch {
	case !ok:
		r.lost.Link++
		r.mail.discard(e.ref)
	case at == r.now:
		h.take(item{kind: deliver, ref: e.ref})
	default:
		r.push(at, deliver, e)
	}
}

// deliver hands a datagram to whoever holds the place by now, if it is still where it was.
func (r *Run) deliver(h *Host, e event) {
	if !h.awake() || e.moves != h.moves {
		r.nobody(e.ref)
		return
	}
	h.take(item{kind: deliver, ref: e.ref})
}

// nobody says that there is nobody to take a datagram.
func (r *Run) nobody(ref uint32) {
	r.lost.Nobody++
	r.mail.discard(ref)
}

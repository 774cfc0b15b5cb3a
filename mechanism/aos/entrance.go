package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// entrance is how a client that joins a run under way gets in: it asks the registration server who serves what, and then
// greets all of those.
type entrance struct {
	client  *client
	asking  bool   // who serves what
	greets  []bool // which areas' servers have yet to welcome the client
	missing int
	again   world.Time // when to ask again
	left    bool
}

// patienceAsk is after how long is asked again.
const patienceAsk = 250 * world.Millisecond

func (e *entrance) begin(n *client) {
	e.client, e.asking = n, true
	e.greets = make([]bool, len(n.regions))
}

func (e *entrance) ready() bool { return !e.asking && e.missing == 0 && !e.left }

// proceed asks whom is to be asked.
func (e *entrance) proceed(now world.Time, out *mechanism.Outbox) {
	if e.ready() || e.left || now < e.again {
		return
	}
	e.again = now + patienceAsk
	n := e.client
	if e.asking {
		n.links.Send(now, registryID, mechanism.Control, []byte{kindAsk}, link.Unreliable, out)
		return
	}
	n.buf = appendJoin(n.buf[:0], n.session.Epoch, n.place.User)
	for i, waits := range e.greets {
		if waits {
			n.links.Send(now, n.regions[i].server, mechanism.Control, n.buf, link.Unreliable, out)
		}
	}
}

// hear takes an answer.
func (e *entrance) hear(now world.Time, kind byte, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n := e.client
	switch kind {
	case kindAreas:
		serves := readAreas(r, len(e.greets))
		if r.Done() != nil || n == nil {
			return n == nil
		}
		if e.asking {
			e.asking, e.missing, e.again = false, len(serves), now
			for i := range serves {
				n.regions[i].server, e.greets[i] = serves[i], true
			}
			e.proceed(now, out)
		}
		return true
	case kindWelcome:
		if r.Done() != nil {
			return false
		}
		for i := range e.greets {
			if e.greets[i] && n.regions[i].server == from {
				e.greets[i] = false
				e.missing--
			}
		}
		return true
	}
	return false
}

// leave says goodbye to all servers.
func (e *entrance) leave(now world.Time, n *client, out *mechanism.Outbox) {
	if e.left {
		return
	}
	e.left = true
	n.buf = wire.AppendUint(append(n.buf[:0], kindLeave), uint64(n.session.Epoch))
	for i := range n.regions {
		n.links.Send(now, n.regions[i].server, mechanism.Control, n.buf, link.Ordered, out)
	}
}

// pending are the user's actions of which it is not known what became of them.
type pending struct{ seqs []uint32 }

// pendingMax is how many there may be. What the user does beyond that is dropped.
const pendingMax = 256

func (p *pending) full() bool { return len(p.seqs) >= pendingMax }

func (p *pending) add(seq uint32) { p.seqs = append(p.seqs, seq) }

// take takes an action off, and reports whether it was there.
func (p *pending) take(seq uint32) bool {
	for i, s := range p.seqs {
		if s == seq {
			p.seqs = append(p.seqs[:i], p.seqs[i+1:]...)
			return true
		}
	}
	return false
}

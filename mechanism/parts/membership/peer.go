package membership

import (
	"throng/world"
	"throng/world/wire"
)

// Peer is another server, seen from one of several that run a world together: whether the two are in touch. From the start they
// are. When one falls silent although it has something to answer, the other gives it up, forgets all that was under way between
// them, and from then on does nothing but ask it, now and then, to begin a new talk. So does a server that takes the place of
// one that has failed. Both begin the talk anew when they agree on its number, which only grows.
type Peer struct {
	Talk Identity // the later epoch of the two, and how often they have lost each other since

	touch bool
	epoch uint32 // of the peer, as far as is known
	heard world.Time
	due   world.Time // when to ask again
	every world.Time // after how long
}

// NewPeer returns a peer of a server in an epoch: one that it is in touch with, or one that it has yet to meet.
func NewPeer(epoch uint32, late bool) Peer { return Peer{Talk: Identity{Epoch: epoch}, touch: !late} }

// InTouch reports whether the peer can be told something.
func (p *Peer) InTouch() bool { return p.touch }

// Hear notes that the peer was heard of.
func (p *Peer) Hear(now world.Time) { p.heard = now }

// GiveUp gives up a peer that was not heard of for longer than a server's patience although it has something to answer, and
// reports whether it did: then all that was under way between the two must be forgotten.
func (p *Peer) GiveUp(now, patience world.Time, owes bool) bool {
	if !p.touch || !owes {
		p.heard = now // it has no reason to say anything
		return false
	}
	if now-p.heard <= patience {
		return false
	}
	p.end(now)
	return true
}

// End ends a talk, for a server that has forgotten what was said in it.
func (p *Peer) End(now world.Time) {
	if p.touch {
		p.end(now)
	}
}

// end ends a talk. The next one has a later number.
func (p *Peer) end(now world.Time) {
	p.touch = false
	p.Talk.Life++
	p.due, p.every = now, 0
}

// succeed takes in which epoch the peer is, and reports whether it has taken the place of the one that there is a talk with: it
// knows nothing of that talk, whose number may be as high as any that it would begin with.
func (p *Peer) succeed(epoch uint32) bool {
	if epoch <= p.epoch {
		return false
	}
	p.epoch = epoch
	return p.touch
}

// meetEvery is how often a peer is asked to meet at first, and meetSeldom later on.
const (
	meetEvery  = 250 * world.Millisecond
	meetSeldom = 4 * world.Second
)

// Poll reports whether the peer is to be asked now to meet.
func (p *Peer) Poll(now world.Time) bool {
	if p.touch || now < p.due {
		return false
	}
	p.every = min(max(2*p.every, meetEvery), meetSeldom)
	p.due = now + p.every
	return true
}

// Meeting is what servers say to meet: it must not be numbered by a link, since the two may not agree on one.
type Meeting struct {
	Epoch  uint32 // of the server that says it
	Talk   Identity
	Answer bool
}

// Append appends the meeting.
func (m *Meeting) Append(dst []byte) []byte {
	dst = m.Talk.Append(wire.AppendUint(dst, uint64(m.Epoch)))
	if m.Answer {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// ReadMeeting reads what Append wrote.
func ReadMeeting(r *wire.Reader) Meeting {
	m := Meeting{Epoch: uint32(r.UintMax(1<<32 - 1)), Talk: ReadIdentity(r)}
	m.Answer = r.UintMax(1) == 1
	return m
}

// Meet takes what the peer says. It reports whether a new talk begins, in which nothing is known and all must be told. What is
// no answer is to be answered.
func (p *Peer) Meet(now world.Time, m *Meeting) (anew bool) {
	p.heard = now
	if p.succeed(m.Epoch) {
		p.end(now)
	}
	switch {
	case m.Talk.After(p.Talk):
		p.Talk = m.Talk
	case m.Talk != p.Talk || p.touch:
		return false // the answer tells it so
	}
	p.touch = true
	return true
}

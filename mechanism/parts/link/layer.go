package link

import (
	"throng/mechanism"
	"throng/world"
)

// Mode says what a link promises for a message.
type Mode uint8

// The modes of messages.
const (
	Unreliable Mode = iota // it may be lost, repeated or overtaken
	Reliable               // it arrives once, as soon as it can
	Ordered                // it arrives once, after everything reliable or ordered that was sent to the peer before it
)

// Stranger is the event of a numbered message from a node that this side has no link to, or no longer, and does not expect
// one to; Value is the message's length.
const Stranger = "stranger"

// Handler takes the messages that arrive.
type Handler interface {
	// Deliver is called for each message. The payload is valid during the call only. It returns whether the message
	// could be read; one that could not counts as not received. It may send.
	Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool
}

const (
	// datagramMax is how long a datagram with several messages may be: what passes every network in one piece. A single
	// message may be longer; cutting it up is its sender's business.
	datagramMax = 1200

	waitingMax  = 1 << 20 // bytes of messages to one peer that wait for their turn
	earlyMax    = 1 << 20 // bytes of messages from one peer that came before their turn
	earlyAllMax = 1 << 26 // the same of all peers together
	youngMax    = 1 << 22 // bytes of messages from all peers that have not reached their age
)

// Layer is one node's end of all its links.
type Layer struct {
	cfg        Config
	self       mechanism.NodeID
	peers      map[mechanism.NodeID]*peer
	expect     func(mechanism.NodeID) bool // who may begin a link without having been met; nil for nobody
	successors bool                        // their word is taken for which epoch they are in
	floor      uint64                      // no forgotten link has used a number as high as this
	ahead      int                         // bytes of messages from all peers that came before their turn
	spoke      world.Time                  // when a datagram last went out
	bodies     bodies

	timers  agenda[timer] // when to repeat
	batches fifo[opening] // when to close a batch; the wait is the same for all, so they come due in the order of opening
	owed    fifo[debt]    // when to send a receipt alone; likewise
	young   ages

	buf []byte // the datagram being written
}

// timer says that a message is to be repeated unless it has been acknowledged by then.
type timer struct {
	due    world.Time
	peer   *peer
	number uint64
}

// opening says when a batch that was begun is to go.
type opening struct {
	due  world.Time
	peer *peer
}

// debt says when a receipt is to go if nothing has taken it along by then.
type debt struct {
	due  world.Time
	peer *peer
}

// New returns a layer without links, for a configuration that was validated and for the holder of a node's place in an
// epoch: zero for the first one.
func New(cfg Config, self mechanism.NodeID, epoch uint32) *Layer {
	return &Layer{cfg: cfg, self: self, peers: map[mechanism.NodeID]*peer{}, floor: firstOf(epoch)}
}

// Expect says from whom the first numbered message begins a link, besides those met: the nodes that take part from the
// start. It is asked anew each time. Numbered messages of all others are dropped ([Stranger]).
func (l *Layer) Expect(may func(id mechanism.NodeID) bool) { l.expect = may }

// ExpectSuccessors has the layer believe those it expects in which epoch they are: a link on which nothing has come yet begins
// with whoever holds the peer's place by now. It is for clients, who believe their server.
func (l *Layer) ExpectSuccessors(may func(id mechanism.NodeID) bool) {
	l.expect, l.successors = may, true
}

func (l *Layer) expects(id mechanism.NodeID) bool { return l.expect != nil && l.expect(id) }

// Send sends a message to a peer. The payload is copied.
func (l *Layer) Send(now world.Time, to mechanism.NodeID, class mechanism.Class, payload []byte, mode Mode, out *mechanism.Outbox) {
	if mode == Unreliable && l.peers[to] == nil && (l.cfg.Batching == 0 || !l.expects(to)) {
		l.writeAlone(now, class, payload) // an answer to a stranger makes nobody known
		out.Send(to, class, l.buf)
		out.Charge(1)
		return
	}
	x := l.letter(now, class, payload, mode)
	l.post(now, l.peer(to), x, out)
	l.bodies.drop(x.body)
}

// SendAll sends the same message to several peers. The payload is copied once.
func (l *Layer) SendAll(now world.Time, to []mechanism.NodeID, class mechanism.Class, payload []byte, mode Mode, out *mechanism.Outbox) {
	if mode == Unreliable && l.cfg.Batching == 0 {
		l.writeAlone(now, class, payload) // the datagram is the same for all
		out.SendAll(to, class, l.buf)
		out.Charge(world.Work(len(to)))
		return
	}
	x := l.letter(now, class, payload, mode)
	for _, id := range to {
		l.post(now, l.peer(id), x, out)
	}
	l.bodies.drop(x.body)
}

// writeAlone writes the datagram of an unreliable message that goes by itself.
func (l *Layer) writeAlone(now world.Time, class mechanism.Class, payload []byte) {
	f := frame{mode: Unreliable, class: class, stamp: stampOf(now), payload: payload}
	l.buf = f.append(l.buf[:0], true, l.stamped())
	l.spoke = now
}

// Receive takes a datagram that came from a peer and hands over the messages in it.
func (l *Layer) Receive(now world.Time, m mechanism.Message, h Handler, out *mechanism.Outbox) {
	p := l.peers[m.From]
	if !l.sound(p, m.Payload) {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	l.handOver(now, h, out) // or what comes now could overtake it
	owed := p != nil && p.owes
	p, readable := l.open(now, p, m, h, out)
	if p == nil || p.gone {
		return
	}
	if !readable {
		p.owes = owed
	}
	l.refill(p)
	if p.owes || len(p.batch) > 0 {
		l.dispatch(now, p, out)
	}
}

// Wake does what has come due.
func (l *Layer) Wake(now world.Time, h Handler, out *mechanism.Outbox) {
	l.handOver(now, h, out)
	for l.timers.len() > 0 && l.timers.due() <= now {
		t := l.timers.pop()
		if f := t.flight(); f != nil {
			t.peer.trip.expired(now, f.at)
			f.due = world.Never
			l.pack(t.peer, parcel{number: t.number, numbered: true}, f.body)
			l.gather(now, t.peer)
		}
	}
	for l.batches.len() > 0 && l.batches.front().due <= now {
		if b := l.batches.pop(); b.open() {
			l.flush(now, b.peer, out)
		}
	}
	for l.owed.len() > 0 && l.owed.front().due <= now {
		if d := l.owed.pop(); d.stands() {
			l.flush(now, d.peer, out)
		}
	}
}

// Next is when Wake must next be called: world.Never while nothing is under way.
func (l *Layer) Next() world.Time {
	next := world.Never
	if l.young.len() > 0 {
		next = l.young.due()
	}
	// What was acknowledged or sent meanwhile is passed over only now, so that acknowledging need not search the queue.
	for l.timers.len() > 0 && l.timers.front().flight() == nil {
		l.timers.pop()
	}
	if l.timers.len() > 0 {
		next = min(next, l.timers.due())
	}
	for l.batches.len() > 0 && !l.batches.front().open() {
		l.batches.pop()
	}
	if l.batches.len() > 0 {
		next = min(next, l.batches.front().due)
	}
	for l.owed.len() > 0 && !l.owed.front().stands() {
		l.owed.pop()
	}
	if l.owed.len() > 0 {
		next = min(next, l.owed.front().due)
	}
	return next
}

// Busy reports whether a peer has yet to acknowledge something.
func (l *Layer) Busy(id mechanism.NodeID) bool {
	p := l.peers[id]
	return p != nil && p.low < p.next
}

// Spoke is when the layer last sent anybody anything, be it a receipt.
func (l *Layer) Spoke() world.Time { return l.spoke }

// Meet ends the link to a peer, as Forget does, since the peer's place has a new holder. From now on numbered messages of
// that holder's epoch are taken, and no others.
func (l *Layer) Meet(id mechanism.NodeID, epoch uint32) {
	l.Forget(id)
	l.peer(id).epoch = epoch
}

// Forget ends the link to a peer and drops everything that was under way on it.
func (l *Layer) Forget(id mechanism.NodeID) {
	l.young.forget(id, &l.bodies)
	p := l.peers[id]
	if p == nil {
		return
	}
	delete(l.peers, id)
	l.floor = max(l.floor, p.next)
	p.gone = true
	for ; p.low < p.next; p.low++ {
		l.finish(p, p.low)
	}
	for p.waiting.len() > 0 {
		l.bodies.drop(p.waiting.pop().body)
	}
	for _, x := range p.batch {
		if !x.numbered {
			l.bodies.drop(x.letter.body)
		}
	}
	l.dropEarly(p)
}

// Bytes is the memory that messages and links take.
func (l *Layer) Bytes() int {
	const perPeer, perTimer = 320, 24
	return l.bodies.bytes + perPeer*len(l.peers) + perTimer*l.timers.len()
}

// peer returns the peer with an ID, known before or not.
func (l *Layer) peer(id mechanism.NodeID) *peer {
	p := l.peers[id]
	if p == nil {
		p = &peer{id: id, first: l.floor, next: l.floor, low: l.floor, batchDue: world.Never, owed: world.Never}
		l.peers[id] = p
	}
	return p
}

// letter makes the message ready for sending. The caller drops its body when all peers have it.
func (l *Layer) letter(now world.Time, class mechanism.Class, payload []byte, mode Mode) letter {
	return letter{body: l.bodies.put(payload), class: class, mode: mode, stamp: stampOf(now)}
}

func (l *Layer) stamped() bool { return l.cfg.ReceptionDelay > 0 }

// stampOf is a sending time as it goes over the wire: whole milliseconds, rounded up so that no message seems older than
// it is, modulo a bit more than a minute.
func stampOf(now world.Time) uint16 {
	return uint16((now + world.Millisecond - 1) / world.Millisecond)
}

// maturity is when a message reaches its age. Stamps tell apart sending times within half a minute of now; what seems to
// come from the future comes from a clock that is ahead.
func (l *Layer) maturity(now world.Time, stamp uint16) world.Time {
	ms := int64(now / world.Millisecond)
	age := int16(uint16(ms) - stamp)
	sent := world.Time(ms-int64(age)) * world.Millisecond
	return min(sent, now) + l.cfg.ReceptionDelay
}

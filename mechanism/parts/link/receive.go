package link

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// outlook is what a datagram's frames are judged by: what is possible on a link before the first of them, and then, frame by
// frame, what the ones before it have made so. What handlers do between the frames comes later, and makes no less possible.
type outlook struct {
	epoch       uint32 // of the peer's holder
	open        bool   // whether anything has come
	first, next uint64 // as in the window, but next stays where it was
	sent        uint64 // no number from here on has been sent to the peer
	receipts    int
	messages    int
}

func (l *Layer) outlook(p *peer) outlook {
	if p == nil {
		return outlook{sent: l.floor}
	}
	return outlook{epoch: p.epoch, open: p.in.open, first: p.in.first, next: p.in.next, sent: p.next}
}

// sound reports whether a datagram from a peer, or from somebody unknown, makes sense from its first frame to its last: of
// one that does not, nothing is used.
func (l *Layer) sound(p *peer, datagram []byte) bool {
	v := l.outlook(p)
	r := wire.NewReader(datagram)
	for more := true; more; more = r.Len() > 0 {
		f := readFrame(&r, l.stamped())
		if r.Failed() || !v.takes(&f) {
			return false
		}
	}
	// Nobody puts several messages into a datagram that is long for them, nor more than one receipt into any.
	return v.receipts <= 1 && (v.messages <= 1 || len(datagram) <= datagramMax)
}

// takes reports whether a frame is possible.
func (v *outlook) takes(f *frame) bool {
	if f.mode == receipt {
		v.receipts++
		return v.plausible(f)
	}
	v.messages++
	if f.mode == Unreliable || f.epoch() != v.epoch {
		return true // it has no number, or one that is not going to be used
	}
	if first := f.number - f.since; f.opening && (!v.open || first > v.first) {
		v.open, v.first, v.next = true, first, first
	}
	return !v.open || f.number < v.next+windowSize
}

// plausible reports whether a receipt is about messages that have been sent.
func (v *outlook) plausible(f *frame) bool {
	end := f.number
	runs := wire.NewReader(f.payload)
	for runs.Len() > 0 && end <= v.sent {
		_, end = readRun(&runs, end)
	}
	return end <= v.sent && !runs.Failed()
}

// open takes the frames out of a datagram that is sound, and returns the peer, whom it may have made known. It stops at a
// message that cannot be read and returns false: the datagram must have been damaged, and should not be answered.
func (l *Layer) open(now world.Time, p *peer, m mechanism.Message, h Handler, out *mechanism.Outbox) (*peer, bool) {
	r := wire.NewReader(m.Payload)
	readable := true
	for r.Len() > 0 && readable && (p == nil || !p.gone) { // the handler may forget the peer
		f := readFrame(&r, l.stamped())
		out.Charge(1)
		switch {
		case f.mode == Unreliable:
			readable = l.mature(now, m.From, &f, h, out)
		case f.mode == receipt:
			if p != nil {
				l.acknowledge(now, p, &f)
			}
		default:
			p = l.acquaintance(p, m.From, &f)
			if p == nil || !l.current(p, &f) {
				out.Report(mechanism.Event{Name: Stranger, Value: int64(len(f.payload))})
				continue
			}
			readable = l.accept(now, p, &f, h, out)
		}
	}
	return p, readable
}

// acquaintance finds somebody who was unknown when the datagram came: the handler may have met them since, or their first
// message makes them known where they are expected. Before anything has come, it also says in which epoch they are, if that
// is to be believed.
func (l *Layer) acquaintance(p *peer, id mechanism.NodeID, f *frame) *peer {
	if p == nil {
		p = l.peers[id]
	}
	if !f.opening || !l.expects(id) {
		return p
	}
	if p == nil && (f.epoch() == 0 || l.successors) {
		p = l.peer(id)
	}
	if l.successors && !p.in.open && f.epoch() > p.epoch {
		p.epoch = f.epoch()
	}
	return p
}

// current reports whether a numbered message belongs to the link as it is now, not to one that has ended or is still to be.
// The first message of a new link begins it. That a number is within the window is asked for once more: a handler may have met
// the sender only after the datagram was judged.
func (l *Layer) current(p *peer, f *frame) bool {
	if f.epoch() != p.epoch {
		return false
	}
	if !f.opening {
		return p.in.open && f.number < p.in.next+windowSize
	}
	first := f.number - f.since
	if !p.in.open || first > p.in.first {
		l.dropEarly(p)
		p.in.begin(first)
	}
	return first == p.in.first
}

// accept takes a numbered message, and after it those that had to wait for it. It returns false for one that could not be
// read.
func (l *Layer) accept(now world.Time, p *peer, f *frame, h Handler, out *mechanism.Outbox) bool {
	if p.in.has(f.number) {
		p.owe() // the receipt was lost, or was too slow
		return true
	}
	if f.mode == Ordered && f.number > p.in.next {
		if size := len(f.payload); p.ahead+size < earlyMax && l.ahead+size < earlyAllMax { // else it comes again
			l.keep(p, f)
		}
		return true
	}
	turn := p.in.next
	p.in.add(f.number) // before the handler is called, so that the receipt can ride on what it sends
	p.owe()
	if !l.mature(now, p.id, f, h, out) {
		p.in.remove(f.number)
		return false
	}
	for n := turn + 1; n < p.in.next && p.ahead > 0; n++ {
		l.release(now, p, n, h, out)
	}
	return true
}

// keep holds an ordered message back until its turn.
func (l *Layer) keep(p *peer, f *frame) {
	x := letter{body: l.bodies.put(f.payload), class: f.class, mode: f.mode, stamp: f.stamp}
	p.early.reserve(p.in.next, f.number+1)
	*p.early.at(f.number) = x
	l.holdBack(p, l.bodies.size(x.body))
	p.in.add(f.number)
	p.owe()
}

// holdBack counts bytes that are held back, or no longer.
func (l *Layer) holdBack(p *peer, bytes int) {
	p.ahead += bytes
	l.ahead += bytes
}

// release hands over the message with a number if it was held back.
func (l *Layer) release(now world.Time, p *peer, n uint64, h Handler, out *mechanism.Outbox) {
	x := *p.early.at(n)
	if x.body == 0 {
		return
	}
	*p.early.at(n) = letter{}
	l.holdBack(p, -l.bodies.size(x.body))
	l.mature(now, p.id, &frame{mode: x.mode, class: x.class, stamp: x.stamp, payload: l.bodies.get(x.body)}, h, out)
	l.bodies.drop(x.body)
}

// dropEarly gives up what is held back.
func (l *Layer) dropEarly(p *peer) {
	for n := p.in.next; n < p.in.top && p.ahead > 0; n++ {
		if x := p.early.at(n); x.body != 0 {
			l.holdBack(p, -l.bodies.size(x.body))
			l.bodies.drop(x.body)
			*x = letter{}
		}
	}
}

// mature hands a message over, now or when it has reached its age. It returns false for one that could not be read.
func (l *Layer) mature(now world.Time, from mechanism.NodeID, f *frame, h Handler, out *mechanism.Outbox) bool {
	if l.stamped() {
		if due := l.maturity(now, f.stamp); due > now {
			x := minor{from: from, class: f.class, body: l.bodies.put(f.payload)}
			l.young.push(due, x)
			l.young.bytes += l.bodies.size(x.body)
			for l.young.bytes > youngMax {
				l.grownUp(now, h, out) // those next to their age go early: better than losing any, or their order
			}
			return true
		}
	}
	return h.Deliver(now, mechanism.Message{From: from, To: l.self, Class: f.class, Payload: f.payload}, out)
}

// handOver hands over the messages that have reached their age.
func (l *Layer) handOver(now world.Time, h Handler, out *mechanism.Outbox) {
	for l.young.len() > 0 && l.young.due() <= now {
		l.grownUp(now, h, out)
	}
}

// grownUp hands over the message that reaches its age next.
func (l *Layer) grownUp(now world.Time, h Handler, out *mechanism.Outbox) {
	x := l.young.pop()
	l.young.bytes -= l.bodies.size(x.body)
	h.Deliver(now, mechanism.Message{From: x.from, To: l.self, Class: x.class, Payload: l.bodies.get(x.body)}, out)
	l.bodies.drop(x.body)
}

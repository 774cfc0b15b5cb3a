package link

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// peer is one link: what is under way to a peer, and what has come from it.
type peer struct {
	id    mechanism.NodeID
	epoch uint32 // of the place's holder
	gone  bool   // forgotten; queues may still name it

	// Sending. Messages from low up to next are under way: in a batch, in the network, or acknowledged out of turn.
	first    uint64 // the number that the link began with
	low      uint64 // the lowest number not acknowledged
	next     uint64 // the number of the next message
	known    bool   // the peer has acknowledged something, so it knows the link
	flights  slots[flight]
	waiting  fifo[letter] // messages for which there is no room among those under way
	waits    int          // their bytes
	trip     roundTrip
	batch    []parcel   // what goes with the next datagram
	load     int        // its bytes, about
	batchDue world.Time // when it goes, or never

	// Receiving.
	in    window
	owes  bool          // an acknowledgement
	owed  world.Time    // when it goes alone, if it waits for company
	debts int           // how many messages it is for
	early slots[letter] // ordered messages that came before their turn
	ahead int           // their bytes
}

// letter is a message without its recipient.
type letter struct {
	body  int32 // its place in bodies, from one
	stamp uint16
	class mechanism.Class
	mode  Mode
}

// flight is a numbered message that has not been acknowledged. The zero flight is one that has.
type flight struct {
	letter
	sent uint32     // how often
	at   world.Time // when last
	due  world.Time // when to repeat it; never while it is in a batch
}

// parcel is a part of a batch: a message under way, by its number, or an unreliable one.
type parcel struct {
	numbered bool
	number   uint64
	letter   letter
}

// flight finds what a timer is for, or nil where that is settled.
func (t *timer) flight() *flight {
	p := t.peer
	if p.gone || t.number < p.low {
		return nil
	}
	if f := p.flights.at(t.number); f.body != 0 && f.due == t.due {
		return f
	}
	return nil
}

// open reports whether the batch is still to go.
func (b *opening) open() bool { return !b.peer.gone && b.peer.batchDue == b.due }

// owe notes that a message is to be acknowledged.
func (p *peer) owe() {
	p.owes = true
	p.debts++
}

// debtsMax is for how many messages an acknowledgement waits: longer, and it would hold up a stream.
const debtsMax = 8

// stands reports whether the receipt has not gone yet.
func (d *debt) stands() bool { return !d.peer.gone && d.peer.owes && d.peer.owed == d.due }

// post puts a message on its way to a peer.
func (l *Layer) post(now world.Time, p *peer, x letter, out *mechanism.Outbox) {
	l.bodies.hold(x.body)
	switch {
	case x.mode == Unreliable:
		l.pack(p, parcel{letter: x}, x.body)
	case p.waiting.len() > 0 || p.next-p.low == windowSize:
		l.wait(p, x, out)
		return
	default:
		l.launch(p, x)
	}
	l.dispatch(now, p, out)
}

// wait lines a message up behind those under way.
func (l *Layer) wait(p *peer, x letter, out *mechanism.Outbox) {
	p.waiting.push(x)
	p.waits += l.bodies.size(x.body)
	for p.waits > waitingMax {
		old := p.waiting.pop()
		p.waits -= l.bodies.size(old.body)
		out.Report(mechanism.Event{Name: mechanism.Dropped, Value: int64(len(l.bodies.get(old.body)))})
		l.bodies.drop(old.body)
	}
}

// refill launches messages that waited, as far as there is room for them.
func (l *Layer) refill(p *peer) {
	for p.waiting.len() > 0 && p.next-p.low < windowSize {
		x := p.waiting.pop()
		p.waits -= l.bodies.size(x.body)
		l.launch(p, x)
	}
}

// launch numbers a message and adds it to the batch.
func (l *Layer) launch(p *peer, x letter) {
	p.flights.reserve(p.low, p.next+1)
	*p.flights.at(p.next) = flight{letter: x, due: world.Never}
	l.pack(p, parcel{number: p.next, numbered: true}, x.body)
	p.next++
}

// pack adds a message to the batch.
func (l *Layer) pack(p *peer, x parcel, body int32) {
	p.batch = append(p.batch, x)
	p.load += headerMax + len(l.bodies.get(body))
}

// finish ends a message's flight.
func (l *Layer) finish(p *peer, number uint64) {
	if f := p.flights.at(number); f.body != 0 {
		l.bodies.drop(f.body)
		*f = flight{}
	}
}

// arrived ends the flight of a message that has been acknowledged.
func (l *Layer) arrived(now world.Time, p *peer, number uint64) {
	if f := p.flights.at(number); f.sent == 1 {
		p.trip.measured(now - f.at)
	}
	l.finish(p, number)
}

// acknowledge takes a receipt.
func (l *Layer) acknowledge(now world.Time, p *peer, f *frame) {
	end := f.number
	for ; p.low < f.number; p.low++ {
		l.arrived(now, p, p.low)
	}
	runs := wire.NewReader(f.payload)
	for runs.Len() > 0 {
		from, to := readRun(&runs, end)
		for n := max(from, p.low); n < to; n++ {
			l.arrived(now, p, n)
		}
		end = to
	}
	p.known = p.known || end > p.first
}

// dispatch sends the batch, or sees to it that it will be.
func (l *Layer) dispatch(now world.Time, p *peer, out *mechanism.Outbox) {
	switch {
	case l.cfg.Receipts > l.cfg.Batching && len(p.batch) == 0 && p.debts < debtsMax:
		if p.owed == world.Never {
			p.owed = now + l.cfg.Receipts
			l.owed.push(debt{p.owed, p})
		}
	case l.cfg.Batching == 0 || p.load >= datagramMax:
		l.flush(now, p, out)
	default:
		l.gather(now, p)
	}
}

// gather begins a batch unless there is one.
func (l *Layer) gather(now world.Time, p *peer) {
	if p.batchDue == world.Never {
		p.batchDue = now + l.cfg.Batching
		l.batches.push(opening{p.batchDue, p})
	}
}

package link

import (
	"throng/mechanism"
	"throng/world"
)

// flush sends a peer what is ready for it: the acknowledgement that it is owed and its batch.
func (l *Layer) flush(now world.Time, p *peer, out *mechanism.Outbox) {
	d := datagram{buf: l.buf[:0], class: mechanism.Receipt, stamped: l.stamped()}
	if p.owes {
		d.buf = appendReceipt(d.buf, &p.in)
		p.owes, p.owed, p.debts = false, world.Never, 0
		out.Charge(1)
	}
	for i := range p.batch {
		x := &p.batch[i]
		if x.numbered && (x.number < p.low || p.flights.at(x.number).body == 0) {
			continue // acknowledged while it waited
		}
		d.add(p, l.frame(now, p, x, out), out)
		out.Charge(1)
	}
	d.end(p, out)
	if l.buf = d.buf; d.sent {
		l.spoke = now
	}
	for i := range p.batch {
		if !p.batch[i].numbered {
			l.bodies.drop(p.batch[i].letter.body)
		}
	}
	p.batch, p.load, p.batchDue = p.batch[:0], 0, world.Never
}

// frame makes a frame of a part of a batch, and sets the timer for a message that wants an answer.
func (l *Layer) frame(now world.Time, p *peer, x *parcel, out *mechanism.Outbox) frame {
	letter := x.letter
	if x.numbered {
		f := p.flights.at(x.number)
		letter = f.letter
		if f.sent > 0 {
			out.Report(mechanism.Event{Name: mechanism.Repeated, Value: int64(f.sent)})
		}
		f.sent++
		f.at, f.due = now, now+p.trip.wait(&l.cfg)
		l.timers.push(f.due, timer{f.due, p, x.number})
	}
	return frame{
		mode:    letter.mode,
		class:   letter.class,
		opening: x.numbered && !p.known,
		number:  x.number,
		since:   x.number - p.first,
		stamp:   letter.stamp,
		payload: l.bodies.get(letter.body),
	}
}

// datagram is written frame by frame. The last frame is held back until it is known whether another one follows it, since
// a datagram's last message needs no length.
type datagram struct {
	buf     []byte
	class   mechanism.Class
	stamped bool
	last    frame
	held    bool
	written int  // messages before the one held back
	sent    bool // one has gone
}

// add appends a message, in a new datagram where the current one has no room for it.
func (d *datagram) add(p *peer, f frame, out *mechanism.Outbox) {
	if d.held {
		if len(d.buf)+len(d.last.payload)+len(f.payload)+2*headerMax > datagramMax {
			d.end(p, out)
		} else {
			d.buf = d.last.append(d.buf, false, d.stamped)
			d.written++
		}
	}
	d.last, d.held = f, true
}

// end sends what has been written.
func (d *datagram) end(p *peer, out *mechanism.Outbox) {
	if d.held {
		d.buf = d.last.append(d.buf, true, d.stamped)
		d.class = d.last.class
		if d.written > 0 {
			d.class = mechanism.Bundle
		}
	}
	if len(d.buf) > 0 {
		out.Send(p.id, d.class, d.buf)
		d.sent = true
	}
	d.buf, d.held, d.written = d.buf[:0], false, 0
}

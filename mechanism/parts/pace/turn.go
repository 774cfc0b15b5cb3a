package pace

import "throng/world"

// Turn is when a client is told something that would be told something in every interval: while its server has slowed down it is only
// in some of them. The zero Turn has come.
type Turn struct{ due world.Time }

// Comes reports whether it is a client's turn, once in an interval, and if so when the next one is. Nobody is served at another time of
// an interval than before, at which the client's own messages are at hand.
func (p *Pace) Comes(t *Turn, now, interval world.Time, client uint32) bool {
	switch {
	case p.Level() == 0:
		t.due = now + interval
	case t.due > now+interval/2:
		return false
	default:
		every := p.Stretch(interval)
		if t.due += every; t.due < now { // long overdue, as others are, no doubt
			t.due = now + part(every, client)
		}
	}
	return true
}

// Retime has a client be served after the time that is right from now on, where it was another. All wait for as much longer or shorter as
// that is: as evenly as their turns came before they come after.
func (p *Pace) Retime(t *Turn, now, before, interval world.Time) {
	if wait := t.due - now; wait > 0 {
		t.due = now + wait*p.Stretch(interval)/before
	}
}

// part is some part of a time, another for each client, by which they are kept apart.
func part(t world.Time, client uint32) world.Time {
	const even = 0x9e3779b9 // spreads clients that follow each other evenly
	return t * world.Time(client*even>>16) >> 16
}

package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// past is how an area that a client simulates was at the ends of the latest turns. Of what its neighbours have heard of it, a
// client that simulates both needs no more than to be told when that was.
type past struct {
	states [pastTurns]*world.State
	first  turn.Number // at whose end it is known
	next   turn.Number // that has not ended
}

// pastTurns is how many turns are remembered.
const pastTurns = 32

func (p *past) begin(next turn.Number) { p.first, p.next = next, next }

// add takes how the area is at the end of the next turn.
func (p *past) add(s *world.State) {
	at := &p.states[p.next%pastTurns]
	if *at == nil {
		*at = s.Clone()
	} else {
		(*at).CopyFrom(s)
	}
	p.next++
}

// at returns the area at the end of a turn, or nil; then it reports whether that may still come.
func (p *past) at(n turn.Number) (s *world.State, coming bool) {
	if n >= p.next {
		return nil, true
	}
	if n < p.first || n < p.next-pastTurns {
		return nil, false
	}
	return p.states[n%pastTurns], false
}

// remember keeps how the area is at the end of a turn, where another area may need it.
func (x *region) remember() {
	if x.client.view.areas > 1 {
		x.past.add(x.replica.state())
		return
	}
	x.past.begin(x.client.pace.Of(x.replica.tick()))
}

// complete adds to the orders of a turn what is to be had from other areas that the client simulates. It reports false while
// these have not come far enough. Where one of them is no longer simulated, this one cannot be either.
func (x *region) complete(now world.Time, out *mechanism.Outbox) bool {
	o := &x.queue[0]
	if !o.there {
		return true
	}
	state := x.replica.state()
	if _, sound := x.scratch.read(state.Schema(), o.border, state); !sound {
		x.resign(now, out)
		return false
	}
	for i := range x.scratch.items {
		item := &x.scratch.items[i]
		if item.from.area == 0 {
			continue
		}
		if item.from.area > len(x.client.regions) {
			x.resign(now, out)
			return false
		}
		other := &x.client.regions[item.from.area-1]
		s, coming := other.past.at(item.from.turn)
		if coming && other.replica != nil {
			return false
		}
		if s == nil || s.Get(item.id) == nil {
			x.resign(now, out)
			return false
		}
		item.object = *x.replica.since(s.Get(item.id), item.from.turn, x.client.pace.Of(x.replica.tick()), false)
	}
	full := x.client.config.Borders == fullBorders
	o.border = x.scratch.append(o.border[:0], state, full, nil)
	o.there = false
	return true
}

// resigned is the event of an area that a client gives up since it lacks what it needs to go on.
const resigned = "resigned"

// resign gives up an area that cannot be simulated any longer. It may be chosen again.
func (x *region) resign(now world.Time, out *mechanism.Outbox) {
	for i := range x.queued {
		x.tellOf(&x.queue[i], out)
	}
	x.queued = 0
	x.cease(now, out)
	x.sayWish(now, wishResign, out)
	out.Report(mechanism.Event{Name: resigned})
}

// tellAlso tells servers that the client simulates another area from a turn on, or no longer does if that is zero: those of the
// areas that it simulates, since they need tell it less, and the others, since they need not tell it what it sees from there.
// What it begins with all know.
func (n *client) tellAlso(other int, from turn.Number) {
	for i := range n.regions {
		x := &n.regions[i]
		if i == other || x.replica == nil && !n.begun {
			continue
		}
		n.also = append(n.also, also{i, other, from})
		if from > 0 && x.replica != nil {
			n.also = append(n.also, also{other, i, x.last + 2})
		}
	}
}

// also is something to be told: to the server of an area, about another one.
type also struct {
	to, other int
	from      turn.Number
}

// sayAlso tells it.
func (n *client) sayAlso(now world.Time, out *mechanism.Outbox) {
	for _, a := range n.also {
		if !n.regions[a.to].presence.Member() {
			continue // it is told when it lets the client in
		}
		n.buf = appendAlso(n.buf[:0], a.other, a.from)
		n.links.Send(now, n.regions[a.to].server, mechanism.Control, n.buf, link.Ordered, out)
	}
	n.also = n.also[:0]
}

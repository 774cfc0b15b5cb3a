package relay

import (
	"cmp"
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// The server has no world of its own: newcomers are told of it by another client, their guide. What they ask and what they are
// told goes through the server, since clients need not be able to reach one another, nor be reached by whom they do not know.
// So it is also the server that sees to it that nobody asks too much, or is told what they did not ask for.

const (
	routesMax   = 64                      // newcomers who are told at a time; others have to wait
	routeLasts  = 5 * world.Second        // how long after somebody has last asked
	askPause    = 5 * world.Millisecond   // between two asks of a newcomer
	askLapse    = world.Second            // how long after an ask somebody is taken not to know the world
	askGrants   = 32                      // how many chunks a guide may send for each
	chunkMax    = 1200                    // how long one may be
	aloneRounds = 8                       // how often a newcomer has to ask in vain before it begins the world again
	aloneEvery  = 400 * world.Millisecond // how much time has to pass between these
)

// route is through whom a newcomer is told of the world.
type route struct {
	newcomer, guide mechanism.NodeID
	grants          int        // how many more chunks may go to the newcomer
	asked           world.Time // when it last did
}

// takeAsk passes a newcomer's ask on to its guide. One who begins to ask gets another guide than before.
func (n *server) takeAsk(now world.Time, m *member, ask []byte, out *mechanism.Outbox) (sound bool) {
	first, sound := latejoin.Begins(ask)
	if !sound {
		return false
	}
	m.asked = now
	n.routes = slices.DeleteFunc(n.routes, func(x route) bool { return now-x.asked > routeLasts })
	i := slices.IndexFunc(n.routes, func(x route) bool { return x.newcomer == m.Node })
	switch {
	case i >= 0 && now-n.routes[i].asked < askPause:
		return true
	case i < 0 && len(n.routes) == routesMax:
		return n.decline(now, m, ask, out)
	case i < 0:
		i = len(n.routes)
		n.routes = append(n.routes, route{newcomer: m.Node})
		first = true
	}
	x := &n.routes[i]
	x.asked = now
	if first {
		x.guide = n.nextGuide(now, m.Node, cmp.Or(x.guide, m.Node)) // the one after itself, to begin with
	}
	if x.guide == 0 || n.members.At(x.guide) == nil {
		n.alone(now, m, out)
		return n.decline(now, m, ask, out)
	}
	m.alone, x.grants = 0, askGrants
	n.buf = append(wire.AppendUint(append(n.buf[:0], kindGuide), uint64(m.Node)), ask...)
	n.link.Send(now, x.guide, mechanism.Control, n.buf, link.Unreliable, out)
	return true
}

// guides reports whether somebody can tell others of the world. Whoever has lost it asks for it time and again; an ask that was
// overtaken by the news that they have it counts for a moment only.
func (m *member) guides(now world.Time) bool { return m.knows && now > m.asked+askLapse }

// nextGuide is who knows the world and comes after one, in turn; zero if nobody does.
func (n *server) nextGuide(now world.Time, newcomer, last mechanism.NodeID) (guide mechanism.NodeID) {
	for _, m := range n.members.All() {
		if !m.guides(now) || m.Node == newcomer {
			continue
		}
		if m.Node > last {
			return m.Node
		}
		if guide == 0 {
			guide = m.Node
		}
	}
	return guide
}

// decline tells a newcomer that it has to ask again.
func (n *server) decline(now world.Time, m *member, ask []byte, out *mechanism.Outbox) (sound bool) {
	return n.none.Answer(now, m.Node, ask, nil, func(chunk []byte) {
		n.link.Send(now, m.Node, mechanism.Snapshot, chunk, link.Unreliable, out)
	})
}

// alone has the first of the newcomers begin the world again if nobody is left who knows it, or at once if nobody ever has.
func (n *server) alone(now world.Time, m *member, out *mechanism.Outbox) {
	if n.members.All()[0] != m || slices.ContainsFunc(n.members.All(), func(x *member) bool { return x.guides(now) }) {
		m.alone = 0
		return
	}
	if now >= m.aloneAt {
		m.aloneAt = now + aloneEvery
		m.alone++
	}
	if !n.begun {
		n.begun, m.alone = true, aloneRounds
	}
	if m.alone >= aloneRounds {
		n.buf = appendEpoch(n.buf[:0], kindBegin, m.Identity.Number())
		n.link.Send(now, m.Node, mechanism.Control, n.buf, link.Unreliable, out)
	}
}

// takePart passes on what a guide tells a newcomer.
func (n *server) takePart(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	newcomer := mechanism.NodeID(r.UintMax(1<<32 - 1))
	chunk := r.Rest()
	if r.Failed() || len(chunk) > chunkMax {
		return false
	}
	i := slices.IndexFunc(n.routes, func(x route) bool { return x.newcomer == newcomer && x.guide == from && x.grants > 0 })
	if i >= 0 {
		n.routes[i].grants--
		n.link.Send(now, newcomer, mechanism.Snapshot, chunk, link.Unreliable, out)
	}
	return true
}

package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// compare holds a client's replica against the server's at the beginning of a turn, once both are known. A client whose replica
// differs is told how the server's was, and is not waited for while it repairs its own.
func (n *server) compare(now world.Time, m *member, t turn.Number, out *mechanism.Outbox) {
	right, known := n.hashes.Get(t)
	claim, claimed := m.claims.Get(t)
	switch {
	case !known || !claimed || m.phase != playing:
	case claim == right:
		m.agreed = t
	default:
		d := differs{tick: n.pace.First(t), hashes: n.hashesUpTo(n.pace.First(t))}
		n.message = d.append(n.message[:0])
		n.link.Send(now, m.Node, mechanism.Control, n.message, link.Ordered, out)
		n.dismiss(m)
		m.differed, m.guide = now, latejoin.Guide{}
	}
}

// hashesUpTo are the fingerprints of the server's replica at the ticks kept, up to one.
func (n *server) hashesUpTo(tick world.Tick) []uint64 {
	var hashes []uint64
	for t := max(n.trail.first, tick-world.Tick(n.config.Check)*n.pace.Ticks+1); t <= tick; t++ {
		if s := n.trail.get(t); s != nil {
			hashes = append(hashes, s.Hash())
		}
	}
	return hashes
}

// agreed is the last turn at whose beginning all replicas are known to have been equal, and before which nobody needs past
// states any more.
func (n *server) agreed(now world.Time) turn.Number {
	agreed := n.pace.Of(n.tick())
	for _, m := range n.members.All() {
		repairs := m.phase == absent && now-m.differed < n.config.Patience
		if n.config.Check > 0 && (m.phase == playing || repairs) {
			agreed = min(agreed, m.agreed)
		}
	}
	n.trail.trim(n.pace.First(agreed))
	return agreed
}

package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/arrival"
	"throng/mechanism/link"
	"throng/mechanism/turn"
	"throng/world"
	"throng/world/wire"
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
		n.link.Send(now, m.node, mechanism.Control, n.message, link.Ordered, out)
		n.dismiss(m)
		m.differed, m.guide = now, arrival.Guide{}
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
	for _, m := range n.members.list {
		repairs := m.phase == absent && now-m.differed < n.config.Patience
		if n.config.Check > 0 && (m.phase == playing || repairs) {
			agreed = min(agreed, m.agreed)
		}
	}
	n.trail.trim(n.pace.First(agreed))
	return agreed
}

// receivePing tells a client the time.
func (n *server) receivePing(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	p := readPing(r)
	if r.Done() != nil {
		return false
	}
	m := n.members.get(from)
	if m != nil && p.oneWay > 0 {
		if m.oneWay == 0 {
			n.delaysAt = min(n.delaysAt, now+delaysSoon)
		}
		m.oneWay = p.oneWay
	}
	answer := pong{stamp: p.stamp, now: now, member: m != nil && m.phase != absent}
	n.message = answer.append(n.message[:0])
	n.link.Send(now, from, mechanism.Control, n.message, link.Unreliable, out)
	return true
}

// delaysSoon is how long others have to measure their round trips before delays are chosen for the first time.
const delaysSoon = world.Second

// chooseDelays has everybody's actions wait for as long as the way to the server and back takes, and tells who is concerned.
func (n *server) chooseDelays(now world.Time, out *mechanism.Outbox) {
	n.delaysAt = now + turn.LatencyEvery
	delays := make([]turn.Number, 0, len(n.members.list))
	for _, m := range n.members.list {
		switch {
		case m.phase == absent:
			delays = append(delays, 1)
		case m.oneWay == 0:
			delays = append(delays, m.delay)
		default:
			delays = append(delays, min(1+turn.Delay(m.oneWay, n.pace.Length()), delayMax))
		}
	}
	turn.Fair(delays, turn.Number(n.config.Fairness))
	n.advances.SetDelay(serverID, turn.Number(n.config.Delay))
	for i, m := range n.members.list {
		if m.phase == absent {
			continue
		}
		n.follow(delays[i])
		if m.delay == delays[i] {
			continue
		}
		m.delay = delays[i]
		n.advances.SetDelay(m.node, m.delay)
		n.message = wire.AppendUint(append(n.message[:0], kindDelay), uint64(m.delay))
		n.link.Send(now, m.node, mechanism.Control, n.message, link.Ordered, out)
	}
}

// follow lets the server close turns as far ahead as a client's delay asks for.
func (n *server) follow(delay turn.Number) {
	if delay > n.advances.Delay(serverID) {
		n.advances.SetDelay(serverID, delay)
	}
}

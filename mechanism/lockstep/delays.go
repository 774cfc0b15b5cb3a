package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// receivePing tells a client the time.
func (n *server) receivePing(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	p := readPing(r)
	if r.Done() != nil {
		return false
	}
	m := n.members.At(from)
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

// chooseDelays has everybody's actions wait for as long as it takes them to get to the server and from there to the farthest
// client, without whom nobody goes on, and tells who is concerned.
func (n *server) chooseDelays(now world.Time, out *mechanism.Outbox) {
	n.delaysAt = now + turn.LatencyEvery
	farthest := world.Time(0)
	for _, m := range n.members.All() {
		if m.phase != absent {
			farthest = max(farthest, m.oneWay)
		}
	}
	delays := make([]turn.Number, 0, len(n.members.All()))
	for _, m := range n.members.All() {
		switch {
		case m.phase == absent:
			delays = append(delays, 1)
		case m.oneWay == 0:
			delays = append(delays, m.delay)
		default:
			delays = append(delays, min(1+turn.Between(m.oneWay, farthest, n.pace.Length()), delayMax))
		}
	}
	turn.Fair(delays, turn.Number(n.config.Fairness))
	n.advances.SetDelay(star.Server, turn.Number(n.config.Delay))
	for i, m := range n.members.All() {
		if m.phase == absent {
			continue
		}
		n.follow(delays[i])
		if m.delay == delays[i] {
			continue
		}
		m.delay = delays[i]
		n.advances.SetDelay(m.Node, m.delay)
		n.message = wire.AppendUint(append(n.message[:0], kindDelay), uint64(m.delay))
		n.link.Send(now, m.Node, mechanism.Control, n.message, link.Ordered, out)
	}
}

// follow lets the server close turns as far ahead as a client's delay asks for.
func (n *server) follow(delay turn.Number) {
	if delay > n.advances.Delay(star.Server) {
		n.advances.SetDelay(star.Server, delay)
	}
}

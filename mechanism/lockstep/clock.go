package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

const (
	pingEvery = 250 * world.Millisecond // while round trips are measured
	pingsMax  = 8                       // how many at a time
	waitMax   = world.Second            // a client that waits for longer than this asks whether it is still taken for there
)

// clock is how a client measures how far the server is away, and how much its clock differs.
type clock struct {
	latency turn.Latency
	synced  bool       // whether the server has ever answered
	pinged  world.Time // when it was last asked
	pingAt  world.Time // when it is to be asked next
	pings   int        // how often it has been asked this time
}

// pingDue is when the server has to be asked at the latest. Usually that goes with the receipt of a turn.
func (n *client) pingDue() world.Time {
	switch {
	case n.presence.Left():
		return world.Never
	case !n.synced:
		return n.pinged + pingEvery
	case n.phase == listening, n.phase == playing && n.missing():
		return max(n.last, n.pinged, n.heeded) + waitMax
	}
	return world.Never
}

// ping asks the server for its time.
func (n *client) ping(now world.Time, out *mechanism.Outbox) {
	n.pinged, n.pingAt = now, now+pingEvery
	if n.pings++; n.pings == pingsMax {
		n.pings, n.pingAt = 0, now+turn.LatencyEvery
	}
	p := ping{stamp: now}
	if n.latency.Known() {
		p.oneWay = max(n.latency.OneWay(), 1)
	}
	n.say(now, mechanism.Control, p.append(n.buf[:0]), link.Unreliable, out)
}

// receivePong takes the server's answer. When the server wrote it, this clock showed something between then and now; as long as
// that leaves room for the clocks to differ by as much as they are taken to, nothing is changed: whoever has the right time
// keeps it to the nanosecond.
func (n *client) receivePong(now world.Time, r *wire.Reader) (sound bool) {
	p := readPong(r)
	if r.Done() != nil {
		return false
	}
	if p.stamp > now || p.stamp < now-world.Minute {
		return true // an earlier holder's, or one that has been lost for long
	}
	n.latency.Add(now - p.stamp)
	n.synced = true
	if least, most := p.now-now, p.now-p.stamp; n.ahead < least || n.ahead > most {
		n.ahead = least + (most-least)/2
	}
	if n.phase >= listening && !p.member && p.stamp >= n.heeded {
		n.fetch() // the server has lost patience
	}
	return true
}

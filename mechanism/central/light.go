package central

import (
	"throng/mechanism"
	"throng/mechanism/update"
	"throng/world"
	"throng/world/wire"
)

// Light is a client that shows nothing: it joins, sends its user's actions and acknowledges what comes, so that the server
// has the same work with it as with any other. A load test runs thousands of them for what a few whole clients cost.
//
// It reads an update no further than its preface, and wakes only when it has something to say.
type Light struct{ line }

// NewLight returns a light client for a place.
func (c *Config) NewLight(s *mechanism.Session, p mechanism.Place) *Light {
	return &Light{newLine(c, s, p)}
}

// Wake says what is due.
func (n *Light) Wake(now world.Time, out *mechanism.Outbox) {
	if n.presence == asleep || n.lost(now) {
		n.join(now, out)
	}
	n.speak(now, out)
	n.sleep(out)
}

func (n *Light) sleep(out *mechanism.Outbox) {
	next := n.due()
	if n.presence == joined {
		next = min(next, n.heard+n.config.Timeout+1)
	}
	out.WakeAt(next)
}

// Act tells the server what the user does.
func (n *Light) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	if n.presence != joined || n.pending.full() || a.Verb == world.Enter || a.Verb == world.Leave {
		return
	}
	n.acted = now
	n.pending.add(&a, 0, false)
	n.sayInput(now, out)
	n.sleep(out)
}

// Receive takes note of an update.
func (n *Light) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != server || n.presence == asleep || n.presence == left {
		return
	}
	r := wire.NewReader(m.Payload)
	if r.Byte() != kindUpdate {
		return
	}
	p := readPreface(&r)
	if r.Failed() || p.tag != n.epoch.tag() || n.from.Judge(p.header) != update.Good {
		return
	}
	n.from.Accept(p.header)
	n.hear(now)
	for n.pending.answered(p.seq) {
		n.pending.take()
	}
	n.sleep(out)
}

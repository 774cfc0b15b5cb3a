package central

import (
	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/update"
	"throng/world"
)

var _ mechanism.Lingering = (*Light)(nil)

// Light is a client that shows nothing: it joins, sends its user's actions and acknowledges what comes, so that the server
// has the same work with it as with any other. A load test runs thousands of them for what a few whole clients cost.
//
// It reads an update no further than its preface, and wakes only when it has something to say.
type Light struct{ input.Client }

// NewLight implements mechanism.Lightening.
func (c *Config) NewLight(s *mechanism.Session, p mechanism.Place) mechanism.LightClient {
	return &Light{input.NewClient(c.times(), s, p.User, server, true)}
}

// Interval implements mechanism.Paced.
func (c *Config) Interval() world.Time {
	if c.Rate <= 0 {
		return 0
	}
	return world.Second / world.Time(c.Rate)
}

// Wake says what is due.
func (n *Light) Wake(now world.Time, out *mechanism.Outbox) {
	if n.Idle() || n.Lost(now) {
		n.Join(now, out)
	}
	n.Speak(now, out)
	n.sleep(out)
}

func (n *Light) sleep(out *mechanism.Outbox) {
	out.WakeAt(min(n.Due(), n.LostAt()))
}

// Leave says goodbye, and again until the server has heard it.
func (n *Light) Leave(now world.Time, out *mechanism.Outbox) {
	n.Client.Leave(now, out)
	n.sleep(out)
}

// Act tells the server what the user does.
func (n *Light) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	if !n.Ready() || n.Pending.Full() || a.Verb == world.Enter || a.Verb == world.Leave {
		return
	}
	n.Client.Act(now, &a, 0, false, out)
	n.sleep(out)
}

// Receive takes note of an update.
func (n *Light) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != server {
		return
	}
	p, verdict := n.ReadPreface(m.Payload)
	if verdict == update.Good {
		n.From.Accept(p.Header)
		n.Hear(now, &p)
		for n.Pending.Answered(p.Seq) {
			n.Pending.Take()
		}
	}
	n.sleep(out)
}

package mechanism_test

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// Whatever a driver does, in whatever order and at whatever times, a node sees what it was promised.
func TestPromisesHoldForAnyDriver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, c := setup()
		n.Joined = rapid.Bool().Draw(t, "ready")
		c.Start = world.Time(rapid.IntRange(-50, 50).Draw(t, "start")) * ms
		c.Player = &restless{}
		w := witness{t: t, Puppet: n, asked: c.Start}
		c.Node = &w
		m := mechanism.NewMachine(c)
		var out mechanism.Outbox
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			now := world.Time(rapid.IntRange(-60, 300).Draw(t, "now")) * ms
			n.OnWake = func(now world.Time, out *mechanism.Outbox) { w.ask(now, out) }
			n.OnReceive = func(now world.Time, _ mechanism.Message, out *mechanism.Outbox) { w.ask(now, out) }
			switch rapid.IntRange(0, 6).Draw(t, "call") {
			case 0, 1, 2:
				for _, a := range m.Advance(now, &out) {
					m.Act(now, a, &out)
				}
			case 3, 4:
				m.Receive(now, letter("x"), &out)
			case 5:
				n.Joined = true
			case 6:
				if rapid.IntRange(0, 9).Draw(t, "leave") == 0 {
					w.left = m.Leave(now, &out)
				}
			}
			if rapid.Bool().Draw(t, "empties") {
				out.Reset()
			}
		}
	})
}

// witness checks the promises on behalf of a node.
type witness struct {
	t *rapid.T
	*mechanismtest.Puppet
	now   world.Time
	asked world.Time // when it is to be woken
	woken bool
	left  bool
	seq   uint32
}

func (w *witness) Ready() bool { return w.Puppet.Ready() }

func (w *witness) check(what string, now world.Time) {
	switch {
	case w.left:
		w.t.Fatalf("%s after the end", what)
	case !w.woken:
		w.t.Fatalf("%s before the first wake-up", what)
	case now < w.now:
		w.t.Fatalf("%s at %v after %v", what, now, w.now)
	}
	w.now = now
}

// ask has it woken at some time, not at all, or as before.
func (w *witness) ask(now world.Time, out *mechanism.Outbox) {
	switch rapid.IntRange(0, 3).Draw(w.t, "asks") {
	case 0, 1:
		w.asked = now + world.Time(rapid.IntRange(-20, 60).Draw(w.t, "when"))*ms
		out.WakeAt(w.asked)
	case 2:
		w.asked = world.Never
		out.WakeAt(w.asked)
	}
}

func (w *witness) Wake(now world.Time, out *mechanism.Outbox) {
	if now < w.asked || w.asked == world.Never {
		w.t.Fatalf("woken at %v instead of %v", now, w.asked)
	}
	if !w.woken {
		w.woken, w.now = true, now
	}
	w.check("woken", now)
	w.asked = world.Never
	w.Puppet.Wake(now, out)
}

func (w *witness) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	w.check("a datagram", now)
	w.Puppet.Receive(now, m, out)
}

func (w *witness) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	w.check("an action", now)
	if w.seq++; a.Seq != w.seq || a.User != 5 || !w.Joined {
		w.t.Fatalf("action %d of user %d instead of %d; ready %t", a.Seq, a.User, w.seq, w.Joined)
	}
	w.Puppet.Act(now, a, out)
}

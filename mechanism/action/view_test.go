package action

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

// TestOthersDoNotWriteOverWhatIsPending: what the user has done shows until it has returned, whatever becomes certain of the same
// object meanwhile.
func TestOthersDoNotWriteOverWhatIsPending(t *testing.T) {
	w := newTangle(2, 3)
	w.still = true
	r, _ := newRun(t, w, func(c *Config) { c.Look, c.Patience = world.Minute, 2*world.Minute })
	c := clientOf(r, 1)
	r.Act(1, mixes(1, 0b100, 0b100))
	own := *c.View().Get(3)
	if own.Attr[number] == 0 {
		t.Fatal("the action did nothing")
	}
	for _, id := range []world.ID{3, 2} {
		o := *c.stable.latest.Get(id)
		o.Attr[number] = 4711
		c.hold(id, 1, &o)
	}
	if got := *c.View().Get(3); got != own {
		t.Errorf("the view shows %+v instead of what the user did", got)
	}
	if c.View().Get(2).Attr[number] != 4711 || c.stable.latest.Get(3).Attr[number] != 4711 {
		t.Error("what is certain is not held, or not shown where nothing is pending")
	}
}

// TestReconciliationRedoesAllThatIsPending: somebody else was first at an object that the user has done several things to. When
// that turns out, the view starts from what is certain, and everything that has not returned is done to it again, in order.
func TestReconciliationRedoesAllThatIsPending(t *testing.T) {
	w := newTangle(2, 3)
	w.still = true
	r, _ := newRun(t, w, func(c *Config) {
		c.Protocol, c.Audit, c.Look, c.Patience = Incomplete, 0, world.Minute, 2*world.Minute
	})
	c := clientOf(r, 1)
	redone := 0
	r.Observe = func(call *mechanismtest.Call) {
		for _, e := range call.Out.Events() {
			if e.Name != mechanism.Reconciled || call.Node != star.NodeOf(1) {
				continue
			}
			redone = max(redone, len(c.pending.entries))
			s := world.NewState(w.Schema(), r.Session.Start.Seed())
			for id := world.ID(1); id <= 3; id++ {
				s.Put(*c.stable.latest.Get(id))
			}
			window := world.NewWindow(s)
			for _, p := range c.pending.entries {
				window.Do(w, &p.Action)
			}
			if got, want := c.View().Get(3).Attr[number], s.Get(3).Attr[number]; got != want {
				t.Errorf("with %d pending, the view shows %d instead of %d", len(c.pending.entries), got, want)
			}
		}
	}
	r.Act(2, mixes(2, 0b100, 0b100))
	r.Advance(5 * ms)
	for i := range int64(4) {
		r.Act(1, world.Action{Verb: mix, Args: [world.MaxArgs]int64{0b100, 0b100, 100 + 7*i}})
		r.Advance(2 * ms)
	}
	r.Advance(world.Second)
	if redone < 2 {
		t.Errorf("at most %d actions were redone: this test tests nothing", redone)
	}
}

// TestLateNewsIsNotHeldForCertain: a client may have had so much to do that the server has given it up by the time it comes to what
// the server told it. It must not hold that for certain, even if it is told before it is woken.
func TestLateNewsIsNotHeldForCertain(t *testing.T) {
	w := newTangle(1, 2)
	w.still = true
	const look, patience = world.Second, 4 * world.Second
	for _, x := range []struct {
		at   world.Time
		held bool
	}{{patience / 2, true}, {patience, false}} {
		r, _ := newRun(t, w, func(c *Config) { c.Protocol, c.Look, c.Patience = Incomplete, look, patience })
		r.Advance(look / 2) // the first look is answered
		c := clientOf(r, 1)
		r.Act(1, mixes(1, 0b01, 0b01))
		var told mechanism.Message
		r.Observe = func(call *mechanismtest.Call) {
			for i := range call.Out.Sends() {
				if m := call.Out.Message(i, call.Node); m.To == star.NodeOf(1) && m.Class == mechanism.Command && told.To == 0 {
					told = mechanism.Message{From: m.From, To: m.To, Class: m.Class, Payload: append([]byte(nil), m.Payload...)}
				}
			}
		}
		r.Network = func(m mechanism.Message) (world.Time, bool) { return 20 * ms, m.To == star.NodeOf(1) }
		r.Advance(30 * ms)
		if told.To == 0 {
			t.Fatal("the server has said nothing")
		}
		var out mechanism.Outbox
		c.Receive(x.at, told, &out)
		if held := c.stable.latest.Get(1).Attr[number] != 0; held != x.held || c.Ready() != x.held {
			t.Errorf("after %v: certain is %t, is a member %t", x.at, held, c.Ready())
		}
	}
}

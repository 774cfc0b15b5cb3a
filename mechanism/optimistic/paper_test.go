package optimistic

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
	"throng/world"
)

// One test for each claim that Adam makes of its optimistic consistency, with the section it stands in.

// paperRig is a run in a world of strips, with every datagram kept in sight.
func paperRig(t *testing.T, users world.User, dots int, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	cfg := param.Default[Config]()
	if change != nil {
		change(&cfg)
	}
	r, err := mechanismtest.NewRig(&cfg, newStrip(users, dots), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Start()
	return r
}

// text is what a user's strip says.
func text(r *mechanismtest.Rig, id mechanism.NodeID) int64 {
	return r.Client(id).View().Get(1).Attr[attrText]
}

// IV.2, second paragraph: acknowledged messages with selective repeat; the time-out can be set; every message arrives at
// some point, if late.
func TestPaperReliableCommunication(t *testing.T) {
	for _, timeout := range []world.Time{100 * ms, 250 * ms} {
		r := paperRig(t, 2, 0, func(c *Config) { c.Link.Timeout = timeout })
		for digit := int64(1); digit <= 3; digit++ {
			r.Act(1, write(digit))
		}
		r.Drop(1) // the second of three
		for len(r.Flights()) > 0 {
			r.Deliver(0)
		}
		if got := text(r, 2); got != 13 {
			t.Fatalf("the others say %d", got)
		}
		r.Advance(timeout - 1)
		if n := len(r.Flights()); n != 0 {
			t.Fatalf("%d datagrams before the time-out of %v", n, timeout)
		}
		r.Advance(1)
		if n := len(r.Flights()); n != 1 {
			t.Fatalf("%d datagrams at the time-out of %v, not one", n, timeout)
		}
		r.Deliver(0)
		if got := text(r, 2); got != 123 {
			t.Errorf("when the repetition has come, it says %d", got)
		}
	}
}

// IV.2, third paragraph: several messages to one host are packed into one package; the first of them is delayed for the
// batching time-out.
func TestPaperBatching(t *testing.T) {
	r := paperRig(t, 3, 0, func(c *Config) { c.Link.Batching = 120 * ms })
	for digit := int64(1); digit <= 3; digit++ {
		r.Act(1, write(digit))
		r.Advance(50 * ms)
		want := 0
		if r.Now() > 120*ms {
			want = 2 // one to each of the others
		}
		if n := len(r.Flights()); n != want {
			t.Fatalf("%d datagrams at %v, not %d", n, r.Now(), want)
		}
	}
	for len(r.Flights()) > 0 {
		r.Deliver(0)
	}
	if a, b := text(r, 2), text(r, 3); a != 123 || b != 123 {
		t.Errorf("the others say %d and %d", a, b)
	}
}

// IV.2, fourth paragraph: late messages are not discarded but added to the history at their time-slot, and the view is
// rolled back to it and computed again.
func TestPaperRollback(t *testing.T) {
	r := paperRig(t, 2, 0, nil)
	r.Act(1, write(1))
	r.Advance(10 * world.Second)
	r.Act(2, write(2))
	for len(r.Flights()) > 0 {
		r.Deliver(0)
	}
	if got := text(r, 2); got != 12 {
		t.Errorf("after ten seconds, the late action stands as %d", got)
	}
	actions := []timed{{0, write(1)}, {200, write(2)}}
	actions[0].action.User, actions[1].action.User = 1, 2
	if want := straight(r.Session, actions, 200); r.Client(2).View().Hash() != want.Hash() {
		t.Error("the world is not as if the action had come in time")
	}
}

// IV.2, fourth paragraph: eight trailing states, spaced in decreasing density up to 25 seconds; number and spacing can be
// adjusted.
func TestPaperTrailingStates(t *testing.T) {
	for _, c := range []struct {
		states  int
		history world.Time
	}{{8, 25 * world.Second}, {8, 10 * world.Second}, {16, 25 * world.Second}} {
		r := paperRig(t, 1, 0, func(cfg *Config) {
			if d := param.Default[Config](); d.States != 8 || d.History != 25*world.Second {
				t.Fatalf("the default is %d states over %v", d.States, d.History)
			}
			cfg.States, cfg.History = c.states, c.history
		})
		r.Advance(3 * c.history)
		points := &r.Node(1).(*node).checkpoints
		states := points.states
		if len(states) != c.states {
			t.Errorf("%d states, not %d", len(states), c.states)
		}
		tick := r.World.Schema().Tick
		if age := r.Now() - mechanism.TimeOf(points.oldest(), tick); age < c.history || age > 2*c.history {
			t.Errorf("the oldest of %d states is %v old, of %v", c.states, age, c.history)
		}
		half := len(states) / 2 // the younger half spans less than the older
		if old, young := points.tick(half)-points.oldest(), points.tick(len(states)-1)-points.tick(half); young >= old/2 {
			t.Errorf("the older half spans %d ticks, the younger %d", old, young)
		}
	}
}

// IV.2, fifth paragraph: only what users do is transmitted, never the state of anything.
func TestPaperOnlyInputIsSent(t *testing.T) {
	var sizes [2]int
	for i, dots := range []int{0, 1000} {
		r := paperRig(t, 2, dots, nil)
		r.Network = mechanismtest.Constant(100 * ms)
		sent := 0
		r.Observe = func(c *mechanismtest.Call) {
			for i := range c.Out.Sends() {
				sent += len(c.Out.Message(i, c.Node).Payload)
			}
		}
		r.Advance(world.Second)
		if sent != 0 {
			t.Errorf("%d bytes are sent while nobody acts", sent)
		}
		r.Play(20)
		sizes[i] = sent
	}
	if sizes[0] == 0 || sizes[0] != sizes[1] {
		t.Errorf("%d bytes are sent in a small world, %d in a large one", sizes[0], sizes[1])
	}
}

// IV.2, fifth paragraph: all hosts arrive at the same view eventually.
func TestPaperSameWorldEventually(t *testing.T) {
	r := paperRig(t, 5, 3, nil)
	r.Network = mechanismtest.Constant(170 * ms)
	differed := false
	for range 100 {
		r.Play(1)
		differed = differed || r.Client(1).View().Hash() != r.Client(2).View().Hash()
	}
	if !differed {
		t.Error("the views never differ: there is nothing to arrive at")
	}
	r.Advance(world.Second)
	for _, p := range r.Session.Places {
		if r.Client(p.ID).View().Hash() != r.Client(1).View().Hash() {
			t.Errorf("host %d holds another world", p.ID)
		}
	}
}

// IV.2, sixth paragraph: with local lag, actions are sent at once but applied after a delay, and players can plan for it.
func TestPaperLocalLag(t *testing.T) {
	r := paperRig(t, 2, 0, func(c *Config) { c.LocalLag = 150 * ms })
	r.Network = mechanismtest.Constant(140 * ms)
	rolledBack := false
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			rolledBack = rolledBack || e.Name == mechanism.Rollback
		}
	}
	if got := mechanism.Lag(r.Client(1)); got != 150*ms {
		t.Errorf("players are told of a lag of %v", got)
	}
	r.Act(1, write(1))
	if n := len(r.Flights()); n != 1 {
		t.Errorf("%d datagrams are sent at once", n)
	}
	for range 3 {
		if a, b := text(r, 1), text(r, 2); a != 0 || b != 0 {
			t.Errorf("at %v the hosts say %d and %d", r.Now(), a, b)
		}
		r.Advance(50 * ms)
	}
	if a, b := text(r, 1), text(r, 2); a != 1 || b != 1 || rolledBack {
		t.Errorf("after the lag the hosts say %d and %d; rolled back: %v", a, b, rolledBack)
	}
}

// IV.2, seventh paragraph: a message younger than the reception delay waits until it has that age.
func TestPaperReceptionDelay(t *testing.T) {
	for _, c := range []struct{ network, shown world.Time }{{20 * ms, 100 * ms}, {80 * ms, 100 * ms}, {130 * ms, 130 * ms}} {
		r := paperRig(t, 2, 0, func(c *Config) { c.Link.ReceptionDelay = 100 * ms })
		r.Network = mechanismtest.Constant(c.network)
		r.Act(1, write(1))
		r.Advance(c.shown - 1)
		if got := text(r, 2); got != 0 {
			t.Errorf("over a network of %v it is shown too early", c.network)
		}
		r.Advance(1)
		if got := text(r, 2); got != 1 {
			t.Errorf("over a network of %v it is not shown after %v", c.network, c.shown)
		}
	}
}

// VIII: the experiments use a time-out of 0.25 s and neither lag nor delays. Here it follows round trips unless told otherwise.
func TestPaperDefaults(t *testing.T) {
	want := Config{Link: link.Config{Timeout: 250 * ms, Adaptive: true}, States: 8, History: 25 * world.Second}
	if got := param.Default[Config](); got != want {
		t.Errorf("%+v", got)
	}
}

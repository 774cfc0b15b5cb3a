package ideal

import (
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func TestConform(t *testing.T) {
	config := param.Default[Config]()
	mechanismtest.Conform(t, &config, mechanismtest.Options{Agrees: mechanismtest.Exactly})
}

func newRig(t testing.TB, users world.User) *mechanismtest.Rig {
	t.Helper()
	config := param.Default[Config]()
	r, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(users), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Start()
	return r
}

func count(n int64) world.Action {
	return world.Action{Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{n}}
}

func push(x, y fixed.F) world.Action {
	return world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{int64(x), int64(y)}}
}

// Whatever the order in which the actions of a tick arrive, all views are equal at its end.
func TestAnyOrderOfArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := param.Default[Config]()
		r, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(4), 1)
		if err != nil {
			t.Fatal(err)
		}
		r.Start()
		for range 5 {
			for range rapid.IntRange(0, 6).Draw(t, "actions") {
				user := world.User(rapid.IntRange(1, 4).Draw(t, "user"))
				a := count(rapid.Int64Range(1, 100).Draw(t, "n"))
				if rapid.Bool().Draw(t, "push") {
					a = push(fixed.FromInt(rapid.Int64Range(-40, 40).Draw(t, "x")), 0)
				}
				r.Act(user, a)
				for len(r.Flights()) > 0 && rapid.Bool().Draw(t, "deliver") {
					r.Deliver(rapid.IntRange(0, len(r.Flights())-1).Draw(t, "which"))
				}
			}
			for len(r.Flights()) > 0 {
				r.Deliver(rapid.IntRange(0, len(r.Flights())-1).Draw(t, "which"))
			}
			r.Advance(50 * world.Millisecond)
		}
		for id := mechanism.NodeID(2); id <= 4; id++ {
			if r.View(id).Hash() != r.View(1).Hash() {
				t.Fatalf("node %d differs from node 1", id)
			}
		}
	})
}

// An action and the wake-up that begins its tick fall on the same instant; either may come first.
func TestActionBeforeItsTickBegins(t *testing.T) {
	config := param.Default[Config]()
	w := mechanismtest.Marbles(2)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: config.Places(w)}
	var nodes [3]*node
	var out mechanism.Outbox
	for id := 1; id <= 2; id++ {
		nodes[id] = newNode(s, s.Places[id-1])
		nodes[id].Wake(0, &out)
	}
	now := w.Schema().Tick
	nodes[1].Wake(now, &out)
	out.Reset()
	a := count(5)
	a.User, a.Seq = 1, 1
	nodes[1].Act(now, a, &out)
	m := out.Message(0, 1)
	nodes[2].Receive(now, m, &mechanism.Outbox{})
	nodes[2].Wake(now, &out)
	if nodes[1].View().Hash() != nodes[2].View().Hash() {
		t.Error("the views differ")
	}
	if got := nodes[2].View().Get(mechanismtest.TallyOf(w)).Attr[mechanismtest.TallySum]; got != 5 {
		t.Errorf("the tally is %d, want 5", got)
	}
}

func TestReceiveRefuses(t *testing.T) {
	a := count(5)
	a.User, a.Seq = 1, 1
	other := a
	other.User = 2
	wild := a
	wild.Args[0] = 1000
	for _, c := range []struct {
		name  string
		tick  world.Tick
		a     world.Action
		event string
	}{
		{"an action of the past", 0, a, mechanism.Late},
		{"an action of the future", 2, a, mechanism.Late},
		{"somebody else's action", 1, other, mechanism.Malformed},
		{"a number out of range", 1, wild, mechanism.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, 3)
			r.Advance(50 * world.Millisecond)
			before := r.View(3).Hash()
			var got []mechanism.Event
			r.Observe = func(c *mechanismtest.Call) { got = append(got, c.Out.Events()...) }
			r.Give(mechanism.Message{From: 1, To: 3, Class: mechanism.Command, Payload: appendCommand(nil, c.tick, &c.a)})
			if len(got) != 1 || got[0].Name != c.event {
				t.Errorf("reported %v, want %s", got, c.event)
			}
			if r.View(3).Hash() != before {
				t.Error("it changed the view")
			}
		})
	}
}

func TestRepeatedActionCountsOnce(t *testing.T) {
	r := newRig(t, 2)
	r.Act(1, count(5))
	r.Give(r.Flights()[0].Message)
	before := r.View(2).Hash()
	r.Deliver(0)
	if r.View(2).Hash() != before {
		t.Error("the second copy changed the view")
	}
}

func TestBytes(t *testing.T) {
	r := newRig(t, 2)
	before := r.Node(1).(mechanism.Sized).Bytes()
	for range 100 {
		r.Act(1, count(1))
	}
	if after := r.Node(1).(mechanism.Sized).Bytes(); before <= 0 || after <= before {
		t.Errorf("%d bytes, then %d with 100 actions", before, after)
	}
}

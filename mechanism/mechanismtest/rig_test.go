package mechanismtest

import (
	"errors"
	"strings"
	"testing"

	"throng/mechanism"
	"throng/world"
)

func newGossip(t *testing.T) *Rig {
	t.Helper()
	r, err := NewRig(&gossip{}, Marbles(3), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Start()
	return r
}

func TestRigHoldsMessagesUntilTold(t *testing.T) {
	r := newGossip(t)
	r.Act(1, world.Action{Verb: Drop})
	r.Advance(world.Second)
	if n := len(r.Flights()); n != 2 {
		t.Fatalf("%d messages in flight, want 2", n)
	}
	r.Deliver(1)
	r.Drop(0)
	if n := len(r.Flights()); n != 0 {
		t.Fatalf("%d messages in flight, want none", n)
	}
	if r.View(2).Len() == r.View(3).Len() {
		t.Error("the message dropped and the message delivered made no difference")
	}
}

func TestRigDeliversInTime(t *testing.T) {
	r := newGossip(t)
	r.Network = Constant(75 * world.Millisecond)
	var at []world.Time
	r.Observe = func(c *Call) {
		if c.Kind == Receive {
			at = append(at, r.Now())
		}
	}
	r.Act(1, world.Action{Verb: Drop})
	r.Advance(74 * world.Millisecond)
	if len(at) != 0 {
		t.Error("a message was early")
	}
	r.Advance(world.Second)
	if len(at) != 2 || at[0] != 75*world.Millisecond || at[1] != at[0] {
		t.Errorf("messages arrived at %v", at)
	}
	if r.Now() != 1074*world.Millisecond {
		t.Errorf("the time is %v", r.Now())
	}
}

// What falls on one instant: messages as they were sent, then nodes by their IDs.
func TestRigOrderWithinAnInstant(t *testing.T) {
	r := newGossip(t)
	r.Network = Constant(50 * world.Millisecond)
	r.Act(3, world.Action{Verb: Drop})
	r.Act(1, world.Action{Verb: Drop})
	var order []string
	r.Observe = func(c *Call) {
		order = append(order, string("wra"[c.Kind])+string(rune('0'+c.Node)))
	}
	r.Advance(50 * world.Millisecond)
	if got := strings.Join(order, " "); got != "r1 r2 r2 r3 w1 w2 w3" {
		t.Errorf("the order was %s", got)
	}
}

// Everybody is awake before anything arrives, also where nothing takes time.
func TestRigWakesEverybodyFirst(t *testing.T) {
	r, err := NewRig(&greeting{}, Marbles(3), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Network = Constant(0)
	var order []string
	r.Observe = func(c *Call) { order = append(order, string("wra"[c.Kind])+string(rune('0'+c.Node))) }
	r.Start()
	if got := strings.Join(order, " "); got != "w1 w2 w3 w4 r2 r3 r4 r1 r3 r4 r1 r2 r4" {
		t.Errorf("the order was %s", got)
	}
}

// greeting is a mechanism whose nodes greet everybody when they start.
type greeting struct{ gossip }

func (g *greeting) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := g.gossip.NewNode(s, p)
	if client, ok := n.(mechanism.Client); ok {
		n = &greeter{client, s.Others(p.ID)}
	}
	return n, err
}

type greeter struct {
	mechanism.Client
	others []mechanism.NodeID
}

func (n *greeter) Wake(_ world.Time, out *mechanism.Outbox) {
	out.SendAll(n.others, mechanism.Control, []byte("hello"))
}

func TestRigGivesPlacesToOthers(t *testing.T) {
	r := newGossip(t)
	r.Network = Constant(0)
	r.Act(2, world.Action{Verb: Drop})
	r.Leave(2)
	if r.Ready(2) || r.Client(2) != nil {
		t.Error("who has left takes part")
	}
	wakes := r.Wakes(2)
	r.Play(10)
	if r.Wakes(2) != wakes {
		t.Error("who has left is woken")
	}
	if err := r.Join(2); err != nil {
		t.Fatal(err)
	}
	if !r.Ready(2) || r.Wakes(2) != wakes+1 {
		t.Error("who takes the place has not begun")
	}
	if a := r.Act(2, world.Action{Verb: Drop}); a.Seq != 1 {
		t.Errorf("the first action has number %d", a.Seq)
	}
	r.Mechanism = &broken{}
	if r.Join(3) == nil {
		t.Error("a node was built without glue")
	}
}

func TestRigStopsBusyNodes(t *testing.T) {
	r := newGossip(t)
	r.members[0].machine = mechanism.NewMachine(mechanism.MachineConfig{Node: &busy{}, Place: r.Session.Places[0], Session: r.Session})
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "busy") {
			t.Errorf("panic: %q", p)
		}
	}()
	r.Start()
}

// busy asks to be woken at once, for ever.
type busy struct{ mute }

func (*busy) Wake(now world.Time, out *mechanism.Outbox) { out.WakeAt(now) }

// broken cannot build its nodes.
type broken struct{ gossip }

func (*broken) NewNode(*mechanism.Session, mechanism.Place) (mechanism.Node, error) {
	return nil, errors.New("no glue")
}

// deaf builds a node for a user that is no client.
type deaf struct{ gossip }

func (*deaf) NewNode(*mechanism.Session, mechanism.Place) (mechanism.Node, error) {
	return &mute{}, nil
}

func TestNewRigRefuses(t *testing.T) {
	for want, m := range map[string]mechanism.Mechanism{"node 1 (peer): no glue": &broken{}, "node 1 (peer) is user 1's, but no client": &deaf{}} {
		if _, err := NewRig(m, Marbles(2), 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

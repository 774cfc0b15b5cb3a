package check

import (
	"context"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// trusted is a mechanism that promises everything and does what a test says: at the first tick each node reports something, and may move a
// marble in its view.
type trusted struct {
	report  func(id mechanism.NodeID, tick int64) []mechanism.Event
	moves   mechanism.NodeID // whose view is another than everybody else's
	servers int
}

func (m *trusted) Places(w world.World) []mechanism.Place {
	places := mechanism.Peers(w)
	for range m.servers {
		places = append(places, mechanism.Place{ID: mechanism.NodeID(len(places) + 1), Role: "server"})
	}
	return places
}

func (m *trusted) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n := &trustedNode{trusted: m, id: p.ID, tick: s.World.Schema().Tick, view: s.Start.Detach()}
	if p.User == 0 {
		return n, nil
	}
	return &trustedClient{n}, nil
}

// Converges implements mechanism.Converging.
func (m *trusted) Converges(world.Time) world.Time { return world.Second }

type trustedNode struct {
	*trusted
	id   mechanism.NodeID
	tick world.Time
	view *world.State
}

func (n *trustedNode) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}

func (n *trustedNode) Wake(now world.Time, out *mechanism.Outbox) {
	if n.moves == n.id && now == n.tick {
		n.view.Edit(2).Pos.X += fixed.One
	}
	if n.report != nil {
		for _, e := range n.report(n.id, int64(now/n.tick)) {
			out.Report(e)
		}
	}
	out.WakeAt(now + n.tick)
}

type trustedClient struct{ *trustedNode }

func (n *trustedClient) View() *world.State                              { return n.view }
func (n *trustedClient) Act(world.Time, world.Action, *mechanism.Outbox) {}

// verdict runs a mechanism for a second of marbles and another of rest, or none.
func verdict(t *testing.T, m mechanism.Mechanism, rest world.Time) error {
	t.Helper()
	w := mechanismtest.Marbles(3)
	model, err := network.Perfect{}.New(1, len(m.Places(w)))
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: w, Mechanism: m, Network: model, Hosts: param.Default[sim.Config](), Seed: 1, Duration: world.Second, Settle: rest})
	if err != nil {
		t.Fatal(err)
	}
	checks := Attach(run)
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	return checks.Verdict()
}

// once is what one node reports at one tick.
func once(id mechanism.NodeID, tick int64, e mechanism.Event) func(mechanism.NodeID, int64) []mechanism.Event {
	return func(by mechanism.NodeID, at int64) []mechanism.Event {
		if by == id && at == tick {
			return []mechanism.Event{e}
		}
		return nil
	}
}

func TestBrokenPromisesFailARun(t *testing.T) {
	for name, c := range map[string]struct {
		m    trusted
		rest world.Time
		want string // of the verdict; empty if there is nothing to complain of
	}{
		"nothing happens": {rest: world.Second},
		"a message that cannot be read": {
			m:    trusted{report: once(2, 3, mechanism.Event{Name: mechanism.Malformed, Value: 17})},
			want: "node 2 could not read a message of 17 bytes at 150ms"},
		"an action that nobody took": {
			m:    trusted{report: once(3, 10, mechanism.Event{Name: mechanism.Applied, User: 1, Seq: 99})},
			want: "node 3 applied action 99 of user 1 at 500ms, which nobody has taken"},
		"an action before it is taken": {
			m:    trusted{report: once(1, 0, mechanism.Event{Name: mechanism.Applied, User: 2, Seq: 1})},
			want: "node 1 applied action 1 of user 2 at 0s"},
		"an action of nobody":                 {m: trusted{report: once(1, 5, mechanism.Event{Name: mechanism.Applied})}, want: "of user 0"},
		"an action of one who does not exist": {m: trusted{report: once(1, 5, mechanism.Event{Name: mechanism.Applied, User: 4, Seq: 1})}, want: "of user 4"},
		"an action that was taken":            {m: trusted{report: once(1, 15, mechanism.Event{Name: mechanism.Applied, User: 2, Seq: 1})}},
		"views that differ in the end": {
			m: trusted{moves: 3, servers: 1}, rest: world.Second,
			want: "nodes 1 and 3 disagree after 1s of rest: at tick 0 the marble 2 has x = "},
		"views that differ without rest": {m: trusted{moves: 3}},
	} {
		err := verdict(t, &c.m, c.rest)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The first of several is told of, and all that is wrong in different ways.
func TestTheFirstOfEachSortIsToldOf(t *testing.T) {
	m := trusted{moves: 2, report: func(id mechanism.NodeID, tick int64) []mechanism.Event {
		return []mechanism.Event{{Name: mechanism.Malformed, Value: 10*int64(id) + tick}, {Name: mechanism.Applied, User: 1, Seq: 90 + uint32(tick)}}
	}}
	err := verdict(t, &m, world.Second)
	for _, want := range []string{"a message of 10 bytes at 0s", "action 90 of user 1", "nodes 1 and 2 disagree"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d complaints, want 3: %v", n, err)
	}
}

// liar is one of a mechanism in which all actions have one order, and promises that what it holds follows from it.
type liar struct {
	trusted
	lies bool
}

// Serial implements mechanism.Serial.
func (*liar) Serial() {}

func (m *liar) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := m.trusted.NewNode(s, p)
	return &liarNode{n.(*trustedClient), m.lies}, err
}

type liarNode struct {
	*trustedClient
	lies bool
}

// Testify implements mechanism.Ordered.
func (n *liarNode) Testify(w mechanism.Witness) {
	o := *n.view.Get(1)
	if n.lies && n.id == 2 {
		o.Pos.X++
	}
	w.Held(0, 1, &o)
}

func TestWhoPromisesAnOrderIsHeldToIt(t *testing.T) {
	if err := verdict(t, &liar{}, 0); err != nil {
		t.Error(err)
	}
	if err := verdict(t, &liar{lies: true}, 0); err == nil || !strings.Contains(err.Error(), "node 2 holds that after position 0 object 1") {
		t.Errorf("got %v", err)
	}
}

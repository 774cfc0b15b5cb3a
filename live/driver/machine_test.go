package driver

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func check(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

// advance calls a machine when it is due, as a punctual driver does, and stops after a time.
func advance(m *Machine, until world.Time) {
	for m.Due() <= until {
		m.Advance(max(m.Due(), m.Now()))
	}
}

func TestPlayerActsOnceATickAfterTheNode(t *testing.T) {
	n, _, c := setup()
	n.wake = every(50 * ms)
	c.Player = restless{}
	m := NewMachine(c)
	advance(m, 120*ms)
	check(t, "calls", n.log, "0s wake", "0s act 5.1 verb 2", "50ms wake", "50ms act 5.2 verb 2", "100ms wake", "100ms act 5.3 verb 2")
	m.Advance(310 * ms) // four ticks late: nobody acts for the past
	check(t, "late", n.log[6:], "310ms wake", "310ms act 5.4 verb 2")
	if m.Due() != 350*ms {
		t.Errorf("due at %v", m.Due())
	}
	m.Rest()
	n.log = nil
	advance(m, 400*ms)
	check(t, "at rest", n.log, "350ms wake", "400ms wake")
}

func TestNodeThatJoinsActsFromTheNextTickThatFindsItReady(t *testing.T) {
	n, _, c := setup()
	n.ready = false
	c.Player, c.Enter = restless{}, true
	m := NewMachine(c)
	m.Advance(170 * ms)
	if m.Due() != 200*ms || m.Ready() {
		t.Errorf("due at %v, ready: %t", m.Due(), m.Ready())
	}
	advance(m, 210*ms)
	if m.Act(210*ms, world.Action{}) {
		t.Error("a node that is not ready takes an action")
	}
	n.ready = true
	advance(m, 320*ms)
	check(t, "calls", n.log, "170ms wake", "250ms act 5.1 verb 255", "250ms act 5.2 verb 2", "300ms act 5.3 verb 2")
}

// Where a run begins users act as in the lab, whether the network has let their nodes know of others or not.
func TestUserOfTheBeginningActsAtOnce(t *testing.T) {
	n, _, c := setup()
	n.ready = false
	c.Player, c.Original = restless{}, true
	m := NewMachine(c)
	if m.Act(0, world.Action{}) {
		t.Error("an action is taken before the beginning")
	}
	advance(m, 60*ms)
	check(t, "calls", n.log, "0s wake", "0s act 5.1 verb 2", "50ms act 5.2 verb 2")
}

// watcher is a node that wants to know what is on screen.
type watcher struct {
	mechanism.Client
	screens []fixed.Box
}

func (w *watcher) Watch(_ world.Time, screen fixed.Box, out *mechanism.Outbox) {
	w.screens = append(w.screens, screen)
	out.Send(9, mechanism.Control, nil)
}

func TestNodeIsToldWhatIsOnScreen(t *testing.T) {
	n, r, c := setup()
	m := NewMachine(c)
	m.Advance(0)
	m.Watch(0, fixed.Box{}) // nobody wants to know
	w := &watcher{Client: n}
	c.Node = w
	m = NewMachine(c)
	screen := fixed.Around(fixed.Vec{}, fixed.One)
	m.Watch(0, screen) // it has not begun
	m.Advance(0)
	m.Watch(10*ms, screen)
	if !slices.Equal(w.screens, []fixed.Box{screen}) || m.Now() != 10*ms || len(r.sent) != 1 {
		t.Errorf("told %v at %v, and sent %d", w.screens, m.Now(), len(r.sent))
	}
}

func TestUserEntersOnlyAWorldInWhichTheyAreNot(t *testing.T) {
	n, _, c := setup()
	n.view.Put(world.Object{ID: 1, User: 5, Kind: mechanismtest.Marble})
	c.Enter = true
	m := NewMachine(c)
	advance(m, 200*ms)
	check(t, "calls", n.log, "0s wake")
	if m.Due() != world.Never {
		t.Errorf("due at %v although there is nothing to do", m.Due())
	}

	n, _, c = setup()
	c.Enter = true
	c.World = mechanismtest.Marbles(1) // nobody comes or goes there
	advance(NewMachine(c), 200*ms)
	check(t, "calls in another world", n.log, "0s wake")
}

func TestLastWishToBeWokenCounts(t *testing.T) {
	n, _, c := setup()
	n.wake = func(now world.Time, out *mechanism.Outbox) {
		out.WakeAt(20 * ms)
		out.WakeAt(30 * ms)
	}
	n.take = func(now world.Time, m mechanism.Message, out *mechanism.Outbox) { out.WakeAt(world.Never) }
	m := NewMachine(c)
	m.Advance(0)
	if m.Due() != 30*ms {
		t.Errorf("due at %v", m.Due())
	}
	m.Advance(29 * ms)
	m.Receive(29*ms, mechanism.Message{From: 2, Payload: []byte("x")})
	if m.Due() != world.Never {
		t.Errorf("due at %v although that was taken back", m.Due())
	}
	check(t, "calls", n.log, "0s wake", "29ms got x from 2")
}

func TestTimeNeverRunsBackwards(t *testing.T) {
	n, _, c := setup()
	m := NewMachine(c)
	m.Advance(100 * ms)
	m.Receive(90*ms, mechanism.Message{From: 2, Payload: []byte("x")})
	m.Act(80*ms, world.Action{})
	check(t, "calls", n.log, "100ms wake", "100ms got x from 2", "100ms act 5.1 verb 0")
}

func TestNothingHappensBeforeTheBeginning(t *testing.T) {
	n, _, c := setup()
	c.Player = restless{}
	m := NewMachine(c)
	m.Advance(-10 * ms)
	m.Receive(-5*ms, mechanism.Message{From: 2})
	m.Act(-5*ms, world.Action{})
	m.Leave(-5 * ms)
	check(t, "calls", n.log)
}

func TestWhatANodeWantsIsDone(t *testing.T) {
	n, o, c := setup()
	var events []mechanism.Event
	var acted []world.Action
	c.Event = func(e mechanism.Event) { events = append(events, e) }
	c.Acted = func(a *world.Action) { acted = append(acted, *a) }
	n.wake = func(now world.Time, out *mechanism.Outbox) {
		out.Send(2, mechanism.Update, []byte("a"))
		out.SendAll([]mechanism.NodeID{3, 4}, mechanism.Command, []byte("b"))
		out.Report(mechanism.Event{Name: mechanism.Rollback, Value: 3})
	}
	m := NewMachine(c)
	m.Advance(0)
	m.Act(0, world.Action{Verb: 1, User: 99, Seq: 99})
	m.Leave(0)
	check(t, "sent", o.sent, "7>2 update a", "7>3 command b", "7>4 command b", "7>9 control goodbye")
	if want := []mechanism.Event{{Name: mechanism.Rollback, Value: 3}}; !slices.Equal(events, want) {
		t.Errorf("events %+v", events)
	}
	if want := []world.Action{{Verb: 1, User: 5, Seq: 1}}; !slices.Equal(acted, want) {
		t.Errorf("actions %+v", acted)
	}
}

func TestServerHasNoUser(t *testing.T) {
	n, _, c := setup()
	c.Place.User = 0
	c.Player, c.Enter = restless{}, true
	m := NewMachine(c)
	advance(m, 200*ms)
	if m.View() != nil || m.Act(200*ms, world.Action{}) {
		t.Error("a server sees and acts")
	}
	check(t, "calls", n.log, "0s wake")
}

package mechanism_test

import (
	"fmt"
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// Nothing comes before the first Wake: what happens at the node's first instant happens after it, whatever the driver does
// first.
func TestWakeComesBeforeAnythingElse(t *testing.T) {
	for name, c := range map[string]struct {
		call func(m *mechanism.Machine, out *mechanism.Outbox)
		want string
	}{
		"receive": {func(m *mechanism.Machine, out *mechanism.Outbox) { m.Receive(100*ms, letter("x"), out) }, "100ms got x from 2"},
		"watch":   {func(m *mechanism.Machine, out *mechanism.Outbox) { m.Watch(100*ms, fixed.Box{}, out) }, "100ms watch 0"},
	} {
		t.Run(name, func(t *testing.T) {
			n, c2 := setup()
			c2.Start = 100 * ms
			m := mechanism.NewMachine(c2)
			var out mechanism.Outbox
			c.call(m, &out)
			if !m.Started() {
				t.Error("it has not started")
			}
			expect(t, n, "100ms wake", c.want)
		})
	}
}

func TestWhatComesBeforeTheStartIsNobodys(t *testing.T) {
	n, c := setup()
	c.Start, c.Player = 100*ms, &restless{}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	if m.Receive(99*ms, letter("x"), &out) || m.Wake(99*ms, &out) {
		t.Error("it takes part before its start")
	}
	m.Watch(99*ms, fixed.Box{}, &out)
	a := world.Action{}
	if m.Issue(&a) || a.Seq != 0 || len(m.Play(99*ms)) != 0 {
		t.Error("its user acts before its start")
	}
	m.Act(99*ms, a, &out)
	if m.Started() || m.Ready() || m.Due() != 100*ms {
		t.Errorf("started %t, ready %t, due at %v", m.Started(), m.Ready(), m.Due())
	}
	if m.Leave(99*ms, &out) {
		t.Error("it says goodbye although it was never there")
	}
	expect(t, n)
}

// A node whose clock is behind begins before its own time zero; its user acts from the first tick on.
func TestStartBeforeTimeZero(t *testing.T) {
	n, c := setup()
	c.Start, c.Player = -130*ms, &restless{}
	n.OnWake = mechanismtest.Every(1000 * ms)
	advance(mechanism.NewMachine(c), 60*ms)
	expect(t, n, "-130ms wake", "0s act 5.1 verb 2", "50ms act 5.2 verb 2")
}

func TestLastWakeUpAskedForCounts(t *testing.T) {
	n, c := setup()
	n.OnWake = func(_ world.Time, out *mechanism.Outbox) {
		out.WakeAt(20 * ms)
		out.WakeAt(30 * ms)
	}
	n.OnReceive = func(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
		switch string(m.Payload) {
		case "later":
			out.WakeAt(40 * ms)
		case "never":
			out.WakeAt(world.Never)
		}
	}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox // which the driver does not empty: what was asked for once is not asked for again
	m.Wake(0, &out)
	for _, step := range []struct {
		say  string
		want world.Time
	}{{"nothing", 30 * ms}, {"later", 40 * ms}, {"nothing", 40 * ms}, {"never", world.Never}, {"nothing", world.Never}} {
		m.Receive(29*ms, letter(step.say), &out)
		if m.WakeDue() != step.want || m.Due() != step.want {
			t.Errorf("%s: due at %v, want %v", step.say, m.Due(), step.want)
		}
	}
	if m.Wake(50*ms, &out) {
		t.Error("woken although that was taken back")
	}
	n.Log, n.OnWake = nil, nil
	m.Receive(60*ms, letter("later"), &out) // which has passed
	if !m.Wake(60*ms, &out) || m.Wake(70*ms, &out) {
		t.Error("a wake-up in the past comes at once, and once")
	}
	expect(t, n, "60ms got later from 2", "60ms wake")
}

func TestNoWakeUpComesEarly(t *testing.T) {
	n, c := setup()
	n.OnWake = mechanismtest.Every(20 * ms)
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	for now := range 45 * ms {
		if now%ms == 0 {
			m.Wake(now, &out)
		}
	}
	expect(t, n, "0s wake", "20ms wake", "40ms wake")
}

func TestTimeNeverRunsBackwards(t *testing.T) {
	n, c := setup()
	c.Player = &restless{}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	m.Wake(100*ms, &out)
	m.Receive(90*ms, letter("x"), &out)
	m.Act(80*ms, world.Action{}, &out)
	m.Watch(70*ms, fixed.Box{}, &out)
	m.Play(-10 * ms)
	if m.Now() != 100*ms {
		t.Errorf("it is %v", m.Now())
	}
	n.OnReceive = func(now world.Time, _ mechanism.Message, out *mechanism.Outbox) { out.WakeAt(now) }
	m.Receive(100*ms, letter("y"), &out)
	if !m.Wake(50*ms, &out) {
		t.Error("it is not woken, although it is due by a time that has been")
	}
	m.Leave(60*ms, &out)
	expect(t, n, "100ms wake", "100ms got x from 2", "100ms act 0.0 verb 0", "100ms watch 0", "100ms got y from 2", "100ms wake", "100ms leave")
}

func TestNothingHappensAfterLeave(t *testing.T) {
	for name, end := range map[string]func(m *mechanism.Machine, out *mechanism.Outbox){
		"leave": func(m *mechanism.Machine, out *mechanism.Outbox) {
			if !m.Leave(0, out) || out.Sends() != 1 {
				t.Error("it says no goodbye")
			}
		},
		"stop": func(m *mechanism.Machine, _ *mechanism.Outbox) { m.Stop() },
	} {
		n, c := setup()
		c.Player = &restless{}
		n.OnWake = mechanismtest.Every(10 * ms)
		m := mechanism.NewMachine(c)
		var out mechanism.Outbox
		m.Wake(0, &out)
		a := world.Action{}
		m.Issue(&a)
		end(m, &out)
		n.Log = nil
		m.SetPlayer(nil)
		m.SetPlayer(&restless{})
		if m.Due() != world.Never || m.Ready() {
			t.Errorf("%s: due at %v, ready %t", name, m.Due(), m.Ready())
		}
		m.Act(10*ms, a, &out)
		m.Watch(10*ms, fixed.Box{}, &out)
		if m.Receive(10*ms, letter("x"), &out) || m.Wake(10*ms, &out) || m.Leave(10*ms, &out) || m.Issue(&a) || len(m.Play(100*ms)) > 0 {
			t.Errorf("%s: something happens afterwards", name)
		}
		expect(t, n)
	}
}

func TestPlayerActsOnceATickAfterTheNode(t *testing.T) {
	n, c := setup()
	p := &restless{}
	n.OnWake = mechanismtest.Every(50 * ms)
	c.Player = p
	m := mechanism.NewMachine(c)
	advance(m, 120*ms)
	expect(t, n, "0s wake", "0s act 5.1 verb 2", "50ms wake", "50ms act 5.2 verb 2", "100ms wake", "100ms act 5.3 verb 2")
	if want := (world.View{State: n.Shown, User: 5, Lag: 7 * ms}); p.seen != want {
		t.Errorf("the player was shown %+v, want %+v", p.seen, want)
	}
	n.Log = nil
	var out mechanism.Outbox
	for _, a := range m.Advance(310*ms, &out) { // four ticks late: nobody acts for the past
		m.Act(310*ms, a, &out)
	}
	expect(t, n, "310ms wake", "310ms act 5.4 verb 2")
	if m.Due() != 350*ms || m.PlayDue() != 350*ms {
		t.Errorf("due at %v", m.Due())
	}
	m.SetPlayer(nil)
	n.Log = nil
	advance(m, 400*ms)
	expect(t, n, "350ms wake", "400ms wake")
	m.SetPlayer(p)
	n.Log = nil
	advance(m, 450*ms)
	expect(t, n, "400ms act 5.5 verb 2", "450ms wake", "450ms act 5.6 verb 2")
}

func TestPlayerMayBeNamedBeforeTheStart(t *testing.T) {
	n, c := setup()
	c.Start = 100 * ms
	m := mechanism.NewMachine(c)
	m.SetPlayer(&restless{})
	if m.Due() != 100*ms {
		t.Errorf("due at %v", m.Due())
	}
	advance(m, 110*ms)
	expect(t, n, "100ms wake", "100ms act 5.1 verb 2")
}

func TestWatchingNodeIsWokenWhenItAsks(t *testing.T) {
	n, c := setup()
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	m.Wake(0, &out)
	m.Watch(5*ms, fixed.Around(fixed.Vec{}, fixed.One), &out)
	out.WakeAt(world.Never) // nobody's wish
	m.Watch(6*ms, fixed.Around(fixed.Vec{}, fixed.One), &out)
	if m.Due() != 7*ms {
		t.Errorf("due at %v", m.Due())
	}
	expect(t, n, "0s wake", "5ms watch 1", "6ms watch 1")
}

func TestPlayerActsAtItsOwnMomentOfATick(t *testing.T) {
	for _, c := range []struct{ start, first world.Time }{{0, 20 * ms}, {20 * ms, 20 * ms}, {21 * ms, 70 * ms}, {1000 * ms, 1020 * ms}} {
		n, config := setup()
		config.Start, config.Phase, config.Player = c.start, 20*ms, &restless{}
		advance(mechanism.NewMachine(config), c.first+60*ms)
		expect(t, n, fmt.Sprintf("%v wake", c.start), fmt.Sprintf("%v act 5.1 verb 2", c.first), fmt.Sprintf("%v act 5.2 verb 2", c.first+50*ms))
	}
}

func TestPatientPlayersWait(t *testing.T) {
	n, c := setup()
	c.Player = &patient{due: 3}
	advance(mechanism.NewMachine(c), 210*ms)
	expect(t, n, "0s wake", "150ms act 5.1 verb 2", "200ms act 5.2 verb 2")
}

func TestUserOfANodeThatJoinsWaitsUntilItIsReady(t *testing.T) {
	n, c := setup()
	n.Joined = false
	c.Player, c.Enter, c.Start = &restless{}, true, 170*ms
	m := mechanism.NewMachine(c)
	advance(m, 210*ms)
	if a := (world.Action{}); m.Ready() || m.Issue(&a) {
		t.Error("a node that is not ready takes an action")
	}
	n.Joined = true
	advance(m, 320*ms)
	expect(t, n, "170ms wake", "250ms act 5.1 verb 255", "300ms act 5.2 verb 2")
}

// Where a run begins users act at once, whether the network has let their nodes know of others or not.
func TestUserOfTheBeginningActsAtOnce(t *testing.T) {
	n, c := setup()
	n.Joined = false
	c.Player, c.Session.Late = &restless{}, false
	m := mechanism.NewMachine(c)
	advance(m, 60*ms)
	if m.Ready() {
		t.Error("it is said to be ready")
	}
	expect(t, n, "0s wake", "0s act 5.1 verb 2", "50ms act 5.2 verb 2")
}

func TestUserEntersOnlyAWorldInWhichTheyAreNot(t *testing.T) {
	n, c := setup()
	c.Enter = true
	m := mechanism.NewMachine(c)
	advance(m, 200*ms)
	expect(t, n, "0s wake", "0s act 5.1 verb 255")
	if m.Due() != world.Never {
		t.Errorf("due at %v although there is nothing to do", m.Due())
	}

	n, c = setup()
	n.Shown.Put(world.Object{ID: 1, User: 5, Kind: mechanismtest.Marble})
	c.Enter = true
	advance(mechanism.NewMachine(c), 200*ms)
	expect(t, n, "0s wake")

	n, c = setup()
	c.Enter, c.Session.World = true, mechanismtest.Marbles(1) // nobody comes or goes there
	advance(mechanism.NewMachine(c), 200*ms)
	expect(t, n, "0s wake")
}

// What a user does is numbered in the order in which it was issued, by a person or by a player.
func TestActionsAreNumbered(t *testing.T) {
	n, c := setup()
	c.Player = &restless{}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	m.Wake(0, &out)
	first := world.Action{Verb: 1, User: 99, Seq: 99}
	if !m.Issue(&first) {
		t.Error("refused")
	}
	played := slices.Clone(m.Play(0))
	third := world.Action{Verb: 3}
	m.Issue(&third)
	for _, a := range append(played, third, first) { // carried out as the driver sees fit
		m.Act(ms, a, &out)
	}
	expect(t, n, "0s wake", "1ms act 5.2 verb 2", "1ms act 5.3 verb 3", "1ms act 5.1 verb 1")
}

func TestServerHasNoUser(t *testing.T) {
	n, c := setup()
	c.Place.User = 0
	c.Player, c.Enter = &restless{}, true
	m := mechanism.NewMachine(c)
	advance(m, 200*ms)
	if a := (world.Action{}); m.Client() != nil || m.View() != nil || m.Issue(&a) {
		t.Error("a server sees and acts")
	}
	var out mechanism.Outbox
	m.Act(200*ms, world.Action{}, &out)
	expect(t, n, "0s wake")
}

// plain is a node with no capabilities.
type plain struct{ mechanism.Node }

func TestNodeWithoutCapabilitiesIsReadyAndSaysNothing(t *testing.T) {
	n, c := setup()
	c.Node = plain{n}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	m.Wake(0, &out)
	m.Watch(0, fixed.Box{}, &out)
	if !m.Ready() || m.Leave(0, &out) || out.Sends() != 0 {
		t.Error("it is not ready, or says goodbye")
	}
	expect(t, n, "0s wake")
}

// ticking is a client that is woken once a tick and does nothing.
type ticking struct{ view *world.State }

func (n ticking) Wake(now world.Time, out *mechanism.Outbox)            { out.WakeAt(now + 50*ms) }
func (n ticking) Act(_ world.Time, _ world.Action, _ *mechanism.Outbox) {}
func (n ticking) View() *world.State                                    { return n.view }
func (n ticking) Receive(_ world.Time, m mechanism.Message, o *mechanism.Outbox) {
	o.Send(m.From, m.Class, m.Payload)
}

func TestMachineDoesNotAllocate(t *testing.T) {
	_, c := setup()
	c.Node, c.Player = ticking{c.Session.Start}, &restless{}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	msg := letter("x")
	once := func() {
		now := m.Due()
		m.Receive(now, msg, &out)
		for _, a := range m.Advance(now, &out) {
			m.Act(now, a, &out)
		}
		a := world.Action{}
		m.Issue(&a)
		m.Act(now, a, &out)
		out.Reset()
	}
	once()
	if n := testing.AllocsPerRun(1000, once); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMachine(b *testing.B) {
	_, c := setup()
	c.Node, c.Player = ticking{c.Session.Start}, &restless{}
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	b.ReportAllocs()
	for b.Loop() {
		now := m.Due()
		for _, a := range m.Advance(now, &out) {
			m.Act(now, a, &out)
		}
		out.Reset()
	}
}

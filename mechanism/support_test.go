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

const ms = world.Millisecond

// scripted is a node that does what a test says and writes down how it is called. It is a client that may need time to
// become ready, wants to know what is on screen, and says goodbye.
type scripted struct {
	log   []string
	wake  func(now world.Time, out *mechanism.Outbox)
	take  func(now world.Time, m mechanism.Message, out *mechanism.Outbox)
	ready bool
	view  *world.State
}

var (
	_ mechanism.Client    = (*scripted)(nil)
	_ mechanism.Arriving  = (*scripted)(nil)
	_ mechanism.Lagging   = (*scripted)(nil)
	_ mechanism.Watching  = (*scripted)(nil)
	_ mechanism.Departing = (*scripted)(nil)
)

func (n *scripted) note(now world.Time, format string, args ...any) {
	n.log = append(n.log, fmt.Sprintf("%v ", now)+fmt.Sprintf(format, args...))
}

func (n *scripted) Wake(now world.Time, out *mechanism.Outbox) {
	n.note(now, "wake")
	if n.wake != nil {
		n.wake(now, out)
	}
}

func (n *scripted) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.note(now, "got %s from %d", m.Payload, m.From)
	if n.take != nil {
		n.take(now, m, out)
	}
}

func (n *scripted) Act(now world.Time, a world.Action, _ *mechanism.Outbox) {
	n.note(now, "act %d.%d verb %d", a.User, a.Seq, a.Verb)
}

func (n *scripted) View() *world.State { return n.view }
func (n *scripted) Ready() bool        { return n.ready }
func (n *scripted) Lag() world.Time    { return 7 * ms }

func (n *scripted) Watch(now world.Time, screen fixed.Box, out *mechanism.Outbox) {
	n.note(now, "watch %v", screen.Max.X)
	out.WakeAt(now + ms)
}

func (n *scripted) Leave(now world.Time, out *mechanism.Outbox) {
	n.note(now, "leave")
	out.Send(9, mechanism.Control, []byte("goodbye"))
	out.WakeAt(now)
}

// every has the node woken at regular times.
func every(span world.Time) func(world.Time, *mechanism.Outbox) {
	return func(now world.Time, out *mechanism.Outbox) { out.WakeAt((now/span + 1) * span) }
}

// town is a world with users who come and go, and a tick of 50 ms.
type town struct{ world.World }

func (town) Enter(*world.Window, world.User) {}
func (town) Leave(*world.Window, world.User) {}

// restless acts whenever it is asked to, and remembers what it was shown.
type restless struct{ seen world.View }

func (p *restless) Play(v world.View, act func(world.Action)) {
	p.seen = v
	act(world.Action{Verb: mechanismtest.Drop, User: 99, Seq: 99})
}

// patient does nothing before a tick.
type patient struct {
	restless
	due world.Tick
}

func (p *patient) Due() world.Tick { return p.due }

// setup is a ready client with the place of user 5, which joins a run under way.
func setup() (*scripted, mechanism.MachineConfig) {
	w := town{mechanismtest.Marbles(1)}
	n := &scripted{ready: true, view: world.NewState(w.Schema(), 1)}
	s := &mechanism.Session{World: w, Start: n.view, Late: true}
	return n, mechanism.MachineConfig{Node: n, Place: mechanism.Place{ID: 7, User: 5}, Session: s}
}

// advance drives a machine as a punctual driver does, up to a time.
func advance(m *mechanism.Machine, until world.Time) {
	var out mechanism.Outbox
	for m.Due() <= until {
		now := max(m.Due(), m.Now())
		for _, a := range m.Advance(now, &out) {
			m.Act(now, a, &out)
		}
		out.Reset()
	}
}

func letter(text string) mechanism.Message {
	return mechanism.Message{From: 2, To: 7, Payload: []byte(text)}
}

func expect(t *testing.T, n *scripted, want ...string) {
	t.Helper()
	if !slices.Equal(n.log, want) {
		t.Errorf("the node was called\n%q\nwant\n%q", n.log, want)
	}
}

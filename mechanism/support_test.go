package mechanism_test

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

const ms = world.Millisecond

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
func setup() (*mechanismtest.Puppet, mechanism.MachineConfig) {
	w := mechanismtest.NewTown()
	n := &mechanismtest.Puppet{Joined: true, Shown: world.NewState(w.Schema(), 1)}
	s := &mechanism.Session{World: w, Start: n.Shown, Late: true}
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

func expect(t *testing.T, n *mechanismtest.Puppet, want ...string) {
	t.Helper()
	if !slices.Equal(n.Log, want) {
		t.Errorf("the node was called\n%q\nwant\n%q", n.Log, want)
	}
}

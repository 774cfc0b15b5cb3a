package relay

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

// plain is the mechanism without a filter.
type plain struct{ Config }

func (p *plain) NewNode(s *mechanism.Session, at mechanism.Place) (mechanism.Node, error) {
	return NewNode(&p.Config, s, at, nil, 0)
}

func newRig(t testing.TB, users world.User) *mechanismtest.Rig {
	t.Helper()
	return mechanismtest.StartRig(t, &plain{param.Default[Config]()}, mechanismtest.Marbles(users), 20*world.Millisecond)
}

func TestNodesNeedTheirPlaces(t *testing.T) {
	for _, p := range []mechanism.Place{{ID: 2}, {ID: 5, User: 1}} {
		if n, err := (&plain{param.Default[Config]()}).NewNode(&mechanism.Session{}, p); err == nil {
			t.Errorf("%+v makes %v", p, n)
		}
	}
}

// TestGap has a client miss something of the order, as when the link gives up on it after a long silence. It takes the world
// from somebody else.
func TestGap(t *testing.T) {
	r := newRig(t, 2)
	r.Play(40)
	c := r.Client(3).(*client)
	c.heard.position--
	c.replica.Restart(r.Session.Start)
	r.Advance(schema.Tick)
	if c.Ready() {
		t.Error("a client that has missed something goes on")
	}
	r.Play(40)
	r.Advance(5 * world.Second)
	if !c.Ready() || r.View(2).Hash() != r.View(3).Hash() {
		t.Errorf("ready %v; it holds %x, the other one %x", c.Ready(), r.View(3).Hash(), r.View(2).Hash())
	}
}

// TestBacklogIsBounded keeps a newcomer waiting, since nobody is there to tell it of the world.
func TestBacklogIsBounded(t *testing.T) {
	c := param.Default[Config]()
	c.Patience = 10 * world.Minute // else the world begins again
	r := mechanismtest.StartRig(t, &plain{c}, mechanismtest.Marbles(2), 20*world.Millisecond)
	r.Leave(2)
	if err := r.Join(3); err != nil {
		t.Fatal(err)
	}
	r.Advance((backlogMax + 100) * schema.Tick)
	n := r.Client(3).(*client)
	if len(n.backlog) != backlogMax || momentOf(n.backlog[backlogMax-1]).position <= backlogMax {
		t.Errorf("%d messages are kept", len(n.backlog))
	}
}

func TestBytes(t *testing.T) {
	r := newRig(t, 2)
	r.Play(40)
	for id := star.Server; id <= 3; id++ {
		if n := r.Node(id).(mechanism.Sized).Bytes(); n < 100 {
			t.Errorf("node %d says that it holds %d bytes", id, n)
		}
	}
}

// BenchmarkAction is what passing one action on costs the server, and carrying it out a client.
func BenchmarkAction(b *testing.B) {
	r := newRig(b, 100)
	server, c := r.Node(star.Server).(*server), r.Client(2).(*client)
	a := world.Action{User: 1, Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{1}}
	b.Run("order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			server.action = a
			server.place(0)
			server.command()
		}
	})
	b.Run("carry out", func(b *testing.B) {
		server.command()
		b.ReportAllocs()
		for b.Loop() {
			c.replica.Step(server.buf, c.carry)
		}
	})
}

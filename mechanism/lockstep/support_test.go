package lockstep

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

const ms = world.Millisecond

// rig builds a run on a network with a delay of 20 ms.
func rig(t testing.TB, w world.World, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	c := param.Default[Config]()
	if change != nil {
		change(&c)
	}
	r, err := mechanismtest.NewRig(&c, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Network = mechanismtest.Constant(20 * ms)
	return r
}

// events has what nodes report gathered by name.
type events map[string][]report

type report struct {
	node  mechanism.NodeID
	at    world.Time
	value int64
}

func watch(r *mechanismtest.Rig) events {
	all := events{}
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			all[e.Name] = append(all[e.Name], report{c.Node, r.Now(), e.Value})
		}
	}
	return all
}

// by are those that one node has reported.
func (e events) by(id mechanism.NodeID, name string) (some []report) {
	for _, x := range e[name] {
		if x.node == id {
			some = append(some, x)
		}
	}
	return some
}

func clientOf(r *mechanismtest.Rig, u world.User) *client {
	return r.Client(star.NodeOf(u)).(*client)
}

func serverOf(r *mechanismtest.Rig) *server { return r.Node(star.Server).(*server) }

// wantInStep fails unless all clients that there are play, at the server's tick and in its state.
func wantInStep(t testing.TB, r *mechanismtest.Rig) {
	t.Helper()
	right := serverOf(r).follower.State()
	for u := world.User(1); u <= r.World.Users(); u++ {
		if r.Node(star.NodeOf(u)) == nil {
			continue
		}
		switch n := clientOf(r, u); {
		case n.phase != playing || serverOf(r).members.At(n.place.ID).phase != playing:
			t.Errorf("at %v user %d is in phase %d", r.Now(), u, n.phase)
		case n.View().Tick() != right.Tick():
			t.Errorf("at %v user %d is at tick %d, the server at %d", r.Now(), u, n.View().Tick(), right.Tick())
		case n.View().Hash() != right.Hash():
			t.Errorf("at %v user %d has another world than the server", r.Now(), u)
		}
	}
}

// agreement checks that replicas are equal at equal ticks, at all times.
type agreement struct {
	hashes map[world.Tick]uint64
	ticks  int
}

// look adds what all nodes hold now.
func (a *agreement) look(t interface{ Fatalf(string, ...any) }, r *mechanismtest.Rig) {
	for _, p := range r.Session.Places {
		var s *world.State
		switch n := r.Node(p.ID).(type) {
		case *server:
			s = n.follower.State()
		case *client:
			if n.phase != playing {
				continue
			}
			s = n.follower.State()
		default:
			continue
		}
		hash, known := a.hashes[s.Tick()]
		if known && hash != s.Hash() {
			t.Fatalf("at %v node %d has another tick %d than others", r.Now(), p.ID, s.Tick())
		}
		a.hashes[s.Tick()] = s.Hash()
		a.ticks++
	}
}

// shifted is a mechanism some of whose nodes have clocks that are wrong.
type shifted struct {
	mechanism.Mechanism
	by map[mechanism.NodeID]world.Time
}

func (s shifted) NewNode(x *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := s.Mechanism.NewNode(x, p)
	if c, ok := n.(mechanism.Client); ok && err == nil {
		return &late{c, s.by[p.ID]}, nil
	}
	return n, err
}

// late is a client with a clock that shows more than it is.
type late struct {
	mechanism.Client
	by world.Time
}

func (n *late) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.Client.Receive(now+n.by, m, out)
	n.mend(out)
}

func (n *late) Wake(now world.Time, out *mechanism.Outbox) {
	n.Client.Wake(now+n.by, out)
	n.mend(out)
}

func (n *late) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.Client.Act(now+n.by, a, out)
	n.mend(out)
}

func (n *late) mend(out *mechanism.Outbox) {
	if t, asked := out.Wake(); asked && t != world.Never {
		out.WakeAt(t - n.by)
	}
}

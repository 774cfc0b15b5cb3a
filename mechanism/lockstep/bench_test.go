package lockstep

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/memo"
	"throng/world"
)

// BenchmarkTurn lets a turn pass in which 40 of 400 users act, or nobody does, with all that goes with it: turn-advances,
// ordering, telling and carrying out, at 401 nodes on a network without delay that share their steps or not.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct {
		name   string
		actors int
		share  bool
	}{{"shared/idle", 0, true}, {"shared/40", 40, true}, {"alone/40", 40, false}} {
		b.Run(c.name, func(b *testing.B) { benchmarkTurn(b, c.actors, c.share) })
	}
}

func benchmarkTurn(b *testing.B, actors int, share bool) {
	c := param.Default[Config]()
	w := mechanismtest.Marbles(400)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: c.Places(w)}
	if share {
		s.Shared = memo.NewPool()
	}
	g := newGroup(b, &c, s)
	for range 50 {
		g.turn(actors)
	}
	b.ReportAllocs()
	for b.Loop() {
		g.turn(actors)
	}
	if got := g.nodes[0].(*server).tick(); got < 100 {
		b.Fatalf("the world is at tick %d", got)
	}
}

// group are nodes whose messages arrive at once.
type group struct {
	nodes []mechanism.Node
	now   world.Time
	acts  []uint32
	first int
	out   []mechanism.Outbox // one per level of messages that answer messages
}

func newGroup(b *testing.B, c *Config, s *mechanism.Session) *group {
	g := &group{acts: make([]uint32, len(s.Places)), out: make([]mechanism.Outbox, 16)}
	for _, p := range s.Places {
		n, err := c.NewNode(s, p)
		if err != nil {
			b.Fatal(err)
		}
		g.nodes = append(g.nodes, n)
	}
	return g
}

// turn lets some users act and two ticks pass.
func (g *group) turn(actors int) {
	for range actors {
		g.first = g.first%(len(g.nodes)-1) + 1
		g.acts[g.first]++
		a := world.Action{User: world.User(g.first), Seq: g.acts[g.first], Verb: mechanismtest.Push}
		a.Args[0] = int64(g.acts[g.first])
		g.nodes[g.first].(mechanism.Client).Act(g.now, a, &g.out[0])
		g.deliver(mechanism.NodeID(g.first+1), 0)
	}
	for range 2 {
		g.now += 50 * ms
		for i, n := range g.nodes {
			n.Wake(g.now, &g.out[0])
			g.deliver(mechanism.NodeID(i+1), 0)
		}
	}
}

func (g *group) deliver(from mechanism.NodeID, level int) {
	out := &g.out[level]
	for i := range out.Sends() {
		m := out.Message(i, from)
		g.nodes[m.To-1].Receive(g.now, m, &g.out[level+1])
		g.deliver(m.To, level+1)
	}
	out.Reset()
}

package record

import (
	"bytes"
	"context"
	"testing"

	"throng/internal/param"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/wire"
)

// hearsay is a mechanism that does not care for order: users' actions take effect wherever they arrive, when they arrive.
// So views differ from one another and from the truth. It has a server, which does nothing and shows nothing.
type hearsay struct{}

func (hearsay) Places(w world.World) []mechanism.Place {
	places := mechanism.Peers(w)
	return append(places, mechanism.Place{ID: mechanism.NodeID(len(places) + 1), Role: "server"})
}

func (hearsay) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.User == 0 {
		return idler{}, nil
	}
	return &gossip{mechanism.NewReplica(s.World, s.Start), s.Others(p.ID), s.World.Schema().Tick}, nil
}

type idler struct{}

func (idler) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (idler) Wake(world.Time, *mechanism.Outbox)                       {}

type gossip struct {
	mechanism.Replica
	others []mechanism.NodeID
	tick   world.Time
}

func (g *gossip) View() *world.State { return g.State }

func (g *gossip) Wake(now world.Time, out *mechanism.Outbox) {
	for g.State.Tick() < mechanism.TickAt(now, g.tick) {
		g.Advance()
	}
	out.WakeAt(mechanism.TimeOf(g.State.Tick()+1, g.tick))
}

func (g *gossip) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	g.Do(&a)
	out.SendAll(g.others, mechanism.Command, world.AppendAction(nil, &a))
}

func (g *gossip) Receive(_ world.Time, m mechanism.Message, _ *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	a := world.ReadAction(&r)
	g.Do(&a)
}

// newRun prepares a run of marbles for four users, whose clocks differ if offset is not zero.
func newRun(t testing.TB, m mechanism.Mechanism, duration, offset world.Time) *sim.Run {
	t.Helper()
	w := mechanismtest.Marbles(4)
	model, err := network.Constant{Delay: 70 * world.Millisecond}.New(3, len(m.Places(w)))
	if _, bound := m.(mechanism.Idealised); bound {
		model, err = network.Perfect{}.New(3, 4)
	}
	if err != nil {
		t.Fatal(err)
	}
	hosts := param.Default[sim.Config]()
	hosts.Clock.Offset = offset
	r, err := sim.New(sim.Setup{World: w, Mechanism: m, Network: model, Hosts: hosts, Seed: 3,
		Duration: duration, Warmup: world.Second})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// witness sees what a recording is to hold: the truth, then every frame's hashes and curves, and all actions.
type witness struct {
	run     *sim.Run
	truth   *measure.Truth
	curves  []Curve
	every   world.Tick
	ticks   world.Tick
	hashes  [][]uint64  // by frame and track
	samples [][]float64 // by frame and curve
	actions []Action
}

// watch attaches a witness to a run. Its truth and its curves are for the recording too.
func watch(r *sim.Run, every world.Tick) *witness {
	w := &witness{run: r, truth: measure.NewTruth(r), every: every}
	r.Observe(w.truth)
	w.curves = []Curve{
		{"divergence", "", measure.NewDivergence(r).Now},
		{"objects", "1", func() float64 { return float64(w.truth.State().Len()) }},
	}
	r.Observe(w)
	return w
}

func (w *witness) options() Options {
	return Options{Every: w.every, Group: 2 * world.Second, Truth: w.truth, Curves: w.curves,
		Mechanism: "hearsay", Network: "constant", Params: []string{"network.delay=70ms", "world.users=4"}}
}

func (w *witness) Tick(world.Time) {
	w.ticks++
	if (w.ticks-1)%w.every != 0 {
		return
	}
	var hashes []uint64
	for _, h := range w.run.Hosts() {
		if v := h.View(); v != nil {
			hashes = append(hashes, v.Hash())
		}
	}
	w.hashes = append(w.hashes, append(hashes, w.truth.State().Hash()))
	var samples []float64
	for _, c := range w.curves {
		samples = append(samples, c.Value())
	}
	w.samples = append(w.samples, samples)
}

func (w *witness) Acted(h *sim.Host, now world.Time, a *world.Action) {
	w.actions = append(w.actions, Action{now, h.Place.ID, *a})
}

// recorded runs a run and returns its recording and what the witness saw.
func recorded(t testing.TB, m mechanism.Mechanism, every world.Tick, duration, offset world.Time) ([]byte, *witness) {
	t.Helper()
	run := newRun(t, m, duration, offset)
	seen := watch(run, every)
	var out bytes.Buffer
	w, err := Attach(run, &out, seen.options())
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), seen
}

// sample is a short recording with several groups.
func sample(t testing.TB) []byte {
	data, _ := recorded(t, hearsay{}, 2, 5*world.Second, 0)
	return data
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	r, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

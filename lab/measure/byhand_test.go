package measure_test

import (
	"context"
	"math"
	"testing"

	"throng/internal/param"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/loose"
	"throng/world"
	"throng/world/random"
)

const ms = world.Millisecond

// measured runs a mechanism in the world of two points and returns what was measured.
func measured(t *testing.T, m mechanism.Mechanism, w world.World, change func(*sim.Setup)) map[string]float64 {
	t.Helper()
	net, err := (&network.Constant{Delay: 30 * ms}).New(1, len(m.Places(w)))
	if err != nil {
		t.Fatal(err)
	}
	setup := sim.Setup{World: w, Mechanism: m, Network: net, Hosts: param.Default[sim.Config](), Seed: 1, Duration: 3*world.Second - 1}
	if change != nil {
		change(&setup)
	}
	run, err := sim.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	probes := measure.Attach(run, measure.All())
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range probes.Figures() {
		got[f.Name] = f.Value
	}
	return got
}

// uneven has two clients, of whom each does other things at every tick; what, the test says.
type uneven struct {
	tick  func(id mechanism.NodeID, tick int64, out *mechanism.Outbox)
	bytes [2]int
}

func (uneven) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

func (u uneven) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return &unevenNode{u, p.ID, s.Start.Clone()}, nil
}

type unevenNode struct {
	uneven
	id    mechanism.NodeID
	state *world.State
}

func (n *unevenNode) View() *world.State                                       { return n.state }
func (n *unevenNode) Bytes() int                                               { return n.bytes[n.id-1] }
func (n *unevenNode) Act(world.Time, world.Action, *mechanism.Outbox)          {}
func (n *unevenNode) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (n *unevenNode) Wake(now world.Time, out *mechanism.Outbox) {
	out.WakeAt(now + lineSchema.Tick)
	n.state.SetTick(world.Tick(now / lineSchema.Tick))
	n.tick(n.id, int64(now/lineSchema.Tick), out)
}

// The first client sends 3, 7 and 5 packets in the three seconds, the second 4, 4 and 6, all in the first half of a second so
// that they arrive in the same one; those of the second are longer.
func TestTheGreatestOfAnySecondCounts(t *testing.T) {
	counts := [2][3]int64{{3, 7, 5}, {4, 4, 6}}
	got := measured(t, uneven{tick: func(id mechanism.NodeID, tick int64, out *mechanism.Outbox) {
		if tick < 60 && tick%20 < counts[id-1][tick/20] {
			out.Send(3-id, mechanism.Update, make([]byte, 72*id))
		}
	}}, line{2}, func(s *sim.Setup) { s.Duration++ })
	near(t, got, "packets.sent.max", 7)
	near(t, got, "packets.received.max", 7)
	near(t, got, "bytes.sent.max", 6*(2*72+28))
	near(t, got, "bytes.received.max", 6*(2*72+28))
	near(t, got, "packets.sent", 29.0/2/3)
	near(t, got, "bytes.sent", (15*100+14*172.0)/2/3)
	near(t, got, "bytes.received", (15*100+14*172.0)/2/3)
}

// Links carry 8,000 bits a second. The first client sends 100 bytes on the wire every tick, 2,000 a second, the second 128, 2,560 a second, which
// is more than both links carry, by 2 and by 2.56: in a measured span of two seconds as in any.
func TestLoadIsWhatLinksAreGiven(t *testing.T) {
	talk := uneven{tick: func(id mechanism.NodeID, tick int64, out *mechanism.Outbox) {
		if tick < 60 { // the next one is beyond what is measured
			out.Send(3-id, mechanism.Update, make([]byte, 44+28*id))
		}
	}}
	limit := func(up, down int64) func(*sim.Setup) {
		return func(s *sim.Setup) {
			s.Hosts.Up, s.Hosts.Down, s.Warmup, s.Duration = up, down, world.Second, 3*world.Second
		}
	}
	got := measured(t, talk, line{2}, limit(8000, 0))
	near(t, got, measure.LoadUp, 2.56)
	near(t, got, measure.LoadDown, 0)
	got = measured(t, talk, line{2}, limit(0, 16000))
	near(t, got, measure.LoadUp, 0)
	near(t, got, measure.LoadDown, 1.28)
}

// The first client does 7 units of work a tick, the second 21 in every other one; they hold 1,000 and 5,000 bytes.
func TestWorkAndMemoryAreCountedByHost(t *testing.T) {
	got := measured(t, uneven{bytes: [2]int{1000, 5000}, tick: func(id mechanism.NodeID, tick int64, out *mechanism.Outbox) {
		if id == 1 {
			out.Charge(3)
			out.Charge(4)
		} else if tick%2 == 0 {
			out.Charge(21)
		}
	}}, line{2}, nil)
	near(t, got, "work", (7+10.5)/2)
	near(t, got, "work.max", 21)
	near(t, got, "work.client", (7+10.5)/2)
	near(t, got, "work.client.all", 17.5)
	near(t, got, "work.client.most", 10.5)
	near(t, got, "memory.client", 3000)
	near(t, got, "memory.client.all", 6000)
	near(t, got, "memory.client.most", 5000)
	near(t, got, "memory", 3000)
	near(t, got, "memory.max", 5000)
}

// Everything that a node can do it does in the first second, and little in the second one, which alone is measured.
func TestWhatHappensWhileWarmingUpDoesNotCount(t *testing.T) {
	loud := uneven{bytes: [2]int{1000, 5000}, tick: func(id mechanism.NodeID, tick int64, out *mechanism.Outbox) {
		if tick >= 20 {
			out.Charge(1)
			return
		}
		out.Charge(50)
		for c := range mechanism.Classes {
			out.Send(3-id, c, make([]byte, 10))
			out.Count(c, 3)
		}
		for _, name := range []string{mechanism.Rollback, mechanism.Repeated, mechanism.Late, mechanism.Malformed, mechanism.Differed,
			mechanism.Repaired, mechanism.Stalled, mechanism.Promoted, mechanism.Demoted, mechanism.Paused, mechanism.Handed,
			mechanism.Reconciled, mechanism.Closure} {
			out.Report(mechanism.Event{Name: name, Value: 1})
		}
		for _, name := range []string{mechanism.Applied, mechanism.Confirmed, mechanism.Dropped} {
			out.Report(mechanism.Event{Name: name, User: 1, Seq: uint32(tick/4 + 1)})
		}
	}}
	got := measured(t, loud, sober{line{2}}, func(s *sim.Setup) { s.Warmup, s.Duration = world.Second, 2*world.Second-1 })
	other := map[string]float64{ // what goes on
		"work": 1, "work.max": 1, "work.client": 1, "work.client.all": 2, "work.client.most": 1, "memory.client": 3000, "memory.client.all": 6000, "memory.client.most": 5000, "memory": 3000, "memory.max": 5000, "ticks.client": 20 / (1 - 1e-9), "drift": 0.4 * 0.4, "sightings": 4, "crowd.singly.near": 1, "distance.mean": 20, "distance.p50": 0, "distance.p99": 40,
	}
	for name, v := range got {
		want, ok := other[name]
		if !ok && !math.IsNaN(v) {
			ok = true
		}
		if ok && !(math.Abs(v-want) <= 1e-2*max(1, want)) {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}

// sober are points whose users act in the first second only.
type sober struct{ line }

func (s sober) Player(u world.User, _ random.Stream) world.Player { return &briefly{walker{user: u}} }

type briefly struct{ walker }

func (b *briefly) Play(v world.View, act func(world.Action)) {
	if b.tick < 20 {
		b.walker.Play(v, act)
	}
}

// Two users under loose, 30 ms apart. User 1 moves by 10 in the ticks 4 and 8, after the host has looked whether there is
// something to tell; so the other is told at the end of the next tick, and sees it 30 ms later: 80 ms after the action. In tick 0
// the point stays where it is, and nobody is told of it before it moves: 280 ms after that action.
func TestObservationUnderLoose(t *testing.T) {
	c := param.Default[loose.Config]()
	c.Interval, c.Phase = 350*ms, loose.Together
	got := measured(t, &c, line{2}, func(s *sim.Setup) { s.Duration = 500 * ms })
	near(t, got, "observation.mean", (0.280+2*0.080)/3)
	near(t, got, "response.mean", 0)
}

package measure_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/lab/check"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

// line is a world of points on a line from 0 to 100, with a brightness from 0 to 10 that counts a quarter as much as the
// place. Nothing moves by itself; users set the place of their point.
type line struct{ users world.User }

var lineSchema = world.Schema{
	Name: "line", Tick: 50 * world.Millisecond,
	Bounds: fixed.Box{Max: fixed.Vec{X: 100 * fixed.One}},
	Kinds: []world.Kind{{Name: "point", Variables: []world.Variable{
		{Name: "x", Slot: world.SlotX, Type: world.Fixed, Max: int64(100 * fixed.One), Weight: 4},
		{Name: "light", Slot: world.AttrSlot(0), Max: 10, Weight: 1},
		{Name: "secret", Slot: world.AttrSlot(1), Max: 10},
	}}},
	Verbs: []world.Verb{{Name: "go", Args: []world.Variable{{Name: "x", Type: world.Fixed, Max: int64(100 * fixed.One)}}}},
}

func (l line) Schema() *world.Schema { return &lineSchema }
func (l line) Users() world.User     { return l.users }
func (l line) Populate(s *world.State) {
	for u := range l.users {
		s.Put(world.Object{ID: world.ID(u + 1), User: u + 1})
	}
}
func (l line) Act(w *world.Window, a *world.Action) {
	w.Edit(world.ID(a.User)).Pos.X = fixed.F(a.Args[0])
}
func (l line) Step(*world.Window)                                        {}
func (l line) Extrapolate(*world.Object, world.Time)                     {}
func (l line) Reach(_ *world.State, a *world.Action, f *world.Footprint) { f.Write(world.ID(a.User)) }
func (l line) Player(u world.User, _ random.Stream) world.Player         { return &walker{user: u} }
func (l line) Score(s *world.State) fixed.F                              { return s.Get(1).Pos.X }
func (l line) ScoreName() string                                         { return "steps" }

// walker lets user 1 take a step to the right of 10 every fourth tick; the others do nothing.
type walker struct {
	user world.User
	tick int
}

func (w *walker) Play(v world.View, act func(world.Action)) {
	if w.user == 1 && w.tick%4 == 0 {
		act(world.Action{Args: [world.MaxArgs]int64{int64(w.tick/4%10) * int64(10*fixed.One)}})
	}
	w.tick++
}

// told is a mechanism of the simplest sort: user 1's actions are told to the others, who apply them when they hear of them.
type told struct{}

func (told) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

func (told) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return &toldNode{replica: mechanism.NewReplica(s.World, s.Start), others: s.Others(p.ID)}, nil
}

type toldNode struct {
	replica mechanism.Replica
	others  []mechanism.NodeID
}

func (n *toldNode) View() *world.State { return n.replica.State }
func (n *toldNode) Bytes() int         { return 1000 }
func (n *toldNode) Wake(now world.Time, o *mechanism.Outbox) {
	o.WakeAt(now + lineSchema.Tick)
	o.Charge(7)
}

func (n *toldNode) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	n.replica.Do(&a)
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
	out.SendAll(n.others, mechanism.Command, world.AppendAction(nil, &a))
}

func (n *toldNode) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	a := world.ReadAction(&r)
	n.replica.Do(&a)
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
}

// figures runs the mechanism for a second on a network with a constant delay and returns what was measured.
func figures(t *testing.T, m mechanism.Mechanism, w world.World, delay world.Time) map[string]float64 {
	t.Helper()
	net, err := (&network.Constant{Delay: delay}).New(1, int(w.Users()))
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: w, Mechanism: m, Network: net, Hosts: param.Default[sim.Config](), Seed: 1, Duration: 950 * world.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	checks := check.Attach(run)
	probes := measure.Attach(run, measure.All())
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := checks.Verdict(); err != nil {
		t.Error(err)
	}
	got := map[string]float64{}
	for _, f := range probes.Figures() {
		got[f.Name] = f.Value
	}
	return got
}

func near(t *testing.T, got map[string]float64, name string, want float64) {
	t.Helper()
	v, ok := got[name]
	if !ok {
		t.Errorf("%s was not measured", name)
	} else if !(math.Abs(v-want) <= 1e-12*math.Max(1, math.Abs(want))) { // nor is it near if it is no number
		t.Errorf("%s is %v, not %v", name, v, want)
	}
}

// Two users; user 1 moves by 10 of 100 in the ticks 4, 8, 12 and 16 (in tick 0 it moves to where it is). Ticks 0 to 19 are
// looked at. With a delay of 75 ms user 2 sees each step one and a half ticks later: at the end of two ticks out of four
// the views differ by 10.
func TestFiguresByHand(t *testing.T) {
	got := figures(t, told{}, line{2}, 75*world.Millisecond)

	// In 8 of 20 ticks: the deviation of 0 and 10 is 5, of a range of 100; the place has 4 of 10 parts of the weight of two
	// points.
	near(t, got, "divergence", 8.0/20*0.05*0.4)
	near(t, got, "discontinuity", 0) // what is done shows when it is known, and stays so
	// User 1 always sees the truth, user 2 in 12 of 20 ticks.
	near(t, got, "drift", 8.0/20*0.1*0.4/2)
	near(t, got, "distance.mean", 8.0/20*10/4)
	near(t, got, "response.mean", 0)
	near(t, got, "observation.mean", 0.075)
	near(t, got, "packets.sent", 5/0.95/2)
	near(t, got, "packets.sent.command", 5/0.95/2)
	near(t, got, "packets.sent.update", 0)
	near(t, got, "packets.sent.max", 5)
	near(t, got, "packets.received", 5/0.95/2)
	near(t, got, "actions", 5/0.95/2)
	near(t, got, "work", 7)
	near(t, got, "memory.max", 1000)
	near(t, got, "score", 40/0.95)
	if v := got["final.mean"]; !math.IsNaN(v) {
		t.Errorf("final.mean is %v though nothing became final", v)
	}
}

// mute is told, but does not say when others' actions take effect: to the observer things move without a reason.
type mute struct{ told }

func (m mute) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := m.told.NewNode(s, p)
	return muteNode{n.(*toldNode)}, err
}

type muteNode struct{ *toldNode }

func (n muteNode) Receive(now world.Time, m mechanism.Message, _ *mechanism.Outbox) {
	n.toldNode.Receive(now, m, new(mechanism.Outbox))
}

// User 2 sees four jumps of 10 of 100, user 1 none.
func TestWhatMovesWithoutAReasonJumps(t *testing.T) {
	got := figures(t, mute{}, line{2}, 75*world.Millisecond)
	near(t, got, "discontinuity", 4*0.1*0.1*0.4/20/2)
	near(t, got, "discontinuity.all", 4*0.1*0.1*0.4/20/2)
}

func TestIdealIsIdeal(t *testing.T) {
	got := figures(t, &ideal.Config{}, mechanismtest.Marbles(4), 0)
	for _, name := range []string{"divergence", "discontinuity", "discontinuity.all", "drift", "distance.p99", "observation.p99"} {
		near(t, got, name, 0)
	}
	if got["actions"] == 0 {
		t.Error("nobody acted, so nothing was shown")
	}
}

func TestProbesReportWhatTheySay(t *testing.T) {
	net, _ := network.Perfect{}.New(1, 2)
	for _, e := range measure.All() {
		run, err := sim.New(sim.Setup{World: line{2}, Mechanism: told{}, Network: net, Hosts: param.Default[sim.Config](), Duration: world.Second})
		if err != nil {
			t.Fatal(err)
		}
		probes := measure.Attach(run, []measure.Entry{e})
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range probes.Figures() {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, e.Figures) {
			t.Errorf("%s reports %q and announces %q", e.Name, names, e.Figures)
		}
	}
}

// part holds nothing of what user 2 sees of others.
type part struct{ told }

func (p part) NewNode(s *mechanism.Session, place mechanism.Place) (mechanism.Node, error) {
	n, err := p.told.NewNode(s, place)
	return partNode{n.(*toldNode), place.User}, err
}

type partNode struct {
	*toldNode
	user world.User
}

func (n partNode) Holds(id world.ID) bool { return world.User(id) == n.user }

func TestOnlyHostsThatHoldAnObjectCount(t *testing.T) {
	got := figures(t, part{}, line{2}, 75*world.Millisecond)
	near(t, got, "divergence", 0)
	near(t, got, "drift", 0)
}

// TestOnlyWhatIsAskedForIsMeasured: the probes that report some figures are those, in their order, and none where nobody asks.
func TestOnlyWhatIsAskedForIsMeasured(t *testing.T) {
	var names []string
	for _, e := range measure.Reporting(measure.All(), []string{"score", "observation.p99", "divergence", "response.mean"}) {
		names = append(names, e.Name)
	}
	if want := []string{"divergence", "latency", "score"}; !slices.Equal(names, want) {
		t.Errorf("%q instead of %q", names, want)
	}
	if some := measure.Reporting(measure.All(), nil); len(some) != 0 {
		t.Errorf("%d probes that nobody has asked for", len(some))
	}
}

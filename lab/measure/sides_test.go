package measure_test

import (
	"math"
	"testing"

	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/world"
	"throng/world/fixed"
)

// served has two clients and two servers of different roles. In every tick each client sends the first server a command of
// ten bytes, and the first server sends each client an update of twenty, about five objects; the second says nothing.
type served struct{}

func (served) Places(w world.World) []mechanism.Place {
	return append(mechanism.Peers(w), mechanism.Place{ID: 3, Role: "area"}, mechanism.Place{ID: 4, Role: "registry"})
}

func (served) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n := &servedNode{replica: mechanism.NewReplica(s.World, s.Start), place: p, tick: s.World.Schema().Tick}
	if p.User != 0 {
		return &servedClient{n}, nil
	}
	return n, nil
}

type servedNode struct {
	replica mechanism.Replica
	place   mechanism.Place
	tick    world.Time
}

func (n *servedNode) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}

func (n *servedNode) Wake(now world.Time, out *mechanism.Outbox) {
	out.WakeAt(now + n.tick)
	n.replica.Advance()
	switch {
	case n.place.User != 0:
		out.Send(3, mechanism.Command, make([]byte, 10))
		out.Count(mechanism.Command, 1)
		out.Report(mechanism.Event{Name: mechanism.Stalled, Value: int64(10 * world.Millisecond)})
	case n.place.Role == "area":
		out.SendAll([]mechanism.NodeID{1, 2}, mechanism.Update, make([]byte, 20))
		out.Count(mechanism.Update, 2*5)
		if now == 0 {
			out.Report(mechanism.Event{Name: mechanism.Promoted, Value: int64(2 * world.Second)})
			out.Report(mechanism.Event{Name: mechanism.Promoted, Value: int64(4 * world.Second)})
			out.Report(mechanism.Event{Name: mechanism.Paused, Value: int64(100 * world.Millisecond)})
			out.Report(mechanism.Event{Name: mechanism.Demoted})
			out.Report(mechanism.Event{Name: mechanism.Demoted, Value: 1})
			out.Report(mechanism.Event{Name: mechanism.Handed, Value: 7})
		}
	}
}

// Simulates makes all nodes but the registry simulate their user's number of objects, servers eight.
func (n *servedNode) Simulates() int {
	switch {
	case n.place.User != 0:
		return int(n.place.User)
	case n.place.Role == "area":
		return 8
	}
	return 0
}

type servedClient struct{ *servedNode }

func (n *servedClient) Act(world.Time, world.Action, *mechanism.Outbox) {}
func (n *servedClient) View() *world.State                              { return n.replica.State }
func (n *servedClient) Areas(dst []mechanism.Area) []mechanism.Area {
	return append(dst, mechanism.Area{}, mechanism.Area{}, mechanism.Area{}, mechanism.Area{}, mechanism.Area{})
}

// 20 ticks in 0.95 s: each of them sends, each datagram has a header of 28 bytes.
func TestFiguresOfBothSides(t *testing.T) {
	got := figures(t, served{}, line{2}, 0)
	near(t, got, "packets.sent.server", 2*20/0.95)
	near(t, got, "bytes.sent.server", 2*48*20/0.95)
	near(t, got, "bytes.sent.server.update", 2*48*20/0.95)
	near(t, got, "bytes.sent.server.each", 48*20/0.95) // of two servers one says nothing
	near(t, got, "bytes.sent.server.most", 2*48*20/0.95)
	near(t, got, "bytes.sent.server.update.each", 48*20/0.95)
	near(t, got, "packets.sent.server.update.most", 2*20/0.95)
	near(t, got, "bytes.sent.server.command", 0)
	near(t, got, "bytes.received.server", 2*38*20/0.95)
	near(t, got, "packets.sent.client", 20/0.95)
	near(t, got, "packets.sent.client.all", 2*20/0.95)
	near(t, got, "packets.sent.client.most", 20/0.95)
	near(t, got, "packets.sent.client.command", 20/0.95)
	near(t, got, "bytes.received.client", 48*20/0.95)
	near(t, got, "packets.tick.server", 2*20.0/19)
	near(t, got, "bytes.tick.client", 38*20.0/19)

	near(t, got, "items.tick.server", 2*5*20.0/19)
	near(t, got, "items.tick.server.update", 2*5*20.0/19)
	near(t, got, "items.tick.server.each", 5*20.0/19)
	near(t, got, "items.tick.server.update.most", 2*5*20.0/19)
	near(t, got, "items.tick.server.border", 0)
	near(t, got, "items.tick.client.command", 20.0/19)

	near(t, got, "simulated.server", 4) // of two that simulate something, one simulates eight and the other none
	near(t, got, "simulated.server.most", 8)
	near(t, got, "simulated.client", 1.5)
	near(t, got, "simulated.client.most", 2)
	near(t, got, "stall.client", 0.010)
	near(t, got, "stall.server", 0)
	near(t, got, "ticks.client", 20/0.95)

	near(t, got, "promotions", 2.0/10)
	near(t, got, "demotions", 2.0/10)
	near(t, got, "demotions.forced", 1.0/10)
	near(t, got, "promotion.mean", 3)
	near(t, got, "promotion.max", 4)
	near(t, got, "promotion.pause.max", 0.1)
	near(t, got, "handovers", 1/0.95)
}

// registered has a judge, and two registers that tell each other something at every tick.
type registered struct{ judged }

func (registered) Places(w world.World) []mechanism.Place {
	return append(judged{}.Places(w), mechanism.Place{ID: 2, Role: "register"}, mechanism.Place{ID: 3, Role: "register"})
}

func (r registered) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.Role == "register" {
		return register{5 - p.ID}, nil
	}
	return r.judged.NewNode(s, p)
}

type register struct{ other mechanism.NodeID }

func (register) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (r register) Wake(now world.Time, out *mechanism.Outbox) {
	out.Send(r.other, mechanism.Update, make([]byte, 72))
	out.WakeAt(now + lineSchema.Tick)
}

// Where some servers decide about the world, the average is theirs.
func TestServersThatDecideAreCounted(t *testing.T) {
	got := figures(t, registered{}, dots{line{0}}, 0)
	near(t, got, "bytes.sent.server", 2*20*100/0.95)
	near(t, got, "bytes.sent.server.each", 0)
	near(t, got, "bytes.sent.server.most", 20*100/0.95)
}

// simulated has a server that simulates three objects, and clients that simulate nothing.
type simulated struct{ judged }

func (m simulated) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := m.judged.NewNode(s, p)
	if p.User == 0 {
		return simulatingJudge{n.(judge)}, err
	}
	return n, err
}

type simulatingJudge struct{ judge }

func (simulatingJudge) Simulates() int { return 3 }

func TestClientsThatSimulateNothing(t *testing.T) {
	got := figures(t, simulated{}, line{2}, 0)
	near(t, got, "simulated.server", 3)
	near(t, got, "simulated.server.most", 3)
	near(t, got, "simulated.client", 0)
	near(t, got, "simulated.client.most", 0)
}

func TestSidesThatNobodyIsOn(t *testing.T) {
	got := figures(t, told{}, line{2}, 0)
	for _, name := range []string{"bytes.sent.server", "simulated.server", "simulated.client", "stall.server", "ticks.server", "promotions"} {
		if v, ok := got[name]; !ok || !math.IsNaN(v) {
			t.Errorf("%s is %v, where there is nothing to measure", name, v)
		}
	}
	near(t, got, "packets.sent.client", got["packets.sent"])
}

// dots are points with a radius of one, the first of which jumps about.
type dots struct{ line }

var dotsSchema = world.Schema{
	Name: "dots", Tick: 50 * world.Millisecond,
	Bounds: fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One}},
	Kinds: []world.Kind{{Name: "dot", Radius: fixed.One,
		Variables: []world.Variable{{Name: "x", Slot: world.SlotX, Type: world.Fixed, Max: int64(1000 * fixed.One), Weight: 1}}}},
}

func (d dots) Schema() *world.Schema { return &dotsSchema }

func (d dots) Populate(s *world.State) {
	for i, x := range []float64{1000, 10, 11, 63, 127.5, 256} {
		s.Put(world.Object{ID: world.ID(i + 1), Pos: at(x)})
	}
}

func at(x float64) fixed.Vec { return fixed.Vec{X: fixed.F(x * float64(fixed.One))} }

// Step has the first dot lie at one place for two ticks each.
func (d dots) Step(w *world.Window) {
	path := [...]float64{12.5, 64.5, 128.5, 255.5, 300}
	w.Edit(1).Pos = at(path[int(w.Tick())/2%len(path)])
}

// The dots at 10 and 11 touch from the start. In 19 steps the first comes by each of the others twice: it touches 11 within
// an area, 63 across a border of 64, 127.5 across one of 128 and 256 across one of every size.
func TestCollisionsAcrossBorders(t *testing.T) {
	got := figures(t, &ideal.Config{}, dots{line{0}}, 0)
	near(t, got, "collisions", 8/0.95)
	near(t, got, "collisions.across.64", 100*6.0/8)
	near(t, got, "collisions.across.128", 100*4.0/8)
	near(t, got, "collisions.across.256", 100*2.0/8)
}

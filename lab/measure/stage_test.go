package measure_test

import (
	"math"
	"testing"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// stage is a mechanism with a server and a client for each user, who do what a test says at each tick. What is received is nobody's
// concern.
type stage struct {
	play func(a *actor, tick int64, out *mechanism.Outbox)
}

func (stage) Places(w world.World) []mechanism.Place {
	places := []mechanism.Place{{ID: 1, Role: "server"}}
	for u := world.User(1); u <= w.Users(); u++ {
		places = append(places, mechanism.Place{ID: mechanism.NodeID(u) + 1, Role: "client", User: u})
	}
	return places
}

func (x stage) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	a := actor{stage: x, Place: p, state: s.Start.Clone(), slowed: 100}
	if p.User == 0 {
		return &director{a}, nil
	}
	return &performer{a}, nil
}

// actor is a node on the stage, which has a place in a tree.
type actor struct {
	stage
	mechanism.Place
	state *world.State

	cheat           bool
	slowed          int
	parent          mechanism.NodeID
	level, children int
}

var (
	_ mechanism.Slowing  = (*director)(nil)
	_ mechanism.Relaying = (*actor)(nil)
	_ mechanism.Cheating = (*actor)(nil)
)

func (a *actor) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (a *actor) Fed() (mechanism.NodeID, int, int)                        { return a.parent, a.level, a.children }
func (a *actor) Cheats() bool                                             { return a.cheat }

func (a *actor) Wake(now world.Time, out *mechanism.Outbox) {
	out.WakeAt(now + lineSchema.Tick)
	a.state.SetTick(world.Tick(now / lineSchema.Tick))
	a.play(a, int64(now/lineSchema.Tick), out)
}

// director is the server, which may slow down.
type director struct{ actor }

func (d *director) Slowed() int { return d.slowed }
func (d *director) Full() bool  { return false }

// performer is a client on the stage.
type performer struct{ actor }

func (p *performer) View() *world.State                              { return p.state }
func (p *performer) Act(world.Time, world.Action, *mechanism.Outbox) {}

// A server that works 10 ms of every tick for two seconds sends an update to each of ten clients in the first second, but to the
// first of them only in every other tick. In the third quarter it is half as fast again as usual.
func TestServiceByHand(t *testing.T) {
	serve := stage{func(a *actor, tick int64, out *mechanism.Outbox) {
		if a.User != 0 {
			return
		}
		out.Charge(10)
		a.slowed = 100
		if tick >= 20 && tick < 30 {
			a.slowed = 150
		}
		for u := mechanism.NodeID(1); u <= 10 && tick < 20; u++ {
			if u > 1 || tick%2 == 0 {
				out.Send(u+1, mechanism.Update, make([]byte, 10))
				out.Send(u+1, mechanism.Control, make([]byte, 10)) // is no service
			}
		}
	}}
	cpu := func(s *sim.Setup) { s.Hosts.CPU, s.Duration = 1000, 2*world.Second-1 }
	got := measured(t, serve, line{10}, cpu)
	near(t, got, "goodput", 190/(40*0.010))
	near(t, got, "served.least", 10/19.0)
	near(t, got, "slowed.mean", (30+10*1.5)/40)
	near(t, got, "slowed.max", 1.5)
	near(t, got, "slowed.until", 29*0.050)
	if v := measured(t, serve, line{10}, nil)["goodput"]; !math.IsNaN(v) {
		t.Errorf("goodput is %v where processors have no limit", v)
	}
	// What happened before measuring began does not count.
	got = measured(t, serve, line{10}, func(s *sim.Setup) { cpu(s); s.Warmup = world.Second })
	near(t, got, "goodput", 0)
	near(t, got, "slowed.mean", (10+10*1.5)/20)
	near(t, got, "slowed.until", 9*0.050)
}

// Two users: the first joins a tree in 40 ms and turns to another parent in 10, the second joins in 80 ms and changes its zone twice. In every
// tick of the first second the first is told something that is 30 ms old and comes at first hand, and the second something that was
// passed on twice and is 250 ms old in each fourth tick, else 90 ms; then nobody is told anything until 1.5 s.
func TestTreesByHand(t *testing.T) {
	tree := stage{func(a *actor, tick int64, out *mechanism.Outbox) {
		tell := func(name string, hops uint32, v world.Time) {
			out.Report(mechanism.Event{Name: name, Seq: hops, Value: int64(v)})
		}
		switch a.User {
		case 0:
			a.children = 1
			return
		case 1:
			a.parent, a.level, a.children = 1, 1, 3
		case 2:
			a.parent, a.level = 2, 2
		}
		if tick == 0 {
			tell(mechanism.Joined, 0, 40*ms*world.Time(a.User))
			tell(mechanism.Orphaned, 0, 0)
		}
		if tick == 1 && a.User == 1 {
			tell(mechanism.Activated, 0, 10*ms)
		}
		if tick < 2 && a.User == 2 {
			tell(mechanism.Moved, 0, 0)
		}
		switch {
		case tick > 20 && tick != 30:
		case a.User == 1:
			tell(mechanism.Delivered, 0, 30*ms)
		case tick%4 == 3:
			tell(mechanism.Delivered, 2, 250*ms)
		default:
			tell(mechanism.Delivered, 2, 90*ms)
		}
	}}
	got := measured(t, tree, line{2}, func(s *sim.Setup) { s.Duration = 2 * world.Second })
	near(t, got, "tree.join.mean", 0.060)
	near(t, got, "tree.activation.mean", 0.010)
	near(t, got, "relay.delay.0", 0.030)
	near(t, got, "relay.delay.2", (17*0.090+5*0.250)/22)
	near(t, got, "relay.within", 39/44.0)
	near(t, got, "relay.hops", 1)
	near(t, got, "zone.changes", 2/2.0/2*60)
	near(t, got, "orphans", 2/2.0)
	near(t, got, "tree.depth", 1.5)
	near(t, got, "tree.degree", 2)
	near(t, got, "tree.degree.max", 3)
	if v := got["blind.max"]; !(math.Abs(v-0.5) < 0.02) {
		t.Errorf("the longest that anybody hears nothing is %v s", v)
	}
	if v := got["relay.delay.1"]; !math.IsNaN(v) {
		t.Errorf("nothing was passed on once, but that took %v s", v)
	}
}

// near15 is the line in which nobody sees farther than 15.
type near15 struct{ line }

func (near15) Limits() world.Limits { return world.Limits{Sight: 15 * fixed.One} }

// Users 1 and 2 are 10 apart and see each other, user 3 is out of sight. Looks are half a second apart; from 1.25 s on the first user's view
// lacks the second. What the others believe of where user 3 is, right beside them, is not what counts.
func TestSightingsByHand(t *testing.T) {
	look := stage{func(a *actor, tick int64, _ *mechanism.Outbox) {
		for u, x := range []int64{0, 0, 10, 5} {
			if u == 3 && a.User == 3 {
				x = 60
			}
			if o := a.state.Edit(world.ID(u)); o != nil {
				o.Pos.X = fixed.FromInt(x)
			}
		}
		if a.User == 1 && tick >= 25 {
			a.state.Remove(2)
		}
	}}
	got := measured(t, look, near15{line{3}}, func(s *sim.Setup) { s.Duration = 3*world.Second - 1 })
	near(t, got, "sightings", 5*2/(3-1e-9))
	near(t, got, "sightings.missed", 3/10.0)
}

// Users 1 to 4 hang on each other in a row; the second and the third cheat, and the second is left by the third for it after 1.25 s, and again
// later. The first is left wrongly, by the second. From then on the second hangs on the root, and the third on the first. What the
// fourth is shown of the third is elsewhere all the time.
func TestCheatsByHand(t *testing.T) {
	row := stage{func(a *actor, tick int64, out *mechanism.Outbox) {
		leave := func(node mechanism.NodeID) {
			out.Report(mechanism.Event{Name: mechanism.Distrusted, Value: int64(node)})
		}
		a.cheat = a.User == 2 || a.User == 3
		a.parent, a.children = a.ID-1, 1
		if a.User == 0 {
			a.parent = 0
		}
		switch {
		case a.User == 4:
			a.children = 0
			a.state.Edit(3).Pos.X = 50 * fixed.One
		case a.User == 3 && (tick == 25 || tick == 30):
			leave(3)
		case a.User == 2 && tick == 25:
			leave(2)
		}
		if tick >= 25 && a.User == 2 {
			a.parent, a.children = 1, 0
		} else if tick >= 25 && a.User == 3 {
			a.parent = 2
		}
	}}
	got := measured(t, row, near15{line{4}}, func(s *sim.Setup) { s.Duration = 3*world.Second - 1 })
	near(t, got, "cheats.relaying", 2)
	near(t, got, "cheats.noticed", 1/2.0)
	near(t, got, "cheats.notice.mean", 1.25)
	near(t, got, "cheats.notice.max", 1.25)
	near(t, got, "cheats.wronged", 60/(3-1e-9))
	near(t, got, "cheats.above", (3*2+3*1)/24.0)
	near(t, got, "cheats.elsewhere", 1/12.0)
}

// A view jumps once, in its sixth tick.
func TestJumpsBeforeMeasuringDoNotCount(t *testing.T) {
	jump := stage{func(a *actor, tick int64, _ *mechanism.Outbox) {
		if a.User == 2 && tick == 5 {
			a.state.Edit(1).Pos.X = 50 * fixed.One
		}
	}}
	if v := measured(t, jump, line{2}, nil)["discontinuity"]; !(v > 0) {
		t.Errorf("a jump counts %v", v)
	}
	near(t, measured(t, jump, line{2}, func(s *sim.Setup) { s.Warmup = world.Second }), "discontinuity", 0)
}

package measure

import (
	"math"
	"testing"

	"throng/lab/churn"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// joiner is a client that takes part when the test says so, and sees its user when it does.
type joiner struct {
	ready bool
	view  *world.State
}

func (j *joiner) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (j *joiner) Wake(world.Time, *mechanism.Outbox)                       {}
func (j *joiner) Act(world.Time, world.Action, *mechanism.Outbox)          {}
func (j *joiner) View() *world.State                                       { return j.view }
func (j *joiner) Ready() bool                                              { return j.ready }

var _ mechanism.Arriving = (*joiner)(nil)

// town is a server and three clients, all of them there and in the world, whose life a test plays by hand.
type town struct {
	*Life
	clock world.Time
	hosts [4]*sim.Host
	nodes [4]*joiner
}

func newTown() *town {
	t := &town{}
	t.Life = &Life{now: func() world.Time { return t.clock }, heard: map[hearing]world.Time{}}
	schema := &world.Schema{Name: "town", Tick: 50 * world.Millisecond, Kinds: []world.Kind{{Name: "person"}},
		Bounds: fixed.Box{Max: fixed.Vec{X: fixed.One, Y: fixed.One}}}
	for i := range t.hosts {
		view := world.NewState(schema, 1)
		t.nodes[i] = &joiner{ready: true, view: view}
		t.hosts[i] = &sim.Host{Place: mechanism.Place{ID: mechanism.NodeID(i + 1), Role: "server"}, Node: t.nodes[i]}
		if i > 0 {
			t.hosts[i].Place.Role, t.hosts[i].Place.User = "client", world.User(i)
			t.hosts[i].Client = t.nodes[i]
			view.Put(world.Object{ID: world.ID(i), User: world.User(i)})
		}
		n := t.of(t.hosts[i])
		n.up, n.inside = true, i > 0
	}
	return t
}

// news has a node send its kind of news to others.
func (t *town) news(from int, to ...int) {
	for _, i := range to {
		t.Received(t.hosts[i], mechanism.Message{From: mechanism.NodeID(from + 1), To: mechanism.NodeID(i + 1), Class: mechanism.Update}, 100)
	}
}

// at lets time pass to a moment in milliseconds.
func (t *town) at(ms int64) *town {
	t.clock = world.Time(ms) * world.Millisecond
	t.Tick(t.clock)
	return t
}

func (t *town) stop(i int, k churn.Kind)  { t.Stopped(t.hosts[i], t.clock, &churn.Event{Kind: k}) }
func (t *town) start(i int, k churn.Kind) { t.Started(t.hosts[i], t.clock, &churn.Event{Kind: k}) }

func (t *town) figures() map[string]float64 {
	got := map[string]float64{}
	t.Report(0, func(name, _ string, value float64) { got[name] = value })
	return got
}

func expect(t *testing.T, got map[string]float64, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		if g, ok := got[name]; !ok || !(math.Abs(g-w) <= 1e-9) && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("%s is %v, want %v", name, g, w)
		}
	}
}

// Client 3 returns at 1 s. It is ready at 1.2 s, but its user is in the world only at 1.5 s; until then it has sent 30 bytes
// and received 100 and 50. Client 2 returns, too, and never comes so far.
func TestTimeToJoinByHand(t *testing.T) {
	l := newTown()
	l.at(500).stop(3, churn.Crash)
	l.stop(2, churn.Crash)
	l.nodes[3].ready = false
	own := l.nodes[3].view
	l.nodes[3].view = world.NewState(own.Schema(), 1)
	l.nodes[2].ready = false
	l.at(1000).start(3, churn.Return)
	l.start(2, churn.Return)
	l.Sent(l.hosts[3], mechanism.Message{}, 30)
	l.news(0, 3)
	l.at(1200)
	l.nodes[3].ready = true
	l.at(1250).Received(l.hosts[3], mechanism.Message{From: 1, Class: mechanism.Control}, 50)
	l.nodes[3].view = own
	l.at(1500)
	l.news(0, 3) // no longer part of the recovery
	expect(t, l.at(2000).figures(), map[string]float64{"join.mean": 0.5, "join.p50": 0.5, "join.failed": 0.5, "recovery.bytes": 180, "thrown": 0})
}

// The server tells clients 1 and 2 something every 100 ms until it crashes at 1 s; client 3 hears from client 2 only. The server
// is back at 3 s: client 1 hears from it at 3.2 s, client 2 leaves at 4 s without. Client 3 gets nothing between 1.5 s and 3.7 s.
func TestOutageAndSilenceByHand(t *testing.T) {
	l := newTown()
	for ms := int64(0); ms < 1000; ms += 100 {
		l.at(ms).news(0, 1, 2)
		l.news(2, 3)
	}
	l.at(1000).stop(0, churn.Crash)
	l.at(1050).news(0, 1) // was on the way
	l.at(1500).news(2, 3)
	l.at(3000).start(0, churn.Return)
	l.at(3200).news(0, 1)
	l.news(0, 1)
	l.at(3700).news(2, 3)
	l.at(4000).stop(2, churn.Leave)
	for ms := int64(4000); ms <= 12000; ms += 1000 {
		l.at(ms).news(1, 3)
	}
	// 2.2 s and 3 s; client 3's longest silence, that of everybody who is not concerned, is 2.2 s.
	expect(t, l.figures(), map[string]float64{"outage.mean": 2.6, "outage.max": 3, "silence.mean": 2.2, "silence.max": 2.2})
}

// What has not ended when the run does lasts until then: an outage from 1 s to 5 s, and a silence from 1 s on.
func TestWhatLastsUntilTheEndCounts(t *testing.T) {
	l := newTown()
	l.at(900).news(0, 1)
	l.at(1000).stop(0, churn.Freeze)
	expect(t, l.at(5000).figures(), map[string]float64{"outage.mean": 4, "silence.mean": 4, "silence.max": 4, "join.mean": math.NaN()})
}

// Whoever has not heard from the server for more than a second is not concerned by its end, but may well hear nothing.
func TestOnlyAcquaintancesAreConcerned(t *testing.T) {
	l := newTown()
	l.at(0).news(0, 2)
	l.at(100).news(0, 1)
	l.stop(3, churn.Leave)
	l.at(1100).stop(0, churn.Crash)
	expect(t, l.at(2100).figures(), map[string]float64{"outage.mean": 1, "outage.max": 1, "silence.mean": 1})
}

// Client 2 stands still from 2 s to 4 s by itself, after client 1 has crashed: it missed 1 s before and 1 s after that.
func TestOwnAbsenceIsNoSilence(t *testing.T) {
	l := newTown()
	l.stop(3, churn.Leave)
	l.at(1000).stop(1, churn.Crash)
	l.at(2000).stop(2, churn.Freeze)
	l.at(4000).start(2, churn.Thaw)
	expect(t, l.at(5000).figures(), map[string]float64{"silence.max": 1})
}

// A user who leaves is no failure, and neither is a receipt news.
func TestWhatIsNoFailure(t *testing.T) {
	l := newTown()
	l.at(900).Received(l.hosts[1], mechanism.Message{From: 1, Class: mechanism.Receipt}, 10)
	l.at(1000).stop(3, churn.Leave)
	expect(t, l.at(2000).figures(), map[string]float64{"outage.mean": math.NaN(), "silence.mean": math.NaN()})
	l.stop(0, churn.Leave) // but a server that ends is one, drained or not
	expect(t, l.at(3000).figures(), map[string]float64{"outage.mean": math.NaN(), "silence.mean": 1})
}

// Client 1 is thrown out at 1 s and is back at 2 s, client 2 is no longer ready at 3 s; client 3 ends by itself, which is no
// throwing out. What was confirmed before the world began again is lost.
func TestThrownOutByHand(t *testing.T) {
	l := newTown()
	own := l.nodes[1].view
	l.at(950)
	l.nodes[1].view = world.NewState(own.Schema(), 1)
	l.at(1000)
	l.at(1050)
	l.nodes[1].view = own
	l.at(2000)
	l.nodes[2].ready = false
	l.at(3000).stop(3, churn.Crash)
	for _, name := range []string{mechanism.Confirmed, mechanism.Confirmed, mechanism.Restarted, mechanism.Confirmed} {
		l.Event(l.hosts[0], l.clock, mechanism.Event{Name: name})
	}
	expect(t, l.at(3050).figures(), map[string]float64{"thrown": 2, "actions.lost": 2})
	if got := newTown().figures(); !math.IsNaN(got["actions.lost"]) {
		t.Errorf("nobody confirms anything, and yet what is lost is %v", got["actions.lost"])
	}
}

// What began before the warm-up was over does not count.
func TestLifeBeforeMeasuringDoesNotCount(t *testing.T) {
	l := newTown()
	l.at(100).stop(3, churn.Crash)
	l.nodes[3].ready = false
	l.at(200).start(3, churn.Return)
	l.nodes[1].ready = false // thrown out
	for _, name := range []string{mechanism.Confirmed, mechanism.Restarted} {
		l.Event(l.hosts[0], l.clock, mechanism.Event{Name: name})
	}
	l.at(500).Begin(l.clock)
	l.nodes[3].ready = true
	expect(t, l.at(1000).figures(), map[string]float64{"thrown": 0, "actions.lost": 0, "join.mean": math.NaN(), "join.failed": math.NaN(), "silence.mean": math.NaN(), "recovery.bytes": math.NaN()})
}

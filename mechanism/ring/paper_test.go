package ring

import (
	"testing"

	"throng/internal/param"
	"throng/lab/serial"
	"throng/mechanism"
	"throng/mechanism/broadcast"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/worldtest"
	"throng/worlds/shooters"
)

// The archers of the shooters' yard, and their nodes.
const (
	archerA, archerB    world.ID = 1, 2
	userB, userC                 = world.User(2), world.User(3)
	nodeA, nodeB, nodeC          = mechanism.NodeID(2), mechanism.NodeID(3), mechanism.NodeID(4)
)

// scene plays the scene of III-B: C shoots B, and before the news can have arrived, B shoots A.
func scene(t *testing.T, m mechanism.Mechanism) (*mechanismtest.Rig, *serial.Order) {
	t.Helper()
	c := param.Default[shooters.Config]()
	w := worldtest.Make[world.World](t, &c)
	r, err := mechanismtest.NewRig(m, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	order := serial.New(w, r.Session.Start)
	for _, p := range r.Session.Places {
		r.Node(p.ID).(mechanism.Ordered).Testify(order.Witness(p.ID))
	}
	r.Network = mechanismtest.Constant(100 * world.Millisecond)
	r.Start()
	r.Act(userC, world.Action{Verb: shooters.Shoot, Target: archerB})
	r.Advance(50 * world.Millisecond)
	r.Act(userB, world.Action{Verb: shooters.Shoot, Target: archerA})
	r.Advance(world.Second)
	return r, order
}

func down(r *mechanismtest.Rig, at mechanism.NodeID, archer world.ID) bool {
	return r.View(at).Get(archer).Attr[0] != 0
}

// III-B, figure 3: A thinks it is dead. It heard of B's arrow but not of C's, which had killed B before. The other two know
// better, and the checker sees it.
func TestPaperRingKillsA(t *testing.T) {
	cfg := param.Default[Config]()
	r, order := scene(t, &cfg)
	if !down(r, nodeA, archerA) || down(r, nodeA, archerB) {
		t.Error("A does not think that it was shot by B, who lives")
	}
	for _, id := range []mechanism.NodeID{nodeB, nodeC} {
		if down(r, id, archerA) || !down(r, id, archerB) {
			t.Errorf("node %d does not know that B was shot and A was not", id)
		}
	}
	if order.Verdict() == nil {
		t.Error("the order has not been contradicted")
	}
	if order.Violations() != 1 || order.Checked() != 3 {
		t.Errorf("%d of %d objects contradict the order, want 1 of 3", order.Violations(), order.Checked())
	}
}

// II: who is sent everything holds nothing but what follows from the order.
func TestPaperBroadcastDoesNot(t *testing.T) {
	cfg := param.Default[broadcast.Config]()
	r, order := scene(t, &cfg)
	for _, id := range []mechanism.NodeID{nodeA, nodeB, nodeC} {
		if down(r, id, archerA) || !down(r, id, archerB) {
			t.Errorf("node %d does not know that B was shot and A was not", id)
		}
	}
	if err := order.Verdict(); err != nil || order.Checked() != 3 {
		t.Errorf("%d objects checked: %v", order.Checked(), err)
	}
}

package octree

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// A client that one balancer has sent to a server counts there with the others too, until the server says that it has come.
func TestBalancersTellEachOtherOfLeases(t *testing.T) {
	r := balanced(t, town(t, 4, true), func(c *Config) { c.Reassign = 0 })
	r.Play(60)
	c := r.Mechanism.(*Config)
	all := [2]*balancer{r.Node(c.balancerNode(0)).(*balancer), r.Node(c.balancerNode(1)).(*balancer)}
	clients := func(b *balancer) (sum int) {
		for i := range c.Servers {
			sum += b.leases.Map.Clients(i)
		}
		return sum
	}
	for i, b := range all {
		if b.leases.Pending() != 0 || clients(b) != 4 {
			t.Fatalf("balancer %d expects %d clients and knows of %d", i, b.leases.Pending(), clients(b))
		}
	}
	seek := input.AppendSeek(nil, membership.Identity{Epoch: 9, Life: 1}, 1, 0)
	r.Give(mechanism.Message{From: c.Admit(1).ID, To: c.balancerNode(0), Payload: seek})
	r.Advance(10 * ms)
	for i, b := range all {
		if b.leases.Pending() != 1 || clients(b) != 5 {
			t.Errorf("balancer %d expects %d clients and knows of %d", i, b.leases.Pending(), clients(b))
		}
	}
	p := report{clients: 4, came: []world.User{1}}
	for i, b := range all {
		rd := wire.NewReader(p.append(nil))
		if !b.takeReport(0, &rd) || b.leases.Pending() != 0 || b.leases.Map.Clients(0) != 4 {
			t.Errorf("balancer %d still expects who has come", i)
		}
	}
}

// A server that is to go has others answer for what is nobody's, too, in a world that does not say whose business it is.
func TestDrainingHandsOverWhatIsNobodys(t *testing.T) {
	r := newRig(t, both{newCounting(3)}, nil)
	r.Advance(200 * ms)
	tally := mechanismtest.TallyOf(r.World)
	_, from := holders(r, tally)
	r.Bid(r.Mechanism.(*Config).serverNode(from))
	r.Advance(2 * world.Second)
	if n, at := holders(r, tally); n != 1 || at == from {
		t.Errorf("%d servers answer for the tally, the last is %d", n, at)
	}
	if s := serverOf(r, from); s.own.Len() != 0 || !s.Gone() {
		t.Errorf("it still answers for %d objects", s.own.Len())
	}
}

// A client that has moved shows what its old server told until the new one has told everything, which takes several datagrams here; what
// the new one does not know of is then gone, and stays so.
func TestWhatIsShownOutlivesAMove(t *testing.T) {
	const users, phantom = 40, 1 << 40
	c := configured(func(c *Config) { c.Balancers, c.Reassign, c.Datagram = 1, 0, 400 })
	r := mechanismtest.StartRig(t, c, town(t, users, true), 20*ms)
	r.Play(40)
	from := serverOf(r, serving(r, 1))
	to := serverOf(r, (from.number+1)%3)
	o := *from.shown.Get(1)
	o.ID, o.User, o.Pos.X = phantom, 0, o.Pos.X+fixed.One
	from.show(&o, 0)
	r.Play(4)
	view, node := clientOf(r, 1).View(), c.Admit(1).ID
	before := view.Len()
	if view.Get(phantom) == nil || before < users {
		t.Fatalf("the client shows %d objects", before)
	}
	var out mechanism.Outbox
	from.sendTo(r.Now(), from.members.Of(1), to.number, &out)
	for i := range out.Sends() {
		r.Give(out.Message(i, from.self))
	}
	moved, partial := false, 0
	r.Observe = func(call *mechanismtest.Call) {
		for _, e := range call.Out.Events() {
			moved = moved || e.Name == viewer.Moved && e.User == 1
		}
		if call.Node != node || !moved || view.Get(phantom) == nil {
			return
		}
		if partial++; view.Len() != before {
			t.Errorf("at %v the client shows %d objects, before %d", r.Now(), view.Len(), before)
		}
	}
	for tries := 0; tries < 200 && (!moved || view.Get(phantom) != nil); tries++ {
		r.Advance(5 * ms)
	}
	if !moved || partial == 0 || view.Get(phantom) != nil || view.Len() != before-1 {
		t.Fatalf("moved: %t; %d datagrams did not tell everything; the client shows %d objects, before %d", moved, partial, view.Len(), before)
	}
	for range 10 {
		r.Advance(20 * ms)
		if view.Get(phantom) != nil || view.Len() != before-1 {
			t.Fatalf("the client shows %d objects, before %d", view.Len(), before)
		}
	}
}

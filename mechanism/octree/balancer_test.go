package octree

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
)

// balanced runs a town with balancers.
func balanced(t testing.TB, w world.World, change func(*Config)) *mechanismtest.Rig {
	return newRig(t, w, func(c *Config) {
		c.Balancers = 2
		if change != nil {
			change(c)
		}
	})
}

// clientOf is a user's client.
func clientOf(r *mechanismtest.Rig, u world.User) *viewer.Client {
	return r.Client(r.Mechanism.(*Config).Admit(u).ID).(*viewer.Client)
}

// serving is the number of the server that serves a user, by what the client knows.
func serving(r *mechanismtest.Rig, u world.User) int {
	i, _ := r.Mechanism.(*Config).serverAt(clientOf(r, u).Server())
	return i
}

// company is how many of those within sight of each other are served by the same server, in hundredths.
func company(r *mechanismtest.Rig, users world.User, sight fixed.F) int {
	pairs, same := 0, 0
	for u := world.User(1); u <= users; u++ {
		at := clientOf(r, u).View().Get(world.ID(u))
		if at == nil {
			continue
		}
		for o := range clientOf(r, u).View().All() {
			if o.User == 0 || o.User == u || !near(o.Pos, at.Pos, sight) {
				continue
			}
			if pairs++; serving(r, u) == serving(r, o.User) {
				same++
			}
		}
	}
	return 100 * same / max(pairs, 1)
}

// Section 6.6: clients who see each other are served by the same servers, and none by far the most.
func TestThoseWhoSeeEachOtherAreServedTogether(t *testing.T) {
	const users, servers = 80, 4
	w := town(t, users, false)
	sight := w.(world.Limited).Limits().Sight
	r := balanced(t, w, func(c *Config) { c.Servers, c.Reassign = servers, 2*world.Second })
	r.Play(20)
	first := company(r, users, sight)
	r.Play(180)
	var counts [servers]int
	for u := world.User(1); u <= users; u++ {
		if !clientOf(r, u).Ready() {
			t.Errorf("user %d is not served", u)
		}
		counts[serving(r, u)]++
	}
	later := company(r, users, sight)
	t.Logf("%d%% of those in sight are with the same server at first, %d%% later; clients of servers: %v", first, later, counts)
	if first < 40 || later < 40 { // by chance it would be 25
		t.Errorf("%d%% of those in sight are with the same server at first, %d%% later", first, later)
	}
	for i, n := range counts {
		if n > users/2 || n < users/servers/3 {
			t.Errorf("server %d has %d of %d clients", i, n, users)
		}
	}
}

// gaps follows what clients see while others move to another server.
type gaps struct {
	rig   *mechanismtest.Rig
	t     *testing.T
	users world.User
	seen  []map[world.ID]fixed.Vec
	jump  fixed.F // the farthest that anything may be shown to move in a tick
	ticks int
}

func newGaps(t *testing.T, r *mechanismtest.Rig, users world.User, jump fixed.F) *gaps {
	return &gaps{rig: r, t: t, users: users, jump: jump, seen: make([]map[world.ID]fixed.Vec, users+1)}
}

// look compares what everybody sees with what they saw a tick before: all are near each other, so nobody may vanish or jump.
func (g *gaps) look() {
	g.ticks++
	for u := world.User(1); u <= g.users; u++ {
		now := map[world.ID]fixed.Vec{}
		for o := range clientOf(g.rig, u).View().All() {
			now[o.ID] = o.Pos
		}
		for id, was := range g.seen[u] {
			at, ok := now[id]
			if !ok {
				g.t.Errorf("at %v user %d sees object %d no longer", g.rig.Now(), u, id)
			} else if d := at.Sub(was).Len(); d > g.jump {
				g.t.Errorf("at %v user %d sees object %d jump by %v", g.rig.Now(), u, id, d)
			}
		}
		g.seen[u] = now
	}
}

// Section 6.4.3: the new server knows what a client sees before the client goes there, and the client goes on with what the old one
// told: nobody vanishes, nobody jumps, and what its user does is done.
func TestHandOverIsNotFelt(t *testing.T) {
	const users = 8
	r := mechanismtest.StartRig(t, configured(func(c *Config) { c.Balancers, c.Servers, c.Reassign = 2, 3, 0 }), town(t, users, true), 20*ms)
	r.Play(60)
	g := newGaps(t, r, users, fixed.One)
	moved := 0
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == viewer.Moved {
				moved++
			}
			if e.Name == mechanism.Malformed {
				t.Errorf("node %d could not read something", c.Node)
			}
		}
	}
	for round := range 5 {
		u := world.User(1 + round)
		from := serverOf(r, serving(r, u))
		var out mechanism.Outbox
		from.sendTo(r.Now(), from.members.Of(u), (from.number+1)%3, &out)
		for i := range out.Sends() {
			m := out.Message(i, from.self)
			r.Give(m)
		}
		was := from.number
		for range 20 {
			r.Play(1)
			g.look()
		}
		if now := serving(r, u); now == was {
			t.Errorf("user %d is still with server %d", u, was)
		}
		if n, at := holders(r, world.ID(u)); n != 1 || at != serving(r, u) {
			t.Errorf("user %d is with server %d, what it has with %d", u, serving(r, u), at)
		}
	}
	if moved != 5 {
		t.Errorf("%d have moved", moved)
	}
}

// With a budget, what is near is still shown one by one while a client moves.
func TestHandOverWithABudget(t *testing.T) {
	const users = 30
	w := town(t, users, true)
	r := mechanismtest.StartRig(t, configured(func(c *Config) { c.Balancers, c.Reassign, c.Budget = 1, 0, 2500 }), w, 20*ms)
	r.Play(100)
	from := serverOf(r, serving(r, 1))
	reach := from.members.Of(1).budget.reach
	if reach >= from.field.Sight() {
		t.Fatal("the budget suffices for everything")
	}
	var out mechanism.Outbox
	from.sendTo(r.Now(), from.members.Of(1), (from.number+1)%3, &out)
	for i := range out.Sends() {
		r.Give(out.Message(i, from.self))
	}
	to := serverOf(r, (from.number+1)%3)
	for tries := 0; to.members.Of(1) == nil && tries < 200; tries++ {
		r.Advance(5 * ms)
	}
	if got := to.members.Of(1).budget.reach; got > reach+reach/4 {
		t.Errorf("things are told one by one as far as %v, before %v", got, reach)
	}
	view := clientOf(r, 1).View()
	var near []world.ID
	for range 60 {
		near = near[:0]
		for o := range view.All() {
			if o.Pos.Within(view.Get(1).Pos, reach/2) {
				near = append(near, o.ID)
			}
		}
		r.Play(1)
		for _, id := range near {
			if view.Get(id) == nil {
				t.Errorf("at %v object %d is gone", r.Now(), id)
			}
		}
	}
	if serving(r, 1) != to.number || len(near) < 3 {
		t.Errorf("it has not moved, or sees nobody: %d", len(near))
	}
}

// Who leaves while it moves to another server is gone from both.
func TestLeavingWhileMoving(t *testing.T) {
	const users = 4
	r := mechanismtest.StartRig(t, configured(func(c *Config) { c.Balancers, c.Reassign = 1, 0 }), town(t, users, true), 20*ms)
	r.Play(60)
	c := r.Mechanism.(*Config)
	id, from := c.Admit(1).ID, serverOf(r, serving(r, 1))
	to := (from.number + 1) % 3
	asks := false
	r.Observe = func(call *mechanismtest.Call) {
		for i := range call.Out.Sends() {
			m := call.Out.Message(i, call.Node)
			asks = asks || m.From == id && m.To == c.serverNode(to) && m.Payload[0] == input.KindJoin
		}
	}
	var out mechanism.Outbox
	from.sendTo(r.Now(), from.members.Of(1), to, &out)
	for i := range out.Sends() {
		r.Give(out.Message(i, from.self))
	}
	for tries := 0; !asks && tries < 200; tries++ {
		r.Advance(5 * ms)
	}
	r.Bid(id)
	r.Advance(2 * world.Second)
	if !asks || r.Ready(id) || from.members.Of(1) != nil || serverOf(r, to).members.Of(1) != nil {
		t.Error("it still takes part")
	}
	for i := range c.Servers {
		if serverOf(r, i).Owns(1) {
			t.Errorf("server %d has its body still", i)
		}
	}
}

// A server that is to go is emptied first, with the same care, and then stops.
func TestDraining(t *testing.T) {
	for _, balancers := range []int{0, 2} {
		const users = 9
		r := mechanismtest.StartRig(t, configured(func(c *Config) { c.Balancers = balancers }), town(t, users, true), 20*ms)
		r.Play(60)
		g := newGaps(t, r, users, fixed.One)
		id := r.Mechanism.(*Config).serverNode(1)
		s := serverOf(r, 1)
		r.Bid(id)
		for range 60 {
			r.Play(1)
			g.look()
		}
		if s.members.Len() != 0 || s.own.Len() != 0 || !s.Gone() {
			t.Errorf("with %d balancers it still has %d clients and %d objects", balancers, s.members.Len(), s.own.Len())
		}
		r.Leave(id)
		for range 60 {
			r.Play(1)
			g.look()
		}
	}
}

// Section 6.7.1 has the balancer as what may not fail. Here others answer, and the world goes on without any.
func TestBalancersFail(t *testing.T) {
	r := balanced(t, newCounting(4), nil)
	c := r.Mechanism.(*Config)
	r.Advance(2 * world.Second)
	r.Leave(c.balancerNode(0))
	back := func(u world.User) {
		t.Helper()
		if err := r.Join(c.Admit(u).ID); err != nil {
			t.Fatal(err)
		}
		r.Advance(3 * world.Second)
		if !r.Ready(c.Admit(u).ID) {
			t.Errorf("user %d does not get in", u)
		}
	}
	back(1)
	back(2)
	r.Leave(c.balancerNode(1))
	back(3)
	before := sum(t, r)
	r.Act(count(4))
	r.Advance(world.Second)
	if got := sum(t, r); got != before+1 {
		t.Errorf("the tally holds %d, before %d", got, before)
	}
	if err := r.Join(c.balancerNode(0)); err != nil {
		t.Fatal(err)
	}
	r.Advance(3 * world.Second)
	b := r.Node(c.balancerNode(0)).(*balancer)
	clients := 0
	for i := range c.Servers {
		clients += b.leases.Map.Clients(i)
	}
	if clients != 4 {
		t.Errorf("a balancer that is back knows of %d clients", clients)
	}
}

// Balancers learn from servers who is where, and agree; what they expect does not stay.
func TestBalancersAgree(t *testing.T) {
	const users = 30
	r := balanced(t, town(t, users, false), func(c *Config) { c.Servers, c.Placing.Blocks = 4, 40 }) // reports take several messages
	r.Play(100)
	r.Leave(r.Mechanism.(*Config).serverNode(2))
	r.Play(200)
	c := r.Mechanism.(*Config)
	a, b := r.Node(c.balancerNode(0)).(*balancer), r.Node(c.balancerNode(1)).(*balancer)
	for i := range c.Servers {
		have := 0
		if s := serverOf(r, i); s != nil {
			have = s.members.Len()
		}
		if x, y := a.leases.Map.Clients(i), b.leases.Map.Clients(i); x != have || y != have {
			t.Errorf("server %d has %d clients; balancers take it to have %d and %d", i, have, x, y)
		}
	}
	heat, other := a.Heat(nil), b.Heat(nil)
	if len(heat) == 0 || len(heat) != len(other) {
		t.Errorf("one knows of %d blocks, the other of %d", len(heat), len(other))
	}
	for i := range heat {
		if i < len(other) && heat[i] != other[i] {
			t.Errorf("%+v and %+v", heat[i], other[i])
		}
	}
}

// The new server has said that it is ready only when it knows all that the client sees, though it knew nothing of that place before.
func TestReadyMeansAllIsKnown(t *testing.T) {
	w := town(t, 60, false)
	sight := w.(world.Limited).Limits().Sight
	r := mechanismtest.StartRig(t, configured(func(c *Config) { c.Balancers, c.Servers, c.Reassign = 1, 12, 0 }), w, 20*ms)
	r.Play(40)
	checked := 0
	for u := world.User(1); u <= 6; u++ {
		from := serverOf(r, serving(r, u))
		to := serverOf(r, (from.number+6)%12)
		m := from.members.Of(u)
		var out mechanism.Outbox
		from.sendTo(r.Now(), m, to.number, &out)
		for i := range out.Sends() {
			r.Give(out.Message(i, from.self))
		}
		for tries := 0; !m.placed.ready && tries < 400; tries++ {
			r.Advance(ms)
		}
		own := from.shown.Get(world.ID(u))
		for o := range from.shown.All() {
			if near(o.Pos, own.Pos, sight*9/10) { // some come into sight meanwhile
				checked++
				if !to.Holds(o.ID) {
					t.Errorf("server %d is ready for user %d and does not know of %d", to.number, u, o.ID)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d objects were looked at", checked)
	}
}

package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/worlds/crowd"
)

// town is a world that users enter and leave.
func town(t *testing.T, walkers int) world.World {
	t.Helper()
	c := param.Default[crowd.Config]()
	c.Walkers = walkers
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// serversOf are the area servers of a run.
func serversOf(rig *mechanismtest.Rig) (servers []*server) {
	for _, p := range rig.Session.Places {
		if n, ok := rig.Node(p.ID).(*server); ok {
			servers = append(servers, n)
		}
	}
	return servers
}

// A client that crashes is gone for all servers when the time-out is over, its user leaves the world, and nothing is sent to it
// any more.
func TestCrashedClientLeaves(t *testing.T) {
	config := param.Default[Config]()
	config.Timeout = 4 * world.Second
	rig := run(t, &config, town(t, 10), 20*ms)
	rig.Play(40)
	seen := watch(t, rig)
	before := len(seen.owned())
	id := config.Admit(3).ID
	rig.Leave(id)
	rig.Advance(3 * world.Second)
	if got := len(seen.owned()); got != before {
		t.Errorf("%d objects before the crash, %d while it may be back", before, got)
	}
	rig.Advance(4 * world.Second)
	if got := len(seen.owned()); got >= before {
		t.Errorf("%d objects before the crash, %d long after", before, got)
	}
	sent := 0
	rig.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			if c.Out.Message(i, c.Node).To == id {
				sent++
			}
		}
	}
	rig.Advance(5 * world.Second)
	if sent > 0 {
		t.Errorf("%d datagrams are sent to who is gone", sent)
	}
	for _, n := range serversOf(rig) {
		if n.members.At(id) != nil {
			t.Errorf("area %d still knows the client", n.area)
		}
	}
	if err := rig.Join(id); err != nil {
		t.Fatal(err)
	}
	rig.Advance(2 * world.Second)
	if got := len(seen.owned()); got != before || !rig.Ready(id) {
		t.Errorf("%d objects before the crash, %d after the return", before, got)
	}
}

// Who returns in a later epoch need not wait until its predecessor has timed out.
func TestReturnBeforeTheTimeout(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, town(t, 6), 20*ms)
	rig.Play(40)
	seen := watch(t, rig)
	before := len(seen.owned())
	id := config.Admit(2).ID
	if err := rig.Join(id); err != nil {
		t.Fatal(err)
	}
	rig.Advance(world.Second)
	if got := len(seen.owned()); got != before || !rig.Ready(id) {
		t.Errorf("%d objects before, %d after the return", before, got)
	}
	rig.Advance(30 * world.Second)
	if !rig.Ready(id) || serversOf(rig)[0].members.At(id).Identity.Epoch != 1 {
		t.Error("who has returned is gone with its predecessor")
	}
}

// A client that leaves knows after a round trip that it has, and is known to nobody.
func TestLeavingIsQuick(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, town(t, 6), 20*ms)
	rig.Play(40)
	id := config.Admit(2).ID
	n := rig.Node(id).(*client)
	rig.Bid(id)
	if n.Gone() || n.Ready() {
		t.Error("it is gone before anybody has heard it")
	}
	rig.Advance(50 * ms)
	if !n.Gone() {
		t.Error("it does not know that it is gone")
	}
	for _, s := range serversOf(rig) {
		if s.members.At(id) != nil {
			t.Errorf("area %d still knows it", s.area)
		}
	}
	sent := 0
	rig.Observe = func(c *mechanismtest.Call) {
		if c.Node == id {
			sent += c.Out.Sends()
		}
	}
	rig.Advance(5 * world.Second)
	if sent > 0 {
		t.Errorf("it sends %d datagrams afterwards", sent)
	}
}

// repeats counts what is sent again, from now on.
func repeats(rig *mechanismtest.Rig) *int {
	count, _ := events(rig, mechanism.Repeated)
	return count
}

// When servers die, those who are left give them up: they go on without them, and repeat nothing to them.
func TestLinksToTheDeadEnd(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, mechanismtest.Marbles(8), 20*ms)
	rig.Play(100)
	rig.Leave(config.servers().Of(1))
	rig.Leave(registryID)
	rig.Play(int((config.Timeout + 3*world.Second) / rig.World.Schema().Tick))
	again := repeats(rig)
	sent := 0
	before := rig.Observe
	rig.Observe = func(c *mechanismtest.Call) {
		before(c)
		for i := range c.Out.Sends() {
			if c.Out.Message(i, c.Node).To == config.servers().Of(1) {
				sent++
			}
		}
	}
	rig.Play(200)
	if *again > 0 {
		t.Errorf("%d messages are repeated in ten seconds", *again)
	}
	if seconds := 10; sent > 3*seconds*len(rig.Session.Places) {
		t.Errorf("%d datagrams are sent to the dead", sent)
	}
	for _, n := range serversOf(rig) {
		if n.replica.tick() < mechanism.TickAt(rig.Now(), n.pace.Tick)-2*n.pace.Ticks {
			t.Errorf("area %d is at tick %d", n.area, n.replica.tick())
		}
	}
}

// Servers that have lost each other for longer than the time-out meet again. No object is lost or doubled, and replicas agree.
func TestServersMeetAgain(t *testing.T) {
	config := param.Default[Config]()
	config.Timeout = 3 * world.Second
	rig := run(t, &config, mechanismtest.Marbles(8), 20*ms)
	w := watch(t, rig)
	rig.Play(100)
	a, b := config.servers().Of(0), config.servers().Of(1)
	rig.Network = func(m mechanism.Message) (world.Time, bool) {
		return 20 * ms, min(m.From, m.To) == a && max(m.From, m.To) == b
	}
	rig.Play(200)
	if n := rig.Node(a).(*server); n.peers[1].InTouch() {
		t.Error("the servers have not given each other up")
	}
	rig.Network = mechanismtest.Constant(20 * ms)
	rig.Play(200)
	rig.Advance(8 * world.Second)
	for _, n := range serversOf(rig) {
		for i := range n.peers {
			if i != n.area && !n.peers[i].InTouch() {
				t.Errorf("area %d is not in touch with area %d", n.area, i)
			}
		}
	}
	w.complete()
	w.abreast()
}

// A registration server that takes another's place learns who serves what, and lets clients in.
func TestRegistryIsReplaced(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, mechanismtest.Marbles(4), 20*ms)
	rig.Play(20)
	if err := rig.Join(registryID); err != nil {
		t.Fatal(err)
	}
	rig.Advance(world.Second)
	id := config.Admit(2).ID
	if err := rig.Join(id); err != nil {
		t.Fatal(err)
	}
	rig.Advance(world.Second)
	if !rig.Ready(id) {
		t.Error("nobody gets in")
	}
}

package aos

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/fixed"
	"throng/worlds/crowd"
	"throng/worlds/pong"
	"throng/worlds/swarm"

	"throng/internal/param"
)

const ms = world.Millisecond

// run builds a run with a delay and starts it.
func run(t *testing.T, c *Config, w world.World, delay world.Time) *mechanismtest.Rig {
	t.Helper()
	rig, err := mechanismtest.NewRig(c, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = mechanismtest.Constant(delay)
	rig.Start()
	return rig
}

// events counts what is reported from now on, and adds up the values.
func events(rig *mechanismtest.Rig, name string) (count *int, sum *int64) {
	count, sum = new(int), new(int64)
	before := rig.Observe
	rig.Observe = func(c *mechanismtest.Call) {
		if before != nil {
			before(c)
		}
		for _, e := range c.Out.Events() {
			if e.Name == name {
				*count++
				*sum += e.Value
			}
		}
	}
	return count, sum
}

// TestOtherWorlds runs worlds that were not made for areas.
func TestOtherWorlds(t *testing.T) {
	for _, c := range []interface {
		World() (world.World, error)
	}{new(pong.Config), new(swarm.Config), new(crowd.Config)} {
		if err := param.Defaults(c); err != nil {
			t.Fatal(err)
		}
		if x, ok := c.(*crowd.Config); ok {
			x.Walkers = 30
		}
		w, err := c.World()
		if err != nil {
			t.Fatal(err)
		}
		config := param.Default[Config]()
		config.Areas = 2
		rig := run(t, &config, w, 10*ms)
		seen := watch(t, rig)
		applied, _ := events(rig, mechanism.Applied)
		rig.Play(150)
		rig.Advance(3 * world.Second)
		seen.complete()
		seen.abreast()
		if *applied == 0 {
			t.Errorf("%s: nothing takes effect", w.Schema().Name)
		}
		for _, p := range rig.Session.Places {
			if client := rig.Client(p.ID); client != nil && client.View().Len() == 0 {
				t.Errorf("%s: user %d sees nothing", w.Schema().Name, p.User)
			}
		}
	}
}

// TestDelaysFollowLatency has three clients in one area, one of which is far away.
func TestDelaysFollowLatency(t *testing.T) {
	far := mechanism.NodeID(5) // of user 3
	for _, c := range []struct {
		delay      string
		fairness   int
		near, away turn.Number
	}{
		{Static, 0, 2, 2},
		{Dynamic, 0, 5, 5}, // as the slowest: 1 + 380 ms in turns of 100 ms
		{Dynamic, 2, 3, 5},
		{Dynamic, 9, 2, 5}, // as it suits each: 1 + 20 ms
	} {
		config := param.Default[Config]()
		config.Columns, config.Rows = 1, 1
		config.Delay, config.Fairness = c.delay, c.fairness
		config.Demote = false
		rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(3), 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = func(m mechanism.Message) (world.Time, bool) {
			if m.From == far || m.To == far {
				return 190 * ms, false
			}
			return 10 * ms, false
		}
		rig.Start()
		rig.Play(600)
		n := rig.Node(2).(*server)
		if got := n.turns.advances.Delay(3); got != c.near {
			t.Errorf("%s, fairness %d: the near client waits %d turns, not %d", c.delay, c.fairness, got, c.near)
		}
		if got := n.turns.advances.Delay(far); got != c.away {
			t.Errorf("%s, fairness %d: the far client waits %d turns, not %d", c.delay, c.fairness, got, c.away)
		}
		count, sum := events(rig, mechanism.Stalled)
		rig.Play(200)
		if stalls := c.delay == Static; stalls != (*sum > int64(world.Second)) {
			t.Errorf("%s, fairness %d: stood still %d times, for %v", c.delay, c.fairness, *count, world.Time(*sum))
		}
	}
}

// TestSlowServersBlameNobody has a server do nothing for longer than its patience: only who lets it wait after that is at fault.
func TestSlowServersBlameNobody(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows = 1, 1
	rig := run(t, &config, mechanismtest.Marbles(4), 20*ms)
	rig.Play(40)
	s := rig.Node(config.servers().Of(0)).(*server)
	var out mechanism.Outbox
	wake := func(now world.Time) int {
		s.Wake(now, &out)
		return len(s.members.simulating)
	}
	late := rig.Now() + 2*config.Patience
	for now := late; now < late+config.Patience-200*ms; now += 25 * ms {
		if n := wake(now); n != 4 {
			t.Fatalf("%d of 4 simulate the area %v after the server could go on", n, now-late)
		}
	}
	if n := wake(late + config.Patience + 500*ms); n != 0 {
		t.Errorf("%d who let the area wait for %v still simulate it", n, config.Patience)
	}
}

// TestSlowClientsAreDemoted has an area wait for a client that answers too late, and then not any more.
func TestSlowClientsAreDemoted(t *testing.T) {
	for _, demote := range []bool{true, false} {
		config := param.Default[Config]()
		config.Columns, config.Rows, config.Demote, config.Patience = 1, 1, demote, world.Second
		rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
		if err != nil {
			t.Fatal(err)
		}
		slow := mechanism.NodeID(4)
		rig.Network = func(m mechanism.Message) (world.Time, bool) {
			if m.From == slow {
				return 800 * ms, false
			}
			return 5 * ms, false
		}
		rig.Start()
		rig.Play(200)
		n := rig.Node(2).(*server)
		behind := mechanism.TickAt(rig.Now(), n.pace.Tick) - n.replica.tick()
		roles := rig.Node(slow).(*client).Areas(nil)
		if demote && (behind > 2 || roles[0].Role != mechanism.Updated) {
			t.Errorf("the area is %d ticks behind, the slow client has it %v", behind, roles[0].Role)
		}
		if !demote && (behind < 20 || roles[0].Role != mechanism.Simulated) {
			t.Errorf("nobody is to be demoted, but the area is %d ticks behind and the client has it %v", behind, roles[0].Role)
		}
	}
}

// TestPromotionsAreLimited has more clients want an area than may get it within a window.
func TestPromotionsAreLimited(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows = 2, 1
	config.Areas, config.Window, config.Promotions, config.Hysteresis = 2, 2*world.Second, 1, 0
	w := newTraders(6, 100*fixed.One) // three on either side
	rig := run(t, &config, w, 5*ms)
	promoted, _ := events(rig, mechanism.Promoted)
	for u := world.User(1); u <= 3; u++ {
		rig.Act(u, world.Action{Verb: verbWalk, Args: [world.MaxArgs]int64{int64(400 * fixed.One)}})
	}
	rig.Advance(1800 * ms)
	for u := world.User(1); u <= 3; u++ {
		rig.Act(u, world.Action{Verb: verbWalk})
	}
	for i, want := range []int{1, 2, 3} {
		rig.Advance(2 * world.Second)
		if *promoted != want {
			t.Fatalf("after %d windows %d clients were promoted, not %d", i+1, *promoted, want)
		}
	}
}

// TestPoolSharesTheSending has clients that simulate an area send updates of it in turn with the server.
func TestPoolSharesTheSending(t *testing.T) {
	sent := func(pool bool) (server, clients int) {
		config := param.Default[Config]()
		config.Columns, config.Rows, config.Pool = 2, 1, pool
		// All but two are in the first area; those two see them from beyond the border.
		rig := run(t, &config, mechanismtest.Marbles(8), 5*ms)
		rig.Observe = func(c *mechanismtest.Call) {
			for i := range c.Out.Sends() {
				if m := c.Out.Message(i, c.Node); m.Class == mechanism.Update {
					if m.From <= 3 {
						server++
					} else {
						clients++
					}
				}
			}
		}
		rig.Play(300)
		return server, clients
	}
	server, clients := sent(false)
	if server == 0 || clients != 0 {
		t.Errorf("without a pool servers send %d updates, clients %d", server, clients)
	}
	pooled, shared := sent(true)
	if pooled >= server*3/4 || shared == 0 {
		t.Errorf("with a pool servers send %d updates instead of %d, clients %d", pooled, server, shared)
	}
}

// TestDetailSparesUpdates has objects of little value be sent now and then.
func TestDetailSparesUpdates(t *testing.T) {
	sent := func(change func(*Config)) (bytes int) {
		config := param.Default[Config]()
		config.Columns, config.Rows, config.Areas = 1, 1, 0
		change(&config)
		rig := run(t, &config, mechanismtest.Marbles(12), 5*ms)
		rig.Observe = func(c *mechanismtest.Call) {
			for i := range c.Out.Sends() {
				if m := c.Out.Message(i, c.Node); m.Class == mechanism.Update {
					bytes += len(m.Payload)
				}
			}
		}
		rig.Play(300)
		return bytes
	}
	all := sent(func(*Config) {})
	some := sent(func(c *Config) { c.Detail = true })
	few := sent(func(c *Config) { c.Detail, c.Focus = true, 0 })
	none := sent(func(c *Config) { c.Detail, c.Focus, c.Top = true, 0, 0 })
	if !(none < few && few < some && some < all) {
		t.Errorf("bytes sent: %d with full detail, %d with some, %d without focus, %d without the best either", all, some, few, none)
	}
}

// TestJoinUnderWay has somebody take over a place: they find their avatars and come to simulate their area.
func TestJoinUnderWay(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, mechanismtest.Marbles(4), 20*ms)
	w := watch(t, rig)
	rig.Play(40)
	id := config.Admit(2).ID
	if err := rig.Join(id); err != nil {
		t.Fatal(err)
	}
	if rig.Ready(id) {
		t.Error("it is ready before it has heard of anybody")
	}
	rig.Advance(300 * ms)
	if !rig.Ready(id) {
		t.Fatal("it does not get in")
	}
	rig.Play(100)
	rig.Advance(3 * world.Second)
	w.complete()
	w.abreast()
	n := rig.Node(id).(*client)
	if n.View().Get(2) == nil {
		t.Error("it does not see its own marble")
	}
	simulated := 0
	for _, a := range n.Areas(nil) {
		if a.Role == mechanism.Simulated {
			simulated++
		}
	}
	if simulated != 1 {
		t.Errorf("it simulates %d areas", simulated)
	}
}

// TestComingAndGoing has users of a world that can be entered leave it and come back.
func TestComingAndGoing(t *testing.T) {
	c := crowd.Config{}
	if err := param.Defaults(&c); err != nil {
		t.Fatal(err)
	}
	c.Walkers = 10
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	config := param.Default[Config]()
	rig := run(t, &config, w, 20*ms)
	rig.Play(40)
	seen := watch(t, rig)
	have := func() int { return len(seen.owned()) }
	before := have()
	rig.Act(3, world.Action{Verb: world.Leave})
	rig.Advance(world.Second)
	if left := have(); left >= before {
		t.Errorf("%d objects before somebody left, %d after", before, left)
	}
	id := config.Admit(3).ID
	if err := rig.Join(id); err != nil {
		t.Fatal(err)
	}
	rig.Advance(2 * world.Second)
	if back := have(); back != before || !rig.Ready(id) {
		t.Errorf("%d objects before somebody left, %d after they came back", before, back)
	}
}

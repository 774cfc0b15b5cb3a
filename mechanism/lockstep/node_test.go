package lockstep

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/memo"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// An action takes effect in the turn that is the delay later, at all nodes in the same tick.
func TestActionTakesEffectAfterTheDelay(t *testing.T) {
	for _, delay := range []int{2, 3, 7} {
		r := rig(t, mechanismtest.Marbles(2), func(c *Config) { c.Delay = delay })
		all := watch(r)
		r.Start()
		r.Advance(330 * ms) // in turn 3
		if lag, want := clientOf(r, 1).Lag(), world.Time(3+delay)*100*ms-300*ms; lag != want {
			t.Errorf("delay %d: in the first tick of a turn the lag is %v instead of %v", delay, lag, want)
		}
		r.Act(1, world.Action{Verb: mechanismtest.Count, Args: [6]int64{5}})
		r.Advance(2 * world.Second)
		wantInStep(t, r)
		want := (3 + world.Tick(delay)) * 2
		if got := all.by(star.Server, mechanism.Executed); len(got) != 1 || got[0].value != int64(want) {
			t.Errorf("delay %d: executed at %v instead of tick %d", delay, got, want)
		}
		for id := mechanism.NodeID(2); id <= 3; id++ {
			for _, name := range []string{mechanism.Applied, mechanism.Confirmed} {
				if got := all.by(id, name); len(got) != 1 || got[0].at != world.Time(want+1)*50*ms {
					t.Errorf("delay %d: node %d has it %s at %v", delay, id, name, got)
				}
			}
		}
		if len(all[mechanism.Stalled]) > 0 {
			t.Errorf("delay %d: somebody waits: %v", delay, all[mechanism.Stalled])
		}
	}
}

// A way there and back that takes longer than the delay allows for makes everybody wait, in every turn.
func TestOneFarAwayStallsAll(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(3), nil)
	all := watch(r)
	far := mechanism.NodeID(4)
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		if m.From == far || m.To == far {
			return 150 * ms, false
		}
		return 5 * ms, false
	}
	r.Start()
	r.Advance(20 * world.Second)
	// Two turns are under way at a time, for the 300 ms there and back and what it takes to play one.
	if tick := serverOf(r).tick(); tick < 200 || tick > 250 {
		t.Errorf("after 400 ticks' time the world is at tick %d", tick)
	}
	for id := star.Server; id <= far; id++ {
		var sum int64
		for _, x := range all.by(id, mechanism.Stalled) {
			sum += x.value
		}
		if share := sum * 100 / int64(20*world.Second); share < 40 || share > 60 {
			t.Errorf("node %d waits %d%% of the time", id, share)
		}
	}
	r.Network = mechanismtest.Constant(5 * ms)
	r.Advance(10 * world.Second)
	wantInStep(t, r)
	if behind := mechanism.TickAt(r.Now(), 50*ms) - serverOf(r).tick(); behind < 100 {
		t.Errorf("what was missed long ago is made up for: the world is %d ticks behind", behind)
	}
}

// With delays that follow the round trips nobody waits, and nobody's delay is shorter than the longest by more than allowed.
func TestDynamicDelays(t *testing.T) {
	for _, c := range []struct {
		fairness  int
		near, far turn.Number
	}{{0, 5, 5}, {1, 4, 5}, {2, 3, 5}, {9, 3, 5}} {
		r := rig(t, mechanismtest.Marbles(3), func(x *Config) { x.Dynamic, x.Fairness = true, c.fairness })
		all := watch(r)
		r.Network = func(m mechanism.Message) (world.Time, bool) {
			if m.From == 4 || m.To == 4 {
				return 180 * ms, false
			}
			return 5 * ms, false
		}
		r.Start()
		r.Advance(10 * world.Second)
		for u, want := range map[world.User]turn.Number{1: c.near, 2: c.near, 3: c.far} {
			if got := clientOf(r, u).delay; got != want || got != serverOf(r).advances.Delay(star.NodeOf(u)) {
				t.Errorf("fairness %d: the delay of user %d is %d", c.fairness, u, got)
			}
		}
		clear(all)
		r.Play(200)
		if n := len(all[mechanism.Stalled]); n > 0 {
			t.Errorf("fairness %d: somebody waits %d times", c.fairness, n)
		}
		wantInStep(t, r)
	}
}

// Somebody whose clock is wrong plays in step all the same, whether it shows too much or too little.
func TestWrongClocks(t *testing.T) {
	for _, by := range []world.Time{-world.Minute, -700 * ms, 700 * ms, world.Minute} {
		c := param.Default[Config]()
		r, err := mechanismtest.NewRig(shifted{&c, map[mechanism.NodeID]world.Time{2: by}}, mechanismtest.Marbles(2), 1)
		if err != nil {
			t.Fatal(err)
		}
		r.Network = mechanismtest.Constant(20 * ms)
		all := watch(r)
		r.Start()
		r.Advance(5 * world.Second)
		clear(all)
		r.Play(100)
		right := r.Client(3).View()
		if got := r.Client(2).View(); got.Tick() != right.Tick() || got.Hash() != right.Hash() || right.Tick() < 180 {
			t.Errorf("off by %v: tick %d, the other one is at %d", by, got.Tick(), right.Tick())
		}
		if len(all[mechanism.Stalled]) > 0 {
			t.Errorf("off by %v: %d stalls", by, len(all[mechanism.Stalled]))
		}
	}
}

// Whoever has the right time keeps it, however unevenly messages travel.
func TestRightClocksAreLeftAlone(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(3), func(c *Config) { c.Delay = 5 })
	r.Network = mechanismtest.Unsteady(3, 100*ms, 5)
	r.Start()
	r.Play(1500)
	for u := range world.User(3) {
		if n := clientOf(r, u+1); n.ahead != 0 || !n.synced {
			t.Errorf("user %d takes the server's clock to be ahead by %v (asked: %t)", u+1, n.ahead, n.synced)
		}
	}
}

// Replicas that share their steps do the same as replicas that do not.
func TestSharingChangesNothing(t *testing.T) {
	var rigs [2]*mechanismtest.Rig
	for i := range rigs {
		w := mechanismtest.Marbles(4)
		c := param.Default[Config]()
		r, err := mechanismtest.NewRig(pooled{&c, i == 1, memo.NewPool()}, w, 5)
		if err != nil {
			t.Fatal(err)
		}
		r.Network = mechanismtest.Unsteady(9, 150*ms, 10)
		r.Start()
		r.Play(300)
		if err := r.Join(3); err != nil {
			t.Fatal(err)
		}
		r.Play(200)
		rigs[i] = r
	}
	for u := world.User(1); u <= 4; u++ {
		a, b := clientOf(rigs[0], u), clientOf(rigs[1], u)
		if a.tick() != b.tick() || a.View().Hash() != b.View().Hash() || a.phase != b.phase {
			t.Errorf("user %d is at tick %d alone and at tick %d with others", u, a.tick(), b.tick())
		}
	}
}

// pooled gives nodes a pool to share, or not.
type pooled struct {
	mechanism.Mechanism
	share bool
	pool  *memo.Pool
}

func (p pooled) NewNode(s *mechanism.Session, x mechanism.Place) (mechanism.Node, error) {
	if p.share {
		with := *s
		with.Shared = p.pool
		s = &with
	}
	return p.Mechanism.NewNode(s, x)
}

func TestTooManyActionsAreDropped(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(1), func(c *Config) { c.Actions = 3 })
	all := watch(r)
	r.Start()
	r.Advance(120 * ms)
	for range 5 {
		r.Act(1, world.Action{Verb: mechanismtest.Drop})
	}
	r.Advance(world.Second)
	if dropped, applied := len(all[mechanism.Dropped]), len(all[mechanism.Applied]); dropped != 2 || applied != 3 {
		t.Errorf("of five actions, %d are dropped and %d applied", dropped, applied)
	}
}

func TestConverges(t *testing.T) {
	c := param.Default[Config]()
	if c.Converges(20*ms) == 0 || c.Converges(world.Second) != 0 {
		t.Error("it promises what it cannot keep, or not what it can")
	}
}

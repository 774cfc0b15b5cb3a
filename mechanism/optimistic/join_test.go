package optimistic

import (
	"testing"

	"pgregory.net/rapid"
	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// TestTakeOversEndInTheSameWorld lets places change hands over bad networks, again and again, as long as somebody is left who
// knows the world. When all have arrived and all news has come, every node must hold the same world.
func TestTakeOversEndInTheSameWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { playTakeOvers(t, drawConfig(t), drawNetwork(t), 40, 10) })
}

// TestTakeOversBeyondTheHistory does so for longer than nodes remember.
func TestTakeOversBeyondTheHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		cfg.History = 8 * world.Second
		network := mechanismtest.Unsteady(rapid.Uint64().Draw(t, "seed"), 200*ms, 10)
		playTakeOvers(t, cfg, network, 120, 8)
	})
}

// TestLostWorldBeginsAgain lets all go, in any order and each for a while, so that in the end nobody may be left who knows the
// world. They come to a common one all the same.
func TestLostWorldBeginsAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := param.Default[Config]()
		users := rapid.IntRange(1, 4).Draw(t, "users")
		rig, err := mechanismtest.NewRig(&cfg, newStrip(world.User(users), 3), 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = drawNetwork(t)
		restarts := 0
		rig.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if e.Name == mechanism.Restarted {
					restarts++
				}
			}
		}
		rig.Start()
		rig.Play(rapid.IntRange(1, 40).Draw(t, "ticks"))
		ids := rapid.Permutation(rig.Session.Places).Draw(t, "order")
		for _, p := range ids {
			rig.Leave(p.ID)
			rig.Play(rapid.SampledFrom([]int{0, 3, 30}).Draw(t, "ticks between"))
		}
		for _, p := range ids {
			if err := rig.Join(p.ID); err != nil {
				t.Fatal(err)
			}
			rig.Play(rapid.SampledFrom([]int{0, 3, 30}).Draw(t, "ticks between"))
		}
		rig.Network = mechanismtest.Constant(10 * ms)
		rig.Advance(10 * world.Second)
		checkAgreement(t, rig)
		if restarts != 1 {
			t.Fatalf("the world has begun again %d times", restarts)
		}
	})
}

func playTakeOvers(t *rapid.T, cfg Config, network func(mechanism.Message) (world.Time, bool), ticksMax, rounds int) {
	users := rapid.IntRange(2, 5).Draw(t, "users")
	rig, err := mechanismtest.NewRig(&cfg, newStrip(world.User(users), 3), rapid.Uint64().Draw(t, "world"))
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = network
	rig.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			switch e.Name {
			case mechanism.Late, mechanism.Malformed, mechanism.Dropped:
				t.Fatalf("%v: node %d reports %+v", rig.Now(), c.Node, e)
			}
		}
	}
	rig.Start()
	for range rapid.IntRange(1, rounds).Draw(t, "rounds") {
		rig.Play(rapid.IntRange(1, ticksMax).Draw(t, "ticks"))
		id := mechanism.NodeID(rapid.IntRange(1, users).Draw(t, "node"))
		if !dispensable(rig, id) {
			continue
		}
		rig.Leave(id)
		rig.Play(rapid.SampledFrom([]int{0, 0, 1, 5, 20}).Draw(t, "vacant"))
		if err := rig.Join(id); err != nil {
			t.Fatal(err)
		}
	}
	rig.Play(1)
	rig.Network = mechanismtest.Constant(10 * ms)
	rig.Advance(6 * world.Second)
	checkAgreement(t, rig)
}

// checkAgreement wants all to be there, and to hold the same world.
func checkAgreement(t *rapid.T, rig *mechanismtest.Rig) {
	for _, p := range rig.Session.Places {
		if !rig.Ready(p.ID) {
			t.Fatalf("node %d is not ready", p.ID)
		}
		if a, b := rig.View(1), rig.View(p.ID); a.Tick() != b.Tick() || a.Hash() != b.Hash() {
			t.Fatalf("node %d shows %v at tick %d, node 1 %v at tick %d", p.ID, b.Get(1).Attr, b.Tick(), a.Get(1).Attr, a.Tick())
		}
	}
}

// dispensable reports whether somebody else knows the world.
func dispensable(rig *mechanismtest.Rig, id mechanism.NodeID) bool {
	for _, p := range rig.Session.Places {
		if p.ID != id && rig.Ready(p.ID) {
			return true
		}
	}
	return false
}

package optimistic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

const ms = world.Millisecond

// drawConfig draws any configuration that bounded delays and losses do not overwhelm.
func drawConfig(t *rapid.T) Config {
	cfg := param.Default[Config]()
	cfg.LocalLag = world.Time(rapid.SampledFrom([]int{0, 0, 50, 120, 400}).Draw(t, "local lag")) * ms
	cfg.States = rapid.IntRange(3, 20).Draw(t, "states")
	cfg.Link.Timeout = world.Time(rapid.IntRange(50, 500).Draw(t, "time-out")) * ms
	cfg.Link.Batching = world.Time(rapid.SampledFrom([]int{0, 0, 20, 130}).Draw(t, "batching")) * ms
	cfg.Link.ReceptionDelay = world.Time(rapid.SampledFrom([]int{0, 0, 100}).Draw(t, "reception delay")) * ms
	return cfg
}

// drawNetwork draws a network that delays, loses and reorders.
func drawNetwork(t *rapid.T) func(mechanism.Message) (world.Time, bool) {
	delay := world.Time(rapid.IntRange(1, 800).Draw(t, "delay")) * ms
	loss := rapid.Uint64Max(40).Draw(t, "loss")
	return mechanismtest.Unsteady(rapid.Uint64().Draw(t, "seed"), delay, loss)
}

// TestAllComeToTheSameWorld lets users play over bad networks. When all news has come, every node must hold what a straight
// simulation of all actions in their ticks yields, and so must every checkpoint.
func TestAllComeToTheSameWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		users := world.User(rapid.IntRange(2, 5).Draw(t, "users"))
		rig, err := mechanismtest.NewRig(&cfg, newStrip(users, 12), rapid.Uint64().Draw(t, "world"))
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = drawNetwork(t)
		var actions []timed
		applied := 0
		rig.Observe = func(c *mechanismtest.Call) {
			if c.Kind == mechanismtest.Act {
				n := rig.Node(c.Node).(*node)
				actions = append(actions, timed{n.tick + n.lag, c.Action})
			}
			for _, e := range c.Out.Events() {
				switch e.Name {
				case mechanism.Applied:
					applied++
				case mechanism.Late, mechanism.Malformed, mechanism.Dropped:
					t.Fatalf("node %d reports %+v", c.Node, e)
				}
			}
		}
		rig.Start()
		rig.Play(rapid.IntRange(1, 100).Draw(t, "ticks"))
		rig.Network = mechanismtest.Constant(10 * ms) // the last losses are made good
		rig.Advance(5 * world.Second)

		if applied != len(actions)*int(users) {
			t.Fatalf("%d actions took effect %d times among %d users", len(actions), applied, users)
		}
		for _, p := range rig.Session.Places {
			n := rig.Node(p.ID).(*node)
			if want := straight(rig.Session, actions, n.tick); n.View().Hash() != want.Hash() {
				t.Fatalf("node %d shows %v, not %v", p.ID, n.View().Get(1).Attr, want.Get(1).Attr)
			}
			for _, x := range n.checkpoints.states { // which are from before their ticks' actions
				s := x.State()
				past := slices.DeleteFunc(slices.Clone(actions), func(d timed) bool { return d.tick == s.Tick() })
				if want := straight(rig.Session, past, s.Tick()); s.Hash() != want.Hash() {
					t.Fatalf("node %d: the checkpoint of tick %d is wrong", p.ID, s.Tick())
				}
			}
		}
	})
}

// TestCheckpointsChangeNothingButTheCost plays the same game with many checkpoints and with as few as can be. Every view at
// every tick must be the same.
func TestCheckpointsChangeNothingButTheCost(t *testing.T) {
	play := func(states int) (views []uint64, redone int64) {
		cfg := param.Default[Config]()
		cfg.States = states
		cfg.History, cfg.Link.Adaptive = 3*world.Second, false // nothing is repeated too late for so short a history
		rig, err := mechanismtest.NewRig(&cfg, newStrip(4, 12), 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = mechanismtest.Unsteady(1, 700*ms, 10)
		rig.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if e.Name == mechanism.Rollback {
					redone += e.Value
				}
			}
		}
		rig.Start()
		for range 400 {
			rig.Play(1)
			for _, p := range rig.Session.Places {
				views = append(views, rig.Client(p.ID).View().Hash())
			}
		}
		return views, redone
	}
	many, cheap := play(64)
	few, dear := play(3)
	for i := range many {
		if many[i] != few[i] {
			t.Fatalf("view %d differs", i)
		}
	}
	if cheap >= dear {
		t.Errorf("%d ticks redone with many checkpoints, %d with few", cheap, dear)
	}
}

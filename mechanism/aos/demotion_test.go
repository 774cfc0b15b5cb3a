package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

// Where a message in a hundred is lost, nobody is at fault, and nobody is relieved of an area for it.
func TestLossIsNobodysFault(t *testing.T) {
	for seed := range uint64(4) {
		config := param.Default[Config]()
		config.Columns, config.Rows = 1, 1
		rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(8), seed)
		if err != nil {
			t.Fatal(err)
		}
		stream := random.New(seed, "losses")
		rig.Network = func(mechanism.Message) (world.Time, bool) { return 50 * ms, stream.Below(100) == 0 }
		demoted, _ := events(rig, mechanism.Demoted)
		rig.Start()
		rig.Play(800)
		if *demoted > 0 {
			t.Errorf("seed %d: %d of 8 users were demoted in 40 s", seed, *demoted)
		}
		n := rig.Node(config.servers().Of(0)).(*server)
		if behind := mechanism.TickAt(rig.Now(), n.pace.Tick) - n.replica.tick(); behind > 40 {
			t.Errorf("seed %d: the area is %d ticks behind", seed, behind)
		}
	}
}

// Of several who are too slow the slowest goes first, and when the area then keeps up the others stay.
func TestTheSlowestGoFirst(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Patience = 1, 1, world.Second
	rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(4), 1)
	if err != nil {
		t.Fatal(err)
	}
	delays := map[mechanism.NodeID]world.Time{3: 5 * ms, 4: 5 * ms, 5: 180 * ms, 6: 700 * ms}
	rig.Network = func(m mechanism.Message) (world.Time, bool) { return delays[max(m.From, m.To)], false }
	rig.Start()
	n := rig.Node(config.servers().Of(0)).(*server)
	for range 400 {
		rig.Play(1)
		if len(n.members.simulating) < 4 {
			break
		}
	}
	if x := n.members.At(6); x.simulates || len(n.members.simulating) != 3 {
		t.Errorf("after %v the area is simulated by %v, want all but 6", rig.Now(), n.members.simulating)
	}
}

// When more clients are too slow than may be demoted within a window, the area goes on without waiting for the others, who still
// simulate it, and waits for them again when they are back.
func TestForcedDemotionsAreLimitedToo(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Demotions = 1, 1, 2
	rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(6), 1)
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, rig)
	cut := false
	rig.Network = func(m mechanism.Message) (world.Time, bool) { return 20 * ms, cut && max(m.From, m.To) >= 5 }
	rig.Start()
	rig.Play(40)
	cut = true
	rig.Play(120)
	n := rig.Node(config.servers().Of(0)).(*server)
	if got := len(n.members.simulating); got != 4 {
		t.Errorf("%d of 6 simulate the area, of which 4 are gone and 2 may be demoted", got)
	}
	if behind := mechanism.TickAt(rig.Now(), n.pace.Tick) - n.replica.tick(); behind > 4 {
		t.Errorf("the area is %d ticks behind", behind)
	}
	if got := n.turns.advances.Len(); got != 2 {
		t.Errorf("it waits for %d", got)
	}
	cut = false
	rig.Play(100)
	if got := n.turns.advances.Len(); got != 4 {
		t.Errorf("it waits for %d who simulate it again", got)
	}
	w.abreast()
}

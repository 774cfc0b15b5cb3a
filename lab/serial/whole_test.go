package serial

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// An action whose footprint leaves out what it changes: judged by its footprint nothing happens, judged by the whole world the
// marble gets going. Time passes alike.
func TestWhatFootprintsLeaveOutShowsInTheWholeWorld(t *testing.T) {
	for _, whole := range []bool{false, true} {
		x := newTable()
		x.Order.stage.whole = whole
		d := mechanism.Entry{Tick: 3, Action: world.Action{User: 1, Target: 2, Args: [world.MaxArgs]int64{int64(fixed.One)}}}
		d.Footprint.Read(2)
		x.server.Placed(1, &d)
		x.client.Held(1, 2, x.pushed(2, 1))
		d = mechanism.Entry{Steps: 1, Tick: 5}
		d.Footprint.Write(2)
		x.server.Placed(2, &d)
		rolled := x.pushed(2, 1)
		world.Drift(rolled, x.world.Schema().Tick)
		rolled.Vel.X = 0
		x.client.Held(2, 2, rolled)
		x.client.Held(2, 1, x.pushed(1, 0))
		x.push(3, 1) // what time passed for is no longer all that may change
		x.client.Held(3, 1, x.pushed(1, 1))
		if err := x.Verdict(); (err == nil) != whole || x.Checked() != 4 {
			t.Errorf("whole: %v, after %d comparisons: %v", whole, x.Checked(), err)
		}
	}
}

// Whoever is told the same comes to the same, whatever is told.
func TestWhoIsToldTheSameJudgesTheSame(t *testing.T) {
	w := mechanismtest.Marbles(2)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	first, second := New(w, s), New(w, s)
	server, client := first.newWitness(1), first.newWitness(2)
	server.also, client.also = second.newWitness(1), second.newWitness(2)
	for position := uint64(1); position <= 3; position++ {
		d := mechanism.Entry{Action: world.Action{User: 1, Args: [world.MaxArgs]int64{int64(fixed.One)}}}
		d.Footprint.Write(1)
		server.Placed(position, &d)
		client.Held(position, 1, s.Get(1)) // which is wrong
		if position == 2 {
			server.Voided(2)
			client.Renounced()
		}
		server.Settled(position)
	}
	if first.Checked() != second.Checked() || first.Violations() != second.Violations() || first.Violations() == 0 {
		t.Errorf("%d of %d violations, and %d of %d", first.Violations(), first.Checked(), second.Violations(), second.Checked())
	}
}

package lockstep

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// TestStallersUseUpPatience: clients that fall silent as soon as they are waited for, and come back at once, hold everybody up
// for less and less.
func TestStallersUseUpPatience(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(6), nil)
	r.Network = mechanismtest.Constant(10 * world.Millisecond)
	r.Start()
	patience := serverOf(r).config.Patience
	lost := func(span world.Time, misbehave func()) world.Time {
		tick := serverOf(r).tick()
		for end := r.Now() + span; r.Now() < end; r.Advance(100 * world.Millisecond) {
			misbehave()
		}
		return span - mechanism.TimeOf(serverOf(r).tick()-tick, serverOf(r).pace.Tick)
	}
	stallers := []mechanism.NodeID{6, 7}
	offend := func() {
		for _, id := range stallers {
			switch m := serverOf(r).members.At(id); {
			case m != nil && m.phase == playing:
				r.Leave(id)
			case m == nil || m.phase == absent:
				if err := r.Join(id); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got := lost(10*world.Second, offend); got > patience+world.Second {
		t.Errorf("at first %v were lost", got)
	}
	if got := lost(30*world.Second, offend); got > 30*world.Second/3 {
		t.Errorf("then %v of 30s", got)
	}
	if got := lost(10*world.Second, func() {}); got > world.Second {
		t.Errorf("when they have gone, %v of 10s", got)
	}
	for id := mechanism.NodeID(2); id < 6; id++ {
		if !r.Ready(id) {
			t.Errorf("node %d was dismissed, too", id)
		}
	}
}

// TestFirstSilence: somebody who has always been in time and falls silent keeps nobody waiting for long; somebody who goes on speaking, but
// is not done, is waited for with patience.
func TestFirstSilence(t *testing.T) {
	for _, test := range []struct {
		name        string
		speaks      bool
		least, most world.Time
	}{
		{"silent", false, 0, 3 * world.Second / 3},
		{"slow", true, 2 * world.Second, 4 * world.Second},
	} {
		r := rig(t, mechanismtest.Marbles(6), nil)
		r.Network = mechanismtest.Constant(10 * world.Millisecond)
		r.Start()
		r.Advance(2 * world.Second)
		before := serverOf(r).tick()
		r.Leave(7)
		const span = 5 * world.Second
		for range span / (100 * world.Millisecond) {
			r.Advance(100 * world.Millisecond)
			if test.speaks {
				r.Give(mechanism.Message{From: 7, To: 1, Payload: []byte{0}})
			}
		}
		lost := span - mechanism.TimeOf(serverOf(r).tick()-before, serverOf(r).pace.Tick)
		if lost < test.least || lost > test.most {
			t.Errorf("%s: %v were lost", test.name, lost)
		}
	}
}

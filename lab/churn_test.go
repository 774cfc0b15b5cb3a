package lab_test

import (
	"context"
	"slices"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/world"
)

// film keeps what all users see, tick by tick.
type film struct {
	run    *sim.Run
	frames []uint64
}

// Tick implements sim.TickObserver.
func (f *film) Tick(world.Time) {
	sum := uint64(0)
	for _, h := range f.run.Hosts() {
		if v := h.View(); v != nil {
			sum = sum*31 + v.Hash()
		}
	}
	f.frames = append(f.frames, sum)
}

// What is to happen at a moment changes nothing before it: a run goes on from there otherwise, and was the same until then.
func TestEventsChangeOnlyWhatFollows(t *testing.T) {
	shoot := func(mechanism, plan string) []uint64 {
		s := setup(t, "crowd", mechanism, "exponential", small["crowd"]...)
		s.Churn = catalog.Defaults(new(churn.Config))
		s.Churn.Events = plan
		run, err := lab.Build(s)
		if err != nil {
			t.Fatal(err)
		}
		f := &film{run: run}
		run.Observe(f)
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		return f.frames
	}
	tick := crowdTick(t)
	for _, m := range []string{"central", "aos", "lockstep"} {
		usual := shoot(m, "")
		for _, plan := range []string{"at 9s: add 200ms delay of user 1", "at 9s: crash user 2", "at 9s: limit up of user 1 to 5kbit/s", "at 9s: partition user 1 | rest"} {
			other := shoot(m, plan)
			same := int(9 * world.Second / tick)
			if !slices.Equal(usual[:same], other[:same]) {
				t.Errorf("%s, %q: what was before is not as it was without", m, plan)
			}
			if slices.Equal(usual, other) {
				t.Errorf("%s, %q: nothing follows", m, plan)
			}
		}
	}
}

func crowdTick(t *testing.T) world.Time {
	c := catalog.Default()
	w, err := c.BuildWorld(catalog.Choice{Name: "crowd"})
	if err != nil {
		t.Fatal(err)
	}
	return w.Schema().Tick
}

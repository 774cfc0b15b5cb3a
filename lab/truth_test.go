package lab_test

import (
	"context"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/churn"
	"throng/lab/measure"
	"throng/world"
	"throng/world/fixed"
)

// The truth knows those who come and go while it runs, whoever it is that enters them: a server, or they themselves.
func TestTruthKnowsWhoComesAndGoes(t *testing.T) {
	for _, m := range []string{"central", "interest", "lockstep", "broadcast"} {
		s := setup(t, "crowd", m, "constant", "world.walkers", "3", "world.restless", "true", "network.loss", "0")
		s.Duration = 12 * world.Second
		s.Churn = catalog.Defaults(new(churn.Config))
		s.Churn.Events = "at 2s: a user arrives; at 4s: user 1 leaves"
		run, err := lab.Build(s)
		if err != nil {
			t.Fatal(err)
		}
		truth := measure.NewTruth(run)
		run.Observe(truth)
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		if world.Present(truth.State(), 1) || !world.Present(truth.State(), 4) {
			t.Errorf("%s: who has left is there, or who has come is not", m)
		}
		for _, h := range run.Hosts() {
			if h.Client == nil || h.Place.User != 4 {
				continue
			}
			for own, true := range world.Common(h.View(), truth.State()) {
				if own.User == 4 && own.Pos.Sub(true.Pos).Len() > fixed.FromInt(2) {
					t.Errorf("%s: who has come is at %v, and in truth at %v", m, own.Pos, true.Pos)
				}
			}
		}
	}
}

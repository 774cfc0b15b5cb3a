package lab_test

import (
	"context"
	"testing"

	"throng/lab"
	"throng/lab/measure"
)

// What is measured makes no difference to what is done, and has a fingerprint of its own.
func TestFingerprintsOfWhatIsDoneAndMeasured(t *testing.T) {
	prints := func(seed uint64, figures ...string) (done, measured string) {
		s := setup(t, "swarm", "optimistic", "spike")
		s.Seed = seed
		done, measured, err := lab.Fingerprints(context.Background(), s, measure.Reporting(measure.All(), figures))
		if err != nil {
			t.Fatal(err)
		}
		return done, measured
	}
	done, measured := prints(1, "divergence")
	if d, m := prints(1, "divergence"); d != done || m != measured {
		t.Errorf("the same run gives %s %s, then %s %s", done, measured, d, m)
	}
	if d, m := prints(1, "discontinuity", "drift", "work"); d != done || m == measured {
		t.Errorf("with other measures %s %s, where it was %s %s", d, m, done, measured)
	}
	if _, m := prints(2, "divergence"); m == measured {
		t.Error("another run measures the same")
	}
}

package lab_test

import (
	"context"
	"testing"

	"throng/lab"
	"throng/lab/measure"
	"throng/world"
)

// discontinuity runs a set-up for a while and returns two of its figures.
func discontinuity(t *testing.T, where, mechanism, network string, settings ...string) (discontinuity, divergence float64) {
	t.Helper()
	s := setup(t, where, mechanism, network, settings...)
	s.Duration, s.Warmup = 300*world.Second, 50*world.Second
	run, err := lab.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	probes := measure.Attach(run, measure.Reporting(measure.All(), []string{"discontinuity", "divergence"}))
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, f := range probes.Figures() {
		switch f.Name {
		case "discontinuity":
			discontinuity = f.Value
		case "divergence":
			divergence = f.Value
		}
	}
	return discontinuity, divergence
}

// Where a network takes equally long for everything and nothing is ever put right, nothing jumps.
func TestWhatIsNeverCorrectedDoesNotJump(t *testing.T) {
	for _, w := range []string{"swarm", "pong"} {
		for _, m := range []string{"ideal", "broadcast"} {
			if got, _ := discontinuity(t, w, m, "constant", "network.delay", "80ms", "network.loss", "0"); got != 0 {
				t.Errorf("%s under %s: %v", w, m, got)
			}
		}
	}
}

// A message that waits until 150 ms after it was sent arrives at the very moment of a tick, one that waits for 149 ms just before:
// neither shows before that tick. One that waits a little longer shows a tick later, as divergence tells as well.
func TestWhenInATickAMessageArrivesMakesNoDifference(t *testing.T) {
	var jumps, apart [4]float64
	for i, delay := range []string{"149ms", "150ms", "151ms", "200ms"} {
		jumps[i], apart[i] = discontinuity(t, "swarm", "optimistic", "spike", "mechanism.link.reception-delay", delay)
	}
	if jumps[0] != jumps[1] || jumps[2] != jumps[3] || apart[0] != apart[1] || apart[2] != apart[3] {
		t.Errorf("discontinuity %v, divergence %v: the first two and the last two should be equal", jumps, apart)
	}
	if jumps[1] == 0 || jumps[2] < 1.5*jumps[1] || apart[2] < 1.2*apart[1] {
		t.Errorf("discontinuity %v, divergence %v: what shows later should be worse", jumps, apart)
	}
}

// Who stands still and then goes on by leaps jumps: more than where nothing is lost. How much more goes by what happens in the game
// meanwhile, of which less does.
func TestStandingStillJumps(t *testing.T) {
	jumps := func(loss string) float64 {
		got, _ := discontinuity(t, "pong", "lockstep", "constant", "network.delay", "100ms", "network.loss", loss)
		return got
	}
	whole := jumps("0")
	for _, loss := range []string{"0.03", "0.3"} {
		if got := jumps(loss); got < 1.2*whole {
			t.Errorf("with %s lost %v, and %v with nothing lost", loss, got, whole)
		}
	}
}

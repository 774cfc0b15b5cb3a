package lab_test

import (
	"context"
	"testing"

	"throng/lab"
	"throng/lab/measure"
	"throng/world"
)

// Hosts whose clocks are seconds apart share a world under loose none the less: nobody's updates are refused, and views do not part. They are less near than
// with clocks that agree, since the swarm's rules go by the number of a tick (the queen changes hands, the dead come back).
func TestLooseWithClocksApart(t *testing.T) {
	s := setup(t, "swarm", "loose", "constant", "host.clock.offset", "2s")
	s.Duration, s.Warmup = 120*world.Second, 20*world.Second
	figures, err := lab.Trial(measure.Reporting(measure.All(), []string{"divergence"}))(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got := figures[0].Value; got > 0.05 {
		t.Errorf("divergence is %v", got)
	}
}

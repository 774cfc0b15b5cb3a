package lab_test

import (
	"context"
	"testing"

	"throng/lab"
	"throng/lab/measure"
	"throng/world"
)

// On a link of 20 kbit/s, three times what the swarm needs, a fixed time-out sends more and more copies of what merely waits in a queue; one that
// follows the round trip repeats what is lost.
func TestTimeoutsThatFollowTheRoundTripDoNotCollapse(t *testing.T) {
	load := func(adaptive string) (repeated, up float64) {
		s := setup(t, "swarm", "optimistic", "constant", "host.up", "20kbit/s", "mechanism.link.adaptive", adaptive, "network.delay", "100ms")
		s.Duration, s.Warmup = 60*world.Second, 5*world.Second
		figures, err := lab.Trial(measure.Reporting(measure.All(), []string{"repeated"}))(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			switch f.Name {
			case "repeated":
				repeated = f.Value
			case measure.LoadUp: // nobody asked for it, but links have a limit
				up = f.Value
			}
		}
		return repeated, up
	}
	if repeated, up := load("true"); repeated > 3 || up > 0.6 || up < 0.2 {
		t.Errorf("%v repeats a second, links are given %v of what they carry", repeated, up)
	}
	if repeated, up := load("false"); repeated < 50 || up < 1 {
		t.Errorf("a fixed time-out: %v repeats a second, load %v: this test tests nothing", repeated, up)
	}
}

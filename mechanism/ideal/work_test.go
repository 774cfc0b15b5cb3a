package ideal

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// A node charges what a tick takes, each time anew: of marbles that lie still every tick takes the same.
func TestEveryTickIsChargedOnce(t *testing.T) {
	r, err := mechanismtest.NewRig(new(Config), mechanismtest.Marbles(2), 1)
	if err != nil {
		t.Fatal(err)
	}
	n := r.Node(1)
	var took []world.Work
	for tick := range world.Time(4) {
		var out mechanism.Outbox
		n.Wake(tick*r.World.Schema().Tick, &out)
		took = append(took, out.Work())
	}
	if took[0] != 0 || took[1] == 0 || took[2] != took[1] || took[3] != took[1] {
		t.Errorf("four ticks took %v", took)
	}
}

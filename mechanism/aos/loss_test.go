package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// TestLostAdvancesAreSaidAgain loses every word of a client about being done with a turn for a while: the area waits, and goes
// on as soon as one gets through.
func TestLostAdvancesAreSaidAgain(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Demote = 1, 1, false
	rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
	if err != nil {
		t.Fatal(err)
	}
	deaf := false
	rig.Network = func(m mechanism.Message) (world.Time, bool) { return 10 * ms, deaf && m.Class == mechanism.Control }
	rig.Start()
	rig.Play(100)
	area := rig.Node(2).(*server)
	deaf = true
	rig.Play(100)
	stuck := area.replica.tick()
	rig.Play(20)
	if area.replica.tick() != stuck {
		t.Fatal("the area goes on without being told")
	}
	deaf = false
	rig.Play(60)
	if area.replica.tick() < stuck+100 {
		t.Errorf("the area has come from tick %d to %d only", stuck, area.replica.tick())
	}
}

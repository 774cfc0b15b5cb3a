package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// An area that a client simulates is damaged in its memory: within some turns that is found out, reported with the area's tick, and
// the client has the area as its server has it.
func TestDamagedAreasAreRepaired(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows = 1, 1
	rig := run(t, &config, mechanismtest.Marbles(3), 10*ms)
	rig.Play(50)
	differed, _ := events(rig, mechanism.Differed)
	rig.Play(100)
	if *differed > 0 {
		t.Fatalf("%d differences where there are none", *differed)
	}
	c := rig.Node(config.Admit(2).ID).(*client)
	x := &c.regions[0]
	x.replica.state().Edit(1).Pos.X += 7 * fixed.One
	rig.Play(int(2 * checkTurns * c.pace.Ticks))
	rig.Advance(2 * world.Second)
	if *differed != 1 {
		t.Errorf("reported %d times", *differed)
	}
	n := rig.Node(config.servers().Of(0)).(*server)
	if x.replica == nil {
		t.Fatal("the client does not simulate the area any more")
	}
	for range 100 {
		if x.replica.tick() == n.replica.tick() {
			break
		}
		rig.Advance(5 * ms)
	}
	if x.replica.tick() != n.replica.tick() || x.replica.state().Hash() != n.replica.state().Hash() {
		t.Errorf("the client has the area at tick %d with hash %x, the server at %d with %x", x.replica.tick(), x.replica.state().Hash(), n.replica.tick(), n.replica.state().Hash())
	}
	before := *differed
	rig.Play(int(2 * checkTurns * c.pace.Ticks))
	if *differed != before {
		t.Error("it differs again")
	}
}

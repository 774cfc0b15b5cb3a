package aos

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
)

// Somebody walks from one area into another along the border of two more: those know of the walker all the way, at every tick
// and about where the walker is, and so do clients that simulate them.
func TestBystandersSeeWhoCrosses(t *testing.T) {
	for name, change := range variants {
		if name == "fine" || name == "one area" || name == "updates" {
			continue // there is nobody by
		}
		config := param.Default[Config]()
		change(&config)
		config.Columns, config.Rows = 2, 2
		rig := run(t, &config, newTraders(2, 150*fixed.One), 5*ms)
		rig.Advance(world.Second)
		const speed = 100
		rig.Act(1, world.Action{Verb: verbWalk, Args: [world.MaxArgs]int64{int64(speed * fixed.One)}})
		crossed, most := false, fixed.F(0)
		for range 60 {
			rig.Advance(50 * ms)
			var is *world.Object
			for _, n := range serversOf(rig) {
				if o := n.replica.state().Get(1); o != nil && n.replica.owns(o) {
					is = o
					crossed = crossed || n.area == 1
				}
			}
			for _, n := range serversOf(rig)[2:] {
				o := n.replica.state().Get(1)
				if o == nil && (is == nil || n.plan.Within(n.area, is.Pos, n.plan.Reach-speed*fixed.One)) {
					t.Fatalf("%s: at %v area %d does not know of the walker", name, rig.Now(), n.area)
				}
				if o != nil && is != nil {
					most = max(most, o.Pos.Dist(is.Pos))
				}
			}
		}
		if !crossed {
			t.Fatalf("%s: the walker has not crossed the border", name)
		}
		if most > speed*fixed.One/2 {
			t.Errorf("%s: a bystander has the walker %v from where it is", name, most)
		}
	}
}

package central

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/interpolation"
	"throng/world"
	"throng/world/fixed"
)

// What is reported to show does show, then and not before.
func TestWhatIsAppliedShows(t *testing.T) {
	for _, others := range []string{interpolation.Interpolate, interpolation.Latest, interpolation.Reckon} {
		r := newRig(t, newWalkers(2, 2), func(c *Config) { c.Others = others })
		r.Advance(world.Second)
		reported := world.Never
		r.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if c.Node == 3 && e.Name == mechanism.Applied && e.User == 1 {
					reported = r.Now()
				}
			}
		}
		r.Act(1, steering(fixed.One, fixed.One))
		for range 100 {
			r.Advance(5 * ms)
			if shows := r.View(3).Get(1).Vel.Y == fixed.One; shows != (reported <= r.Now()) {
				t.Errorf("%s: at %v the view shows it: %v; reported at %v", others, r.Now(), shows, reported)
				break
			}
		}
		if reported == world.Never {
			t.Errorf("%s: never reported", others)
		}
	}
}

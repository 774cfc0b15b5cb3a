package loose

import (
	"testing"

	"throng/world"
)

// A tick takes 50 ms here, so that 20 are the second by which clocks may differ unnoticed.
func TestClocksThatDiffer(t *testing.T) {
	const length = 50 * world.Millisecond
	for name, steps := range map[string][][3]world.Tick{ // sent by the other's clock, received by this host's, and sent by this host's
		"the same clock":      {{100, 102, 100}, {103, 104, 103}},
		"a little ahead":      {{100, 99, 100}, {120, 100, 120}},
		"just too far ahead":  {{121, 100, 100}, {125, 104, 104}, {126, 110, 105}},
		"two seconds ahead":   {{140, 102, 102}, {143, 103, 103}, {150, 115, 110}},
		"two seconds behind":  {{60, 102, 102}, {70, 110, 110}, {72, 117, 112}},
		"slow at first":       {{100, 130, 130}, {135, 137, 135}, {136, 170, 136}},
		"another host, later": {{1000, 500, 500}, {510, 520, 510}},
	} {
		var c clock
		for i, s := range steps {
			if got := c.here(s[0], s[1], length); got != s[2] {
				t.Errorf("%s, update %d: sent at %d, want %d", name, i+1, got, s[2])
			}
		}
	}
}

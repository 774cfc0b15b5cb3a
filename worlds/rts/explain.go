package rts

import (
	"fmt"
	"strings"

	"throng/world"
)

// Explain says what something costs, how long it takes and what it is good for.
func (r *realm) Explain(k world.KindID) string {
	s := &sorts[k]
	var parts []string
	for _, c := range []struct {
		amount int64
		of     string
	}{{s.ore, "ore"}, {s.wood, "wood"}} {
		if c.amount > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.amount, c.of))
		}
	}
	if s.takes > 0 {
		parts = append(parts, s.takes.String())
	}
	if s.beats != 0 {
		parts = append(parts, "beats "+sorts[s.beats].name+"s")
	}
	return strings.Join(parts, ", ")
}

package philosophers

import (
	"throng/world"
	"throng/world/fixed"
)

var _ world.Depicted = (*table)(nil)

const (
	wide   = 40 * fixed.One // how large a table is of which a page shows only a part,
	around = 14 * fixed.One // and how much that is
)

// Look implements [world.Depicted].
func (t *table) Look() world.Look {
	l := world.Look{
		Avatar: "philosopher",
		Controls: []world.Control{
			{By: world.Button, Verb: "grab", Label: "take both forks", Does: "take both forks, if your neighbours have neither, and eat"},
			{By: world.Button, Verb: "release", Label: "put them down", Does: "put them down, so that others can"},
		},
	}
	if t.schema.Bounds.Max.X > wide {
		l.Around = around
	}
	return l
}

package crowd

import (
	"throng/world"
	"throng/world/fixed"
)

var _ world.Depicted = (*town)(nil)

// How much of a town a page shows around somebody: half of a small one, within bounds.
const aroundLeast, aroundMost = 18 * fixed.One, 28 * fixed.One

// Look implements [world.Depicted].
func (t *town) Look() world.Look {
	return world.Look{
		Avatar: "walker", Around: max(aroundLeast, min(aroundMost, t.schema.Bounds.Size().X/2)),
		Controls: []world.Control{
			{By: world.Steer, Verb: "walk", Does: "walk"},
			{By: world.Place, Verb: "goto", Scale: 100, Does: "go there"},
		},
		Hints: []world.Hint{{By: "Enter", Does: "shout"}},
	}
}

package combat

import (
	"throng/world"
	"throng/world/fixed"
)

var _ world.Depicted = (*battle)(nil)

// Look implements [world.Depicted].
func (b *battle) Look() world.Look {
	return world.Look{
		Around: 350 * fixed.One, Walls: 4 * fixed.One,
		Controls: []world.Control{
			{By: world.Steer, Verb: "steer", Does: "drive or fly"},
			{By: world.Place, Verb: "fire", Does: "fire there"},
		},
		Hints: []world.Hint{{By: "three hits", Does: "and you start again somewhere else"}},
	}
}

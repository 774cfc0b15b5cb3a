package manhattan

import (
	"throng/world"
	"throng/world/fixed"
)

var _ world.Depicted = (*city)(nil)

// Look implements [world.Depicted].
func (c *city) Look() world.Look {
	return world.Look{
		Around: 40 * fixed.One, Walls: fixed.One / 2,
		Controls: []world.Control{{By: world.Compass, Verb: "move", Again: 300 * world.Millisecond, Does: "walk"}},
	}
}

package shooters

import (
	"throng/world"
	"throng/world/fixed"
)

var _ world.Depicted = (*yard)(nil)

// Look implements [world.Depicted].
func (y *yard) Look() world.Look {
	return world.Look{
		Walls: fixed.One + fixed.One/2,
		Controls: []world.Control{
			{By: world.Target, Verb: "shoot", Does: "shoot, if no wall is between you"},
			{By: world.Button, Verb: "rise", Does: "rise again when you are hit"},
		},
	}
}

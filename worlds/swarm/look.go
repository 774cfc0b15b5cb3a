package swarm

import "throng/world"

var _ world.Depicted = (*hive)(nil)

// Look implements [world.Depicted].
func (h *hive) Look() world.Look {
	return world.Look{
		Avatar:   "bee",
		Controls: []world.Control{{By: world.Steer, Verb: "steer", Does: "accelerate"}},
		Hints:    []world.Hint{{By: "queen", Does: "be near her to gather honey, and touch nobody"}},
	}
}

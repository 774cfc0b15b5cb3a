package pong

import "throng/world"

var _ world.Depicted = (*court)(nil)

// Look implements [world.Depicted].
func (c *court) Look() world.Look {
	return world.Look{Avatar: "racket", Controls: []world.Control{{By: world.Height, Verb: "move", Does: "move your racket"}}}
}

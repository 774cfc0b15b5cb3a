package manhattan

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of a city.
type Config struct {
	Avatars int        `param:"avatars" default:"64" range:"1..100000" help:"how many avatars there are at the start, each with their user"`
	Side    fixed.F    `param:"side" default:"1000" range:"20..100000" help:"how long and how wide the city is"`
	Walls   int        `param:"walls" default:"100000" range:"0..10000000" help:"how many walls there are"`
	Start   string     `param:"start" default:"anywhere" options:"anywhere|block" help:"where avatars are at the start: scattered, or in rows and columns around the middle"`
	Spacing fixed.F    `param:"spacing" default:"4" range:"1..1000" help:"how far apart avatars in a block start"`
	Tick    world.Time `param:"tick" default:"20ms" range:"1ms..1s" help:"how much time a step lets pass"`

	Every  world.Time `param:"every" default:"300ms" range:"1ms..1m" help:"how often artificial users move"`
	Moves  int        `param:"moves" default:"0" range:"0..1000000" help:"how often an artificial user moves in all; 0 sets no end"`
	Stride fixed.F    `param:"stride" default:"1" range:"0.01..100" help:"how far a move goes"`
	Effect fixed.F    `param:"effect" default:"10" range:"1..1000" help:"how near others must be to matter to a move"`
	Sight  fixed.F    `param:"sight" default:"30" range:"1..1000" help:"how far a user sees"`
	Cost   world.Time `param:"cost" default:"0s" range:"0s..10s" help:"what a move takes to work out at 1e9 op/s; 0 follows the number of walls: 7.44 ms for 100,000"`
}

// Where avatars start.
const (
	startAnywhere = "anywhere"
	startBlock    = "block"
)

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	switch {
	case c.Start == startBlock && c.Spacing.MulInt(rows(c.Avatars)) > c.Side:
		return fmt.Errorf("spacing: %d avatars %v apart do not fit into %v", c.Avatars, c.Spacing, c.Side)
	case c.Every < c.Tick:
		return fmt.Errorf("every: users cannot move every %v where a tick takes %v", c.Every, c.Tick)
	case c.Effect < c.touches():
		return fmt.Errorf("effect: a move of %v can end at somebody %v away", c.Stride, c.touches())
	}
	return nil
}

// touches is how far away somebody may be whom a move would end at: ahead, and nearly a body's width aside.
func (c *Config) touches() fixed.F { return fixed.Vec{X: c.Stride + body, Y: body}.Len() + 1 }

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newCity(*c), nil
}

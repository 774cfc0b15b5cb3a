package philosophers

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of the table.
type Config struct {
	Count   int        `param:"count" default:"20" range:"2..100000" help:"how many philosophers there are, and as many forks"`
	Spacing fixed.F    `param:"spacing" default:"10" range:"1..1000" help:"how far apart neighbours sit, along the ring"`
	Tick    world.Time `param:"tick" default:"20ms" range:"1ms..1s" help:"how much time a step lets pass"`
	Every   world.Time `param:"every" default:"2s" range:"10ms..1h" help:"how often artificial users reach for their forks, all at the same tick"`
	Eat     world.Time `param:"eat" default:"1s" range:"1ms..1h" help:"when after that those who eat put them down; less than every"`
}

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	if c.Every <= c.Eat {
		return fmt.Errorf("every: %v is not longer than the %v for which philosophers eat", c.Every, c.Eat)
	}
	return nil
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newTable(*c), nil
}

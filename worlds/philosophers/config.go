package philosophers

import (
	"errors"
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

// Default returns the parameters of a table for twenty.
func Default() Config {
	return Config{Count: 20, Spacing: 10 * fixed.One, Tick: 20 * world.Millisecond, Every: 2 * world.Second, Eat: world.Second}
}

// Validate says what is wrong with the parameters.
func (c *Config) Validate() error {
	switch {
	case c.Count < 2 || c.Count > 100_000:
		return fmt.Errorf("count: 2 to 100000 philosophers fit around the table, not %d", c.Count)
	case c.Spacing < fixed.One || c.Spacing > 1000*fixed.One:
		return fmt.Errorf("spacing: neighbours sit 1 to 1000 apart, not %v", c.Spacing)
	case c.Tick <= 0 || c.Eat <= 0 || c.Every <= c.Eat:
		return errors.New("tick and eat must take time, and every more than eat")
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

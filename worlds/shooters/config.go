package shooters

import (
	"errors"

	"throng/world"
)

// Config are the parameters of the game.
type Config struct {
	Tick  world.Time `param:"tick" default:"20ms" range:"1ms..1s" help:"how much time a step lets pass"`
	Round world.Time `param:"round" default:"4s" range:"10ms..1h" help:"how often the artificial users play the scene"`
	Gap   world.Time `param:"gap" default:"100ms" range:"0s..1m" help:"how much later than C's arrow B's goes off; less than a round trip, or B knows"`
}

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	if c.Round < 4*c.Tick || c.Gap >= c.Round/2 {
		return errors.New("round must be at least four ticks, and more than twice the gap")
	}
	return nil
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newYard(*c), nil
}

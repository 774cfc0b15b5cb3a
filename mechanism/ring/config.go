package ring

import (
	"errors"

	"throng/mechanism"
	"throng/mechanism/parts/relay"
	"throng/mechanism/parts/star"
	"throng/world"
)

// Config is the mechanism and its parameters.
type Config struct {
	relay.Config

	// Tell bounds how wrong the server may be about where people are who walk on by themselves. Where everything happens by
	// actions it makes no difference.
	Tell world.Time `param:"tell" default:"500ms" range:"1ms..1m" help:"how often clients tell where their users' objects are while these move by themselves; with each action they do so anyway"`
}

// Default returns the mechanism as it is usually run.
func Default() Config { return Config{relay.Default(), 500 * world.Millisecond} }

// Validate finds what is wrong with the parameters.
func (c *Config) Validate() error {
	if c.Tell <= 0 {
		return errors.New("tell must take time")
	}
	return c.Config.Validate()
}

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	var f relay.Filter
	if p.ID == star.Server {
		f = newLookout(s.World, s.Start)
	}
	return relay.NewNode(&c.Config, s, p, f, c.Tell)
}

package broadcast

import (
	"throng/mechanism"
	"throng/mechanism/parts/relay"
)

// Config is the mechanism and its parameters.
type Config struct{ relay.Config }

// Default returns the mechanism as it is usually run.
func Default() Config { return Config{relay.Default()} }

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return relay.NewNode(&c.Config, s, p, nil, 0)
}

// Serial implements mechanism.Serial: whatever clients hold follows from the server's order.
func (c *Config) Serial() {}

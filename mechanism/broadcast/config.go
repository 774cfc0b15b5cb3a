package broadcast

import (
	"throng/mechanism"
	"throng/mechanism/parts/relay"
)

// Config is the mechanism and its parameters.
type Config struct{ relay.Config }

var (
	_ mechanism.Admitting = (*Config)(nil)
	_ mechanism.Described = (*Config)(nil)
	_ mechanism.Serial    = (*Config)(nil)
)

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return relay.NewNode(&c.Config, s, p, nil, 0)
}

// Serial implements mechanism.Serial: whatever clients hold follows from the server's order.
func (c *Config) Serial() {}

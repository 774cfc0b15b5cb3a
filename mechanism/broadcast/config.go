package broadcast

import (
	"throng/mechanism"
	"throng/mechanism/relay"
	"throng/world"
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

// Converges implements mechanism.Converging: the time for the last action to reach the server and everybody from there,
// lost and repeated eight times over on each of the two ways.
func (c *Config) Converges(delayMax world.Time) world.Time {
	const repeats = 8
	way := c.Link.Batching + delayMax + c.Link.ReceptionDelay + repeats*(c.Link.Timeout+2*c.Link.Batching)
	return 2*way + world.Second
}

// Serial implements mechanism.Serial: whatever clients hold follows from the server's order.
func (c *Config) Serial() {}

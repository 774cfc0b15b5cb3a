package broadcast

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/link"
	"throng/mechanism/relay"
	"throng/world"
)

// Config is the mechanism and its parameters.
type Config struct {
	Link link.Config `param:"link"`
}

// Default returns the mechanism as it is usually run.
func Default() Config { return Config{Link: link.Default()} }

// Validate finds what is wrong with the parameters.
func (c *Config) Validate() error {
	if err := c.Link.Validate(); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

// Places implements mechanism.Mechanism: a server, then the clients.
func (c *Config) Places(w world.World) []mechanism.Place { return relay.Places(w) }

// Admit implements mechanism.Admitting.
func (c *Config) Admit(u world.User) mechanism.Place { return relay.Admit(u) }

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return relay.NewNode(c.Link, s, p, nil, 0)
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

package ideal

import (
	"throng/mechanism"
	"throng/world"
)

// Config is the mechanism. It has no parameters.
type Config struct{}

var _ mechanism.Idealised = (*Config)(nil)

// Idealised marks the mechanism as one for a network without delay and loss.
func (c *Config) Idealised() {}

// Places gives each user a peer.
func (c *Config) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

// NewNode builds a peer.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return newNode(s, p), nil
}

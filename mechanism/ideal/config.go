package ideal

import (
	"throng/mechanism"
	"throng/world"
)

// Config is the mechanism. It has no parameters.
type Config struct{}

// Default returns the mechanism as it is usually run.
func Default() Config { return Config{} }

// Validate finds what is wrong with the parameters.
func (c *Config) Validate() error { return nil }

// Idealised marks the mechanism as one for a network without delay and loss.
func (c *Config) Idealised() {}

// Places gives each user a peer.
func (c *Config) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

// NewNode builds a peer.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return newNode(s, p), nil
}

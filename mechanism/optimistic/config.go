package optimistic

import (
	"errors"
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
)

// Config says how worlds are shared optimistically.
type Config struct {
	Link     link.Config `param:"link"`
	LocalLag world.Time  `param:"local-lag" default:"0s" range:"0s..10s" help:"own actions take effect this much later, rounded up to whole ticks"`
	States   int         `param:"states" default:"8" range:"3..64" help:"checkpoints kept for rolling back"`
	History  world.Time  `param:"history" default:"25s" range:"1s..10m" help:"how far back a late action can be mended"`
}

// Default is the configuration of Adam's experiments.
func Default() Config {
	return Config{Link: link.Default(), States: 8, History: 25 * world.Second}
}

// Validate finds values that make no sense.
func (c *Config) Validate() error {
	switch {
	case c.LocalLag < 0:
		return errors.New("the local lag must not be negative")
	case c.States < 3:
		return errors.New("rolling back takes at least three states: the latest, the oldest and its successor")
	case c.History <= c.LocalLag:
		return errors.New("the history must be longer than the local lag")
	}
	if err := c.Link.Validate(); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

// Places implements mechanism.Mechanism: everybody is a peer.
func (c *Config) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newNode(c, s, p), nil
}

// Converges implements mechanism.Converging: the time for the last action to be sent, lost and repeated eight times over,
// and to take effect.
func (c *Config) Converges(delayMax world.Time) world.Time {
	const repeats = 8
	send := c.Link.Batching + delayMax + c.Link.ReceptionDelay
	return max(send+repeats*(c.Link.Timeout+2*c.Link.Batching), c.LocalLag) + world.Second
}

package optimistic

import (
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

var _ mechanism.Converging = (*Config)(nil)

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	if c.History <= c.LocalLag {
		return fmt.Errorf("history: %v is not longer than the local lag of %v", c.History, c.LocalLag)
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
	return max(send+c.Link.Repeats(repeats), c.LocalLag) + world.Second
}

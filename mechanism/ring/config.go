package ring

import (
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

var (
	_ mechanism.Admitting = (*Config)(nil)
	_ mechanism.Described = (*Config)(nil)
)

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	var f relay.Filter
	if p.ID == star.Server {
		f = newLookout(s.World, s.Start)
	}
	return relay.NewNode(&c.Config, s, p, f, c.Tell)
}

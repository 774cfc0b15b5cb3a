package central

import (
	"throng/mechanism"
	"throng/mechanism/parts/input"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return input.Describe(s.World.Schema(), m.Payload) }
}

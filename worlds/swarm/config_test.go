package swarm

import (
	"testing"

	"throng/internal/param/paramtest"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
}

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, Default(), map[string][]func(*Config){
		"bees":         {func(c *Config) { c.Bees = 0 }, func(c *Config) { c.Bees = 1025 }},
		"tick":         {func(c *Config) { c.Tick = 0 }},
		"dead":         {func(c *Config) { c.Dead = 0 }},
		"queen-turn":   {func(c *Config) { c.QueenTurn = -1 }},
		"bee-radius":   {func(c *Config) { c.BeeRadius = 0 }},
		"forage":       {func(c *Config) { c.Forage = 0 }},
		"acceleration": {func(c *Config) { c.Acceleration = fixed.One / 2 }},
		"area":         {func(c *Config) { c.Area = 1000 * fixed.One }},
	})
}

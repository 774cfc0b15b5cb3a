package swarm

import (
	"strings"
	"testing"

	"throng/internal/param/paramtest"
	"throng/world/fixed"
)

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
	c := Default()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Schema().Check(); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(*Config)
	}{
		{"bees", func(c *Config) { c.Bees = 0 }},
		{"bees", func(c *Config) { c.Bees = 1025 }},
		{"tick", func(c *Config) { c.Tick = 0 }},
		{"dead", func(c *Config) { c.Dead = 0 }},
		{"queen-turn", func(c *Config) { c.QueenTurn = -1 }},
		{"bee-radius", func(c *Config) { c.BeeRadius = 0 }},
		{"forage", func(c *Config) { c.Forage = 0 }},
		{"acceleration", func(c *Config) { c.Acceleration = fixed.One / 2 }},
		{"area", func(c *Config) { c.Area = 1000 * fixed.One }},
	} {
		config := Default()
		c.spoil(&config)
		if _, err := config.World(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error about %s, got %v", c.want, err)
		}
	}
}

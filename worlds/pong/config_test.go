package pong

import (
	"testing"

	"throng/internal/param/paramtest"
	"throng/world/worldtest"
)

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
}

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, Default(), map[string][]func(*Config){
		"tick":       {func(c *Config) { c.Tick = 0 }},
		"radius":     {func(c *Config) { c.Radius = 0 }},
		"racket":     {func(c *Config) { c.Racket = c.Height }},
		"width":      {func(c *Config) { c.Width = 4 * c.Inset }},
		"gain":       {func(c *Config) { c.Gain -= c.Gain / 2 }},
		"top":        {func(c *Config) { c.Top = c.Serve - 1 }},
		"steepest":   {func(c *Config) { c.Steepest = 40 }},
		"deflection": {func(c *Config) { c.Deflection = -1 }},
	})
}

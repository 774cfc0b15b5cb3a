package pong

import (
	"testing"

	"throng/internal/param"
	"throng/world/worldtest"
)

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"racket": {func(c *Config) { c.Racket = c.Height }},
		"width":  {func(c *Config) { c.Width = 4 * c.Inset }},
		"top":    {func(c *Config) { c.Top = c.Serve - 1 }},
	})
}

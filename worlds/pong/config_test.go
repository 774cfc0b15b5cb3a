package pong

import (
	"strings"
	"testing"

	"throng/internal/param/paramtest"
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
		{"tick", func(c *Config) { c.Tick = 0 }},
		{"radius", func(c *Config) { c.Radius = 0 }},
		{"racket", func(c *Config) { c.Racket = c.Height }},
		{"width", func(c *Config) { c.Width = 4 * c.Inset }},
		{"gain", func(c *Config) { c.Gain -= c.Gain / 2 }},
		{"top", func(c *Config) { c.Top = c.Serve - 1 }},
		{"steepest", func(c *Config) { c.Steepest = 40 }},
		{"deflection", func(c *Config) { c.Deflection = -1 }},
	} {
		config := Default()
		c.spoil(&config)
		if _, err := config.World(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error about %s, got %v", c.want, err)
		}
	}
}

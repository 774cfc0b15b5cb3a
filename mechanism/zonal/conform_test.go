package zonal

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// promises is what the suite holds the mechanism to. Where there are several zones, marbles roll from one to the other, and whoever
// changes trees is a new child there: what is remembered of it takes memory.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: world.Millisecond,
		Wakes:     4,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
		Blind:     true, // who goes far away is shown for some time as last heard of

		Allocations: 4,
	}
}

func TestConform(t *testing.T) {
	mechanismtest.ConformEach(t, promises(), param.Default[Config], map[string]func(*Config){
		"default":    func(*Config) {},
		"one zone":   func(c *Config) { c.Zones = 1 },
		"many zones": func(c *Config) { c.Zones = 9 },
		"chain":      func(c *Config) { c.Zones, c.Root, c.Degree = 1, 1, 1 },
		"unfiltered": func(c *Config) { c.Filter = false },
		"no backup":  func(c *Config) { c.Backup = false },
		"hurried":    func(c *Config) { c.Gather = world.Millisecond },
	})
}

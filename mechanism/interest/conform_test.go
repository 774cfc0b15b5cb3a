package interest

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/interpolation"
	"throng/world"
)

// promises is what the suite holds the mechanism to. With ten servers and thirty lines, memory is still being grown here and
// there when the suite begins to count: after 3,000 more ticks it is one allocation in twenty ticks.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: 2 * world.Second,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
		Settle:    8 * world.Second,

		Allocations: 8,
	}
}

func TestConform(t *testing.T) {
	mechanismtest.ConformEach(t, promises(), param.Default[Config], map[string]func(*Config){
		"multiple":    func(*Config) {},
		"single":      func(c *Config) { c.Interest = Single },
		"proxy":       func(c *Config) { c.Proxy = true },
		"one server":  func(c *Config) { c.Columns, c.Rows = 1, 1 },
		"full":        func(c *Config) { c.Bands = "full" },
		"compressed":  func(c *Config) { c.Bands = "compressed" },
		"reckon":      func(c *Config) { c.Others = interpolation.Reckon },
		"interpolate": func(c *Config) { c.Others = interpolation.Interpolate },
		"slow":        func(c *Config) { c.Interval = 4 },
	})
}

package central

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// promises is what the suite holds the mechanism to. A server with three clients in slots of their own wakes for the tick
// and for each of them.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: 2 * world.Second,
		Wakes:     4,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
		Settle:    8 * world.Second,
	}
}

func TestConform(t *testing.T) {
	mechanismtest.ConformEach(t, promises(), param.Default[Config], map[string]func(*Config){
		"default":     func(*Config) {},
		"tick":        func(c *Config) { c.Execute = AtTick },
		"reckon":      func(c *Config) { c.Others = Reckon },
		"latest":      func(c *Config) { c.Others = Latest },
		"unpredicted": func(c *Config) { c.Predict = false },
		"snap":        func(c *Config) { c.Reconcile = Snap },
		"one slot":    func(c *Config) { c.Slots = 1 },
		"slow":        func(c *Config) { c.Rate = 5 },
		"budget":      func(c *Config) { c.Budget = 2000 },
	})
}

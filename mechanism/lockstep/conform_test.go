package lockstep

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// promises is what the suite holds the mechanism to. Every turn has its messages, whatever happens in it; a batching delay
// has the receipts go along.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: 2 * world.Millisecond,
		Wakes:     5,
		Agrees:    mechanismtest.Exactly,
		Heals:     true,
		Settle:    8 * world.Second,
	}
}

func TestConform(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"default":   func(*Config) {},
		"patient":   func(c *Config) { c.Delay = 4 },
		"hasty":     func(c *Config) { c.Delay, c.Patience = 1, 20*world.Second }, // everybody is late, and nobody is to blame
		"dynamic":   func(c *Config) { c.Dynamic = true },
		"unchecked": func(c *Config) { c.Check = 0 },
		"seldom":    func(c *Config) { c.Check = 5 },
		"one tick":  func(c *Config) { c.Turn = 50 * world.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			config := param.Default[Config]()
			config.Link.Batching = world.Millisecond
			change(&config)
			mechanismtest.Conform(t, &config, promises())
		})
	}
}

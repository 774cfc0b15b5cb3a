package octree

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// promises is what the suite holds the mechanism to. Servers and storage nodes are never silent for longer than a quarter of a lease.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: world.Millisecond,
		Wakes:     30,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
		Settle:    10 * world.Second,

		Allocations: 100,
	}
}

func TestConform(t *testing.T) {
	mechanismtest.ConformEach(t, promises(), param.Default[Config], map[string]func(*Config){
		"default":     func(*Config) {},
		"one of each": func(c *Config) { c.Servers, c.Storage = 1, 1 },
		"spread":      func(c *Config) { c.Servers, c.Storage, c.Copies = 2, 5, 3 },
		"balanced":    func(c *Config) { c.Balancers, c.Reassign = 2, world.Second },
		"unpredicted": func(c *Config) { c.Predict = false },
	})
}

func TestParameters(t *testing.T) {
	if err := param.Check(new(Config)); err != nil {
		t.Error(err)
	}
}

package optimistic

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestConform(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"default":         func(*Config) {},
		"local lag":       func(c *Config) { c.LocalLag = 120 * world.Millisecond },
		"batching":        func(c *Config) { c.Link.Batching = 30 * world.Millisecond },
		"reception delay": func(c *Config) { c.Link.ReceptionDelay = 100 * world.Millisecond },
		"few states":      func(c *Config) { c.States = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := param.Default[Config]()
			change(&cfg)
			mechanismtest.Conform(t, &cfg, mechanismtest.Options{Agrees: mechanismtest.Exactly, Heals: true})
		})
	}
}

func TestHistoryIsLongerThanTheLocalLag(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.LocalLag, cfg.History = world.Second, world.Second
	if param.Validate(&cfg) == nil {
		t.Error("passes")
	}
	if n, err := cfg.NewNode(nil, cfg.Places(mechanismtest.Marbles(1))[0]); err == nil {
		t.Errorf("makes %v", n)
	}
}

// TestConverges holds views to be equal after the time that the mechanism asks for, although the network loses everything
// until the last action has been repeated seven times.
func TestConverges(t *testing.T) {
	for _, change := range []func(*Config){
		func(*Config) {},
		func(c *Config) { c.Link.Adaptive = false },
		func(c *Config) { c.LocalLag = 3 * world.Second },
		func(c *Config) { c.Link.Batching, c.Link.ReceptionDelay = 300*ms, world.Second },
	} {
		cfg := param.Default[Config]()
		change(&cfg)
		rig, err := mechanismtest.NewRig(&cfg, newStrip(3, 0), 1)
		if err != nil {
			t.Fatal(err)
		}
		const delay, played = 2 * world.Second, world.Second
		healed := played + cfg.Link.Repeats(7)
		rig.Network = func(mechanism.Message) (world.Time, bool) { return delay, rig.Now() <= healed }
		rig.Start()
		rig.Play(int(played / rig.World.Schema().Tick))
		rig.Advance(cfg.Converges(delay))
		for id := mechanism.NodeID(2); id <= 3; id++ {
			if rig.Client(id).View().Hash() != rig.Client(1).View().Hash() {
				t.Errorf("%+v: nodes 1 and %d disagree", cfg, id)
			}
		}
	}
}

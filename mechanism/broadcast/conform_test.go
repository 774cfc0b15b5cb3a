package broadcast

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestConform(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"default":  func(*Config) {},
		"batching": func(c *Config) { c.Link.Batching = 30 * world.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := param.Default[Config]()
			change(&cfg)
			mechanismtest.Conform(t, &cfg, mechanismtest.Options{
				Agrees: mechanismtest.Exactly, Heals: true, Heartbeat: 50 * world.Millisecond, Wakes: 2, Settle: 10 * world.Second,
			})
		})
	}
}

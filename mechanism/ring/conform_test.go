package ring

import (
	"testing"

	"throng/internal/param/paramtest"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestConform(t *testing.T) {
	cfg := Default()
	mechanismtest.Conform(t, &cfg, mechanismtest.Options{
		Heartbeat: 50 * world.Millisecond, Wakes: 2, Settle: 10 * world.Second,
	})
}

func TestParameters(t *testing.T) {
	paramtest.Defaults(t, Default())
	for _, spoil := range []func(*Config){
		func(c *Config) { c.Link.Timeout = 0 },
		func(c *Config) { c.Tell = 0 },
	} {
		c := Default()
		spoil(&c)
		if c.Validate() == nil {
			t.Errorf("%+v passes", c)
		}
	}
}

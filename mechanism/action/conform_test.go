package action

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func TestConform(t *testing.T) {
	for _, protocol := range protocols {
		for name, change := range map[string]func(*Config){
			"owner":  func(*Config) {},
			"all":    func(c *Config) { c.Completion = All },
			"delay":  func(c *Config) { c.Completion, c.Beyond, c.Culling = All, Delay, true },
			"eager":  func(c *Config) { c.Omega, c.Look = fixed.One/10, 700*world.Millisecond },
			"stride": func(c *Config) { c.Stride = 3 },
		} {
			t.Run(protocol+"/"+name, func(t *testing.T) {
				c := param.Default[Config]()
				c.Protocol = protocol
				change(&c)
				mechanismtest.Conform(t, &c, mechanismtest.Options{
					Heartbeat: 500 * world.Millisecond, Wakes: 2, Agrees: mechanismtest.Exactly, Heals: true, Settle: 12 * world.Second,
					Blind:       protocol != Basic, // a client asks about what it takes to be near: until then it shows what it last heard
					Allocations: 2,                 // entries vary in what they touch, so that lists of it grow now and then
				})
			})
		}
	}
}

// TestMarblesFollowTheOrder plays with marbles, which move by themselves and some of which change hands.
func TestMarblesFollowTheOrder(t *testing.T) {
	for _, protocol := range protocols {
		r, c := newRun(t, mechanismtest.Marbles(4), func(c *Config) { c.Protocol = protocol })
		r.Play(400)
		if err := c.order.Verdict(); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

func TestParameters(t *testing.T) {
}

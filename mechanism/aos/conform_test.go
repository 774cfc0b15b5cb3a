package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// promises is what the suite holds the mechanism to: views hold parts of the world, and what is told is rounded. Servers that
// wait for turn-advances are never silent.
func promises() mechanismtest.Options {
	return mechanismtest.Options{
		Heartbeat: world.Millisecond,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
		Settle:    14 * world.Second, // over a bad network dynamic delays grow to more than a second, and come back slowly

		// Clients that come to be told of another area begin with empty hands, as do those that are not trusted with one; all else is
		// used again.
		Allocations: 420,
	}
}

func TestConform(t *testing.T) {
	for name, change := range variants {
		if name == "fine" || name == "full" {
			continue // so many servers take their time; so much news take several datagrams at once
		}
		t.Run(name, func(t *testing.T) {
			config := param.Default[Config]()
			config.Turns = 3 // the suite's network takes longer than a turn there and back
			change(&config)
			options := promises()
			if config.Detail {
				options.Late = 3 * world.Second // most objects are sent every 40 ticks
			}
			mechanismtest.Conform(t, &config, options)
		})
	}
}

func TestParameters(t *testing.T) {
	if err := param.Check(new(Config)); err != nil {
		t.Error(err)
	}
	var c Config
	if err := param.Defaults(&c); err != nil || c != param.Default[Config]() {
		t.Errorf("the tags say %+v, Default says %+v (%v)", c, param.Default[Config](), err)
	}
}

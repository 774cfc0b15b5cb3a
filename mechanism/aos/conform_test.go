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
		Settle:    8 * world.Second,
	}
}

func TestConform(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"default": func(*Config) {},
	} {
		t.Run(name, func(t *testing.T) {
			config := Default()
			change(&config)
			mechanismtest.Conform(t, &config, promises())
		})
	}
}

func TestParameters(t *testing.T) {
	if err := param.Check(new(Config)); err != nil {
		t.Error(err)
	}
	var c Config
	if err := param.Defaults(&c); err != nil || c != Default() {
		t.Errorf("the tags say %+v, Default says %+v (%v)", c, Default(), err)
	}
}

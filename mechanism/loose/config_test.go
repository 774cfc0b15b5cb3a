package loose

import (
	"reflect"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

func TestNewNodeRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		says   string
	}{
		{func(c *Config) { c.Threshold = map[string]fixed.F{"marbel": 1} }, "threshold.marbel: the kinds with a place in world marbles are marble, pebble"},
		{func(c *Config) { c.Threshold = map[string]fixed.F{"tally": 1} }, "threshold.tally"},
	} {
		config := param.Default[Config]()
		c.change(&config)
		_, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", config, err, c.says)
		}
	}
}

func TestThresholds(t *testing.T) {
	config := param.Default[Config]()
	config.Threshold = map[string]fixed.F{"pebble": 7 * fixed.One}
	got, err := config.thresholds(mechanismtest.Marbles(2).Schema())
	if err != nil {
		t.Fatal(err)
	}
	want := []fixed.F{mechanismtest.Marble: fixed.One, mechanismtest.Pebble: 7 * fixed.One, mechanismtest.Tally: unplaced}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestPhases(t *testing.T) {
	for phase, want := range map[string][]world.Time{
		Spread:   {100 * world.Millisecond, 200 * world.Millisecond, 300 * world.Millisecond},
		Together: {300 * world.Millisecond, 300 * world.Millisecond, 300 * world.Millisecond},
	} {
		config := param.Default[Config]()
		config.Interval, config.Phase = 300*world.Millisecond, phase
		r := newRig(t, &config, 3)
		for i, first := range firstSends(r) {
			if first != want[i] {
				t.Errorf("%s: node %d first sends at %v, want %v", phase, i+1, first, want[i])
			}
		}
	}
}

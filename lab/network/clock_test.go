package network

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
)

func TestClockByHand(t *testing.T) {
	for _, test := range []struct {
		clock         Clock
		global, local world.Time
	}{
		{Clock{}, 123, 123},
		{Clock{offset: -5}, 100, 95},
		{Clock{drift: 1000}, world.Second, world.Second + 1000},
		{Clock{drift: -1000}, world.Second, world.Second - 1000},
		{Clock{drift: -1}, 1, 0},
		{Clock{drift: 1}, 1, 1},
		{Clock{offset: 7, drift: 500_000_000}, 3, 11}, // half as fast again: 4.5 rounded down
		{Clock{offset: 7, drift: 500_000_000}, -3, 2},
		{Clock{offset: 7, drift: 3}, world.Never, world.Never},
	} {
		if got := test.clock.Local(test.global); got != test.local {
			t.Errorf("%+v.Local(%d) = %d, want %d", test.clock, test.global, got, test.local)
		}
	}
	if got := (Clock{offset: 7, drift: 3}).Global(world.Never); got != world.Never {
		t.Errorf("Global(Never) = %d", got)
	}
}

func TestClockIsMonotone(t *testing.T) {
	const century = 36_525 * 24 * 60 * world.Minute
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{
			offset: world.Time(rapid.Int64Range(-1e14, 1e14).Draw(t, "offset")),
			drift:  rapid.Int64Range(-1e8, 1e8).Draw(t, "drift"),
		}
		at := world.Time(rapid.Int64Range(-1e6, int64(century)).Draw(t, "at"))
		if c.Local(at+1) < c.Local(at) {
			t.Fatalf("the clock goes back from %d to %d", c.Local(at), c.Local(at+1))
		}
		if c.Global(at+1) < c.Global(at) {
			t.Fatalf("a later timer goes off at %d instead of %d", c.Global(at+1), c.Global(at))
		}
		// A timer goes off when the clock shows its time, and not a nanosecond later.
		off := c.Global(at)
		if c.Local(off) < at || c.Local(off-1) >= at {
			t.Fatalf("a timer for %d goes off at %d, when the clock shows %d after %d", at, off, c.Local(off), c.Local(off-1))
		}
	})
}

func TestClocksStayWithinBounds(t *testing.T) {
	cfg := ClockConfig{Offset: 50 * world.Millisecond, Drift: 100 * fixed.One}
	var late, early, fast, slow int
	for host := range uint32(1000) {
		c := cfg.Clock(1, host)
		if max(c.offset, -c.offset) > cfg.Offset || max(c.drift, -c.drift) > 100_000 {
			t.Errorf("host %d: offset %v, drift %d ns/s", host, c.offset, c.drift)
		}
		if c != cfg.Clock(1, host) {
			t.Errorf("host %d has two clocks", host)
		}
		for count, is := range map[*int]bool{
			&early: c.offset > 40*world.Millisecond, &late: c.offset < -40*world.Millisecond,
			&fast: c.drift > 80_000, &slow: c.drift < -80_000,
		} {
			if is {
				*count++
			}
		}
	}
	for name, count := range map[string]int{"early": early, "late": late, "fast": fast, "slow": slow} {
		checkShare(t, name, count, 1000, 0.1)
	}
	if got := (ClockConfig{}).Clock(1, 1); got != (Clock{}) {
		t.Errorf("without bounds the clock is %+v, want a right one", got)
	}
}

package network

import (
	"math/bits"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// ClockConfig is how wrong the hosts' clocks are: each by an amount of its own, evenly distributed up to these bounds on
// either side.
type ClockConfig struct {
	Offset world.Time `param:"offset" default:"0s" range:"0s..24h" help:"by how much a host's clock is wrong at the start, at most"`
	Drift  fixed.F    `param:"drift" unit:"ppm" default:"0" range:"0..100000" help:"how much too fast or too slow it runs, at most"`
}

// Clock returns the clock of one host.
func (c ClockConfig) Clock(seed uint64, host uint32) Clock {
	within := func(name string, bound int64) int64 {
		s := random.New(seed, name, uint64(host))
		return int64(s.Below(uint64(2*bound+1))) - bound
	}
	return Clock{
		offset: world.Time(within("clock.offset", int64(c.Offset))),
		drift:  within("clock.drift", c.Drift.MulInt(1000).Round()),
	}
}

// Clock turns the time of the run into that of a host's clock and back. The zero Clock is right.
type Clock struct {
	offset world.Time // what it shows at time zero
	drift  int64      // nanoseconds that it gains in a second
}

// Local returns what the clock shows at a time of the run. It never runs backwards: a later time shows the same or more.
func (c Clock) Local(global world.Time) world.Time {
	if global == world.Never || c == (Clock{}) {
		return global
	}
	return c.offset + scaleDown(global, int64(world.Second)+c.drift, int64(world.Second))
}

// Global returns the first time of the run at which the clock shows the local time or a later one: when a timer set by this
// clock goes off.
func (c Clock) Global(local world.Time) world.Time {
	if local == world.Never || c == (Clock{}) {
		return local
	}
	// floor(x·n/d) >= y holds from x = ceil(y·d/n) on.
	return scaleUp(local-c.offset, int64(world.Second), int64(world.Second)+c.drift)
}

// scaleDown returns t·num/den rounded down. The result must be in range, which it is within a century.
func scaleDown(t world.Time, num, den int64) world.Time {
	hi, lo := bits.Mul64(uint64(max(t, -t)), uint64(num))
	quotient, rest := bits.Div64(hi, lo, uint64(den))
	if t >= 0 {
		return world.Time(quotient)
	}
	if rest > 0 {
		quotient++
	}
	return -world.Time(quotient)
}

// scaleUp returns t·num/den rounded up.
func scaleUp(t world.Time, num, den int64) world.Time { return -scaleDown(-t, num, den) }

package gateway

import "time"

// start is before anything that a gateway measures. Times are kept as what has passed since then, by a clock that nobody sets.
var start = time.Now().Add(-time.Hour)

// monotonic is a moment in nanoseconds since start.
func monotonic(now time.Time) int64 { return int64(now.Sub(start)) }

// bucket is a token bucket: it allows so many units in a period on average, and a period's worth at once.
type bucket struct {
	level float64 // what may be taken now
	last  int64   // when something was last wanted, as monotonic has it; zero for never
}

// take takes n units, where so many may be taken in a period, and reports whether it could.
func (b *bucket) take(now time.Time, n, allowed int, period time.Duration) bool {
	if !b.has(now, n, allowed, period) {
		return false
	}
	b.level -= float64(n)
	return true
}

// has reports whether n units could be taken now.
func (b *bucket) has(now time.Time, n, allowed int, period time.Duration) bool {
	most, at := float64(allowed), monotonic(now)
	if b.last == 0 {
		b.level = most
	} else {
		b.level = min(most, b.level+most*(float64(max(0, at-b.last))/float64(period)))
	}
	b.last = at
	return b.level >= float64(n)
}

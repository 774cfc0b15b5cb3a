package turn

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
)

const ms = world.Millisecond

func TestPace(t *testing.T) {
	for _, c := range []struct {
		length, tick world.Time
		ticks        world.Tick
	}{
		{100 * ms, 25 * ms, 4},
		{100 * ms, 50 * ms, 2},
		{100 * ms, 100 * ms, 1},
		{100 * ms, 30 * ms, 4}, // it does not divide: the turn gets longer
		{100 * ms, 200 * ms, 1},
		{0, 50 * ms, 1},
	} {
		p := NewPace(c.length, c.tick)
		if p.Ticks != c.ticks || p.Length() != world.Time(c.ticks)*c.tick {
			t.Errorf("%v in ticks of %v: %d ticks, %v", c.length, c.tick, p.Ticks, p.Length())
		}
	}
}

func TestEveryTickIsInItsTurn(t *testing.T) {
	p := NewPace(100*ms, 30*ms)
	for tick := range world.Tick(100) {
		n := p.Of(tick)
		if tick < p.First(n) || tick >= p.First(n+1) || p.Begins(tick) != (tick == p.First(n)) {
			t.Errorf("tick %d is in turn %d, which is from %d to %d", tick, n, p.First(n), p.First(n+1))
		}
	}
}

func TestHashesAreKeptForAWhile(t *testing.T) {
	var h Hashes
	if _, known := h.Get(0); known {
		t.Error("turn 0 is known before it was")
	}
	for n := range Number(1000) {
		h.Put(n, uint64(n)*3)
		for back, want := range map[Number]bool{0: true, hashesKept - 1: n >= hashesKept-1, hashesKept: false} {
			hash, known := h.Get(n - back)
			if n >= back && (known != want || known && hash != uint64(n-back)*3) {
				t.Fatalf("at turn %d, turn %d: %d, known: %t", n, n-back, hash, known)
			}
		}
		if _, known := h.Get(n + 1); known {
			t.Fatalf("turn %d is known before it was", n+1)
		}
	}
}

func TestLatency(t *testing.T) {
	for name, c := range map[string]struct {
		trips []world.Time // in milliseconds
		want  world.Time   // in microseconds
	}{
		"nothing known":            {nil, 0},
		"one":                      {[]world.Time{80}, 40_000},
		"steady: the mean":         {[]world.Time{100, 110, 90, 100}, 50_000},
		"jitter: the largest":      {[]world.Time{100, 100, 100, 300}, 150_000},
		"what is long ago is gone": {[]world.Time{900, 100, 100, 100, 100, 100, 100, 100, 100}, 50_000},
		"no time at all":           {[]world.Time{0, 0, 0}, 0},
		"a clock that goes back":   {[]world.Time{-5}, 0},
	} {
		var l Latency
		for _, trip := range c.trips {
			l.Add(trip * ms)
		}
		if got := l.OneWay(); got != c.want*world.Microsecond {
			t.Errorf("%s: %v instead of %v", name, got, c.want*world.Microsecond)
		}
		if want := len(c.trips) >= 4; l.Known() != want {
			t.Errorf("%s: known: %t", name, l.Known())
		}
	}
}

func TestLatencyIsBetweenTheLeastAndTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trips := rapid.SliceOfN(rapid.Int64Range(0, int64(10*world.Second)), 1, 20).Draw(t, "trips")
		var l Latency
		for _, trip := range trips {
			l.Add(world.Time(trip))
		}
		latest := trips[max(0, len(trips)-tripsKept):]
		if got := int64(l.OneWay()); got < slices.Min(latest)/2 || got > slices.Max(latest)/2 {
			t.Fatalf("%v from %v", got, latest)
		}
	})
}

func TestDelays(t *testing.T) {
	for _, c := range []struct {
		oneWay world.Time
		want   Number
	}{{0, 0}, {1, 1}, {50 * ms, 1}, {50*ms + 1, 2}, {80 * ms, 2}, {500 * ms, 10}} {
		if got := Delay(c.oneWay, 100*ms); got != c.want {
			t.Errorf("%v away: %d turns instead of %d", c.oneWay, got, c.want)
		}
	}
	for _, c := range []struct {
		client, server world.Time
		want           Number
	}{{0, 0, 0}, {30 * ms, 70 * ms, 1}, {30 * ms, 71 * ms, 2}, {150 * ms, 0, 2}} {
		if got := Between(c.client, c.server, 100*ms); got != c.want {
			t.Errorf("clients %v away, servers %v apart: %d turns instead of %d", c.client, c.server, got, c.want)
		}
	}
}

func TestFair(t *testing.T) {
	for _, c := range []struct {
		gap  Number
		want []Number
	}{{0, []Number{10, 10, 10}}, {5, []Number{5, 10, 7}}, {8, []Number{2, 10, 7}}, {20, []Number{2, 10, 7}}} {
		got := []Number{2, 10, 7}
		if Fair(got, c.gap); !slices.Equal(got, c.want) {
			t.Errorf("a gap of %d: %v instead of %v", c.gap, got, c.want)
		}
	}
	Fair(nil, 0)
}

// No delay shrinks, none is longer than the longest was, and no two are farther apart than allowed.
func TestFairKeepsItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Number { return Number(rapid.IntRange(0, 40).Draw(t, "delay")) }), 1, 50).Draw(t, "delays")
		gap := Number(rapid.IntRange(0, 10).Draw(t, "gap"))
		after := slices.Clone(before)
		Fair(after, gap)
		if slices.Max(after) != slices.Max(before) || slices.Max(after)-slices.Min(after) > gap {
			t.Fatalf("%v became %v", before, after)
		}
		for i := range before {
			if after[i] < before[i] {
				t.Fatalf("%v became %v", before, after)
			}
		}
	})
}

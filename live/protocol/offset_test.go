package protocol

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
)

const ms = world.Millisecond

// line is a connection with jitter between two clocks that differ.
type line struct {
	ahead world.Time // of the server's clock
	way   world.Time // the least delay of one way
	drift world.Time // by how much the server's clock is faster: one part in this many; 0 for not at all
}

func (l *line) server(client world.Time) world.Time {
	t := client + l.ahead
	if l.drift != 0 {
		t += client / l.drift
	}
	return t
}

// ping measures once, with so much more delay on the way there and back, and returns when the answer came.
func (l *line) ping(o *Offset, at, there, back world.Time) world.Time {
	arrives := at + l.way + there
	returns := arrives + l.way + back
	o.Pong(at, l.server(arrives), returns)
	return returns
}

func TestFirstReadingIsExactWhereBothWaysAreAlike(t *testing.T) {
	var o Offset
	l := line{ahead: 1000 * world.Second, way: 40 * ms}
	now := l.ping(&o, 5*ms, 0, 0)
	if got, want := o.At(now), l.server(now); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if o.RoundTrip() != 80*ms || o.Samples() != 1 || o.Error() != 0 {
		t.Errorf("round trip %v, %d samples, error %v", o.RoundTrip(), o.Samples(), o.Error())
	}
}

func TestOffsetWithoutPongsIsTheOwnClock(t *testing.T) {
	var o Offset
	if got := o.At(7 * ms); got != 7*ms || o.RoundTrip() != 0 {
		t.Errorf("%v, round trip %v", got, o.RoundTrip())
	}
}

// Whatever pongs say, the estimate keeps to its speed limits once it has been read.
func TestEstimateNeitherJumpsNorRunsBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o Offset
		times := rapid.Custom(func(t *rapid.T) world.Time {
			return world.Time(rapid.Int64Range(-1e12, 1e12).Draw(t, "time"))
		})
		local := times.Draw(t, "start")
		o.Pong(local, times.Draw(t, "server"), local+world.Time(rapid.Int64Range(0, 1e9).Draw(t, "trip")))
		start, first := local, o.At(local)
		before := first
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "pong") {
				o.Pong(local-world.Time(rapid.Int64Range(-10, 1e9).Draw(t, "ago")), times.Draw(t, "server"), local)
			}
			step := world.Time(rapid.OneOf(rapid.Int64Range(0, 40), rapid.Int64Range(0, 1e9)).Draw(t, "step"))
			local += step
			now := o.At(local)
			if passed := now - before; passed < 0 || passed < step-step/SlewMax-1 || passed > step+step/SlewMax+1 {
				t.Fatalf("the server's time passed by %d while the client's did by %d", passed, step)
			}
			before = now
		}
		whole, passed := local-start, before-first
		if passed < whole-whole/SlewMax-1 || passed > whole+whole/SlewMax+1 {
			t.Fatalf("in all %d passed by the server's clock, %d by the client's", passed, whole)
		}
	})
}

// Under jitter the estimate comes to within half of what the best round trip was too long, and stays there.
func TestEstimateConvergesUnderJitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delays := func(max int64) *rapid.Generator[world.Time] {
			return rapid.Custom(func(t *rapid.T) world.Time { return world.Time(rapid.Int64Range(0, max).Draw(t, "delay")) })
		}
		l := line{ahead: world.Time(rapid.Int64Range(-1e15, 1e15).Draw(t, "ahead")), way: delays(200e6).Draw(t, "way")}
		jitter := delays(rapid.Int64Range(0, 300e6).Draw(t, "jitter"))
		var o Offset
		now := l.ping(&o, 0, jitter.Draw(t, "there"), jitter.Draw(t, "back"))
		o.At(now)
		best := o.RoundTrip()
		for range 40 {
			now = l.ping(&o, now+500*ms, jitter.Draw(t, "there"), jitter.Draw(t, "back"))
			o.At(now)
		}
		for i := range min(samplesMax, o.taken) {
			best = min(best, o.samples[i].trip)
		}
		// An older sample stands back behind a newer one that is worse by no more than the drift that it may have.
		aged := world.Time(samplesMax) * 2 * world.Second / driftMax
		if off, most := o.At(now)-l.server(now), (best-2*l.way)/2+aged+1; off > most || off < -most {
			t.Fatalf("off by %v; the best round trip was %v, %v of it unavoidable", off, best, 2*l.way)
		}
	})
}

// Clocks of ordinary machines drift by up to 100 parts in a million.
func TestEstimateFollowsDrift(t *testing.T) {
	var o Offset
	l := line{ahead: world.Second, way: 20 * ms, drift: 10_000}
	now := world.Time(0)
	for range 3600 {
		now = l.ping(&o, now+world.Second, 0, 0)
		if off := o.At(now) - l.server(now); off > 2*ms || off < -2*ms {
			t.Fatalf("after %v off by %v", now, off)
		}
	}
}

func TestStepOfTheServersClockIsFollowedSlowly(t *testing.T) {
	var o Offset
	l := line{way: 10 * ms}
	now := l.ping(&o, 0, 0, 0)
	o.At(now)
	l.ahead = 100 * ms
	for range samplesMax { // until all that was measured before is forgotten
		now = l.ping(&o, now, 0, 0)
	}
	o.At(now)
	left := o.Error()
	if left <= 0 {
		t.Fatalf("error %v", left)
	}
	now += left * SlewMax
	if got, want := o.At(now), l.server(now); got != want || o.Error() != 0 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAnswersToNothingAreIgnored(t *testing.T) {
	var o Offset
	o.Pong(100*ms, 5*world.Second, 50*ms)
	if o.Samples() != 0 {
		t.Error("a pong from before its ping was believed")
	}
}

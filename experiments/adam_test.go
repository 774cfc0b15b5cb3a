package experiments_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"strconv"
	"strings"
	"testing"

	"throng/app"
)

// What Adam reports, asserted on quick runs of its experiments: as ratios, with margins that other seeds keep as well (try
// go test ./experiments -seed 2). Figures from long runs, and where they differ from the source's, are in
// docs/reproductions/adam.md.

var seed = flag.Uint64("seed", 1, "the seed of all runs")

// results are what --json prints.
type results struct {
	Points []struct {
		Params   map[string]string
		Measures map[string]struct{ Mean *float64 }
	}
}

// run runs an experiment quickly.
func run(t *testing.T, args ...string) results {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"run", "--quick", "--json", "--out", t.TempDir(), "--seed", strconv.FormatUint(*seed, 10)}, args...)
	if code := app.Run(t.Context(), app.Default(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var r results
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// mean returns a measure at the one point with these parameters, each written as path=value.
func (r results) mean(t *testing.T, measure string, params ...string) float64 {
	t.Helper()
	var found []float64
	for _, p := range r.Points {
		fits := true
		for _, param := range params {
			path, value, _ := strings.Cut(param, "=")
			fits = fits && p.Params[path] == value
		}
		if m := p.Measures[measure].Mean; fits && m != nil {
			found = append(found, *m)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d points have %s and %s, want 1", len(found), params, measure)
	}
	return found[0]
}

// atLeast says that a figure is at least ratio times another one.
func atLeast(t *testing.T, what string, a, b, ratio float64) {
	t.Helper()
	t.Logf("%s: %.3g (want %v or more)", what, a/b, ratio)
	if !(a >= ratio*b) {
		t.Errorf("%s: %.4g is %.3g times %.4g, want at least %v times", what, a, a/b, b, ratio)
	}
}

// alike says that neither of two figures is more than ratio times the other.
func alike(t *testing.T, what string, a, b, ratio float64) {
	t.Helper()
	atMost(t, what, a, b, ratio)
	atMost(t, what, b, a, ratio)
}

// atMost says that a figure is at most ratio times another one.
func atMost(t *testing.T, what string, a, b, ratio float64) {
	t.Helper()
	t.Logf("%s: %.3g (want %v or less)", what, a/b, ratio)
	if !(a <= ratio*b) {
		t.Errorf("%s: %.4g is %.3g times %.4g, want at most %v times", what, a, a/b, b, ratio)
	}
}

// between says that a figure lies where the source's claim, or what docs/reproductions says instead, has it.
func between(t *testing.T, what string, v, low, high float64) {
	t.Helper()
	t.Logf("%s: %.3g (want %v to %v)", what, v, low, high)
	if !(v >= low && v <= high) {
		t.Errorf("%s: %.4g, want %v to %v", what, v, low, high)
	}
}

// TestDelay: section 12, loose and optimistic at equal net load.
func TestDelay(t *testing.T) {
	r := run(t, "adam/delay", "--set", "duration=100s", "--set", "replications=2",
		"--set", "network.delay,mechanism.link.timeout=[[50ms,150ms],[100ms,250ms],[200ms,450ms],[400ms,850ms]]")
	of := func(mechanism, measure, delay string) float64 {
		return r.mean(t, measure, "case="+mechanism, "network.delay="+delay)
	}
	loose := func(measure, delay string) float64 { return of("loose", measure, delay) }
	optimistic := func(measure, delay string) float64 { return of("optimistic", measure, delay) }

	for _, delay := range []string{"50ms", "100ms", "200ms"} {
		alike(t, "packets at "+delay, loose("packets.sent", delay), optimistic("packets.sent", delay), 1.25)
	}
	ratio := func(measure, delay string) float64 { return loose(measure, delay) / optimistic(measure, delay) }
	between(t, "divergence of loose over optimistic at 100ms, about five", ratio("divergence", "100ms"), 3.5, 6.5)
	between(t, "at 400ms", ratio("divergence", "400ms"), 1.5, 3)
	between(t, "discontinuity of loose over optimistic at 100ms, more than five", ratio("discontinuity", "100ms"), 8, 60)
	between(t, "at 400ms", ratio("discontinuity", "400ms"), 1.3, 3.5)
	// About linear: twice the delay, up to twice the divergence for loose, which has some without any, and little more for optimistic.
	between(t, "divergence of loose from 100ms to 200ms", loose("divergence", "200ms")/loose("divergence", "100ms"), 1.25, 1.8)
	between(t, "from 200ms to 400ms", loose("divergence", "400ms")/loose("divergence", "200ms"), 1.5, 2.3)
	between(t, "divergence of optimistic from 100ms to 200ms", optimistic("divergence", "200ms")/optimistic("divergence", "100ms"), 1.9, 3)
	between(t, "from 200ms to 400ms", optimistic("divergence", "400ms")/optimistic("divergence", "200ms"), 1.9, 3)
	between(t, "discontinuity of loose from 100ms to 200ms", loose("discontinuity", "200ms")/loose("discontinuity", "100ms"), 1.2, 3)
	alike(t, "honey at 100ms", loose("score", "100ms"), optimistic("score", "100ms"), 1.12)
	between(t, "work of optimistic over loose at 100ms", optimistic("work", "100ms")/loose("work", "100ms"), 1.2, 1.5)
	between(t, "at 400ms", optimistic("work", "400ms")/loose("work", "400ms"), 4.5, 7)
}

// TestLocalLag: section 13, actions that take effect after the network's mean delay.
func TestLocalLag(t *testing.T) {
	// Jumps are rare with local lag and count by their squares: to compare them takes longer runs.
	r := run(t, "adam/local-lag", "--set", "mechanism.local-lag=[0ms,100ms]", "--set", "duration=300s", "--set", "replications=2")
	gain := func(measure string) float64 {
		return r.mean(t, measure, "mechanism.local-lag=0s") / r.mean(t, measure, "mechanism.local-lag=100ms")
	}
	between(t, "divergence without lag over that with 100ms", gain("divergence"), 12, 30)
	atLeast(t, "discontinuity without lag over that with 100ms", gain("discontinuity"), 1, 7)
}

// TestRateQuality: section 11, what quality a net load buys.
func TestRateQuality(t *testing.T) {
	r := run(t, "adam/rate-quality", "--set", "case=[loose 100 ms, loose 400 ms, optimistic 100 ms]", "--set", "duration=70s",
		"--set", "mechanism.interval=[50ms,100ms,400ms,800ms]", "--set", "mechanism.link.batching=[0ms,100ms,200ms]")
	loose := func(measure, delay, interval string) float64 {
		return r.mean(t, measure, "case=loose "+delay, "mechanism.interval="+interval)
	}
	optimistic := func(measure, batching string) float64 {
		return r.mean(t, measure, "case=optimistic 100 ms", "mechanism.link.batching="+batching)
	}

	// Loose: more updates make views less different, but soon that is hardly worth their cost. Jumps become fewer: the source,
	// which counts what each message changes, sees them become more (docs/decisions/0005).
	atLeast(t, "divergence from 100ms to 800ms", loose("divergence", "100 ms", "800ms"), loose("divergence", "100 ms", "100ms"), 1.5)
	for _, delay := range []string{"100 ms", "400 ms"} {
		atLeast(t, "packets from 100ms to 50ms", loose("packets.sent", delay, "50ms"), loose("packets.sent", delay, "100ms"), 1.9)
		atMost(t, "divergence from 50ms to 100ms", loose("divergence", delay, "100ms"), loose("divergence", delay, "50ms"), 1.65)
	}
	atLeast(t, "discontinuity from 50ms to 400ms", loose("discontinuity", "400 ms", "400ms"), loose("discontinuity", "400 ms", "50ms"), 1)

	// Optimistic: batching saves little and costs much.
	for _, batching := range []string{"100ms", "200ms"} {
		atMost(t, "packets without batching over those with "+batching, optimistic("packets.sent", "0s"), optimistic("packets.sent", batching), 2)
		atLeast(t, "divergence with batching over that without", optimistic("divergence", batching), optimistic("divergence", "0s"), 1.5)
	}

	// Without it, no rate of updates reaches its quality.
	for _, interval := range []string{"50ms", "100ms", "400ms", "800ms"} {
		atLeast(t, "divergence of loose every "+interval+" over optimistic",
			loose("divergence", "100 ms", interval), optimistic("divergence", "0s"), 1.2)
	}
}

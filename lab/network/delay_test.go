package network

import (
	"math"
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

const (
	half    = fixed.One / 2
	samples = 300_000
	// deviations is how far chance may take a sample from what is expected. The seeds are fixed; a change of the random
	// numbers trips over it once in two million checks.
	deviations = 5
)

// checkMean holds the mean of a sample against the expected one, in seconds.
func checkMean(t *testing.T, name string, mean, want, deviation float64, n int) {
	t.Helper()
	if margin := deviations * deviation / math.Sqrt(float64(n)); math.Abs(mean-want) > margin {
		t.Errorf("%s: mean %v, want %v ± %v", name, mean, want, margin)
	}
}

// checkShare holds how often something happened against its probability.
func checkShare(t *testing.T, name string, count, n int, want float64) {
	t.Helper()
	checkMean(t, name, float64(count)/float64(n), want, math.Sqrt(want*(1-want)), n)
}

// sampled draws from a distribution and returns the mean, and the share of the sample up to each of some points.
func sampled(d delays, points []float64) (mean float64, upTo []int) {
	s := random.New(1, "test")
	upTo = make([]int, len(points))
	for range samples {
		x := float64(d.draw(&s, 1, 2)) / float64(world.Second)
		mean += x / samples
		for i, point := range points {
			if x <= point {
				upTo[i]++
			}
		}
	}
	return mean, upTo
}

func TestExponential(t *testing.T) {
	for _, mean := range []world.Time{world.Millisecond, 100 * world.Millisecond, 10 * world.Second} {
		e := float64(mean) / float64(world.Second)
		var points []float64
		for _, x := range []float64{0.01, 0.1, 0.5, 1, 2, 5, 9} {
			points = append(points, x*e)
		}
		got, upTo := sampled(exponential(mean), points)
		checkMean(t, mean.String(), got, e, e, samples)
		for i, x := range points {
			checkShare(t, mean.String(), upTo[i], samples, 1-math.Exp(-x/e))
		}
	}
}

func TestSpike(t *testing.T) {
	model := build(t, "spike", 2, "delay=100ms loss=0")
	const usual = 100*world.Millisecond - 200*world.Microsecond
	const n = 2_000_000
	var exact, near, far int
	var mean float64
	for range n {
		delay := model.Fate(0, 1, 2, 100).Delays[0]
		mean += float64(delay) / float64(world.Second) / n
		switch {
		case delay == usual:
			exact++
		case delay > usual && delay < usual+20*world.Millisecond:
			near++
		case delay >= usual+20*world.Millisecond && delay < usual+2*world.Second:
			far++
		default:
			t.Fatalf("delay %v is outside of the distribution", delay)
		}
	}
	checkShare(t, "exactly T", exact, n, 0.99)
	checkShare(t, "near tail", near, n, 0.0099)
	checkShare(t, "far tail", far, n, 0.0001)
	// The second moment about T: 0.0099·(20 ms)²/3 + 0.0001·((2 s)³-(20 ms)³)/3/1.98 s.
	deviation := math.Sqrt(0.0099*0.02*0.02/3 + 0.0001*(8-0.000008)/3/1.98)
	checkMean(t, "spike", mean, 0.1, deviation, n)
}

func TestPareto(t *testing.T) {
	for _, test := range []struct {
		mean, cutoff world.Time
		shape        fixed.F
	}{
		{100 * world.Millisecond, 5 * world.Second, 3 * half},
		{world.Millisecond, 5 * world.Second, 3 * half},
		{400 * world.Millisecond, 5 * world.Second, 3 * half},
		{4500 * world.Millisecond, 5 * world.Second, 3 * half},
		{100 * world.Millisecond, world.Second, 3 * fixed.One},
		{100 * world.Millisecond, 60 * world.Second, fixed.One + fixed.One/10},
	} {
		d := newPareto(test.mean, test.cutoff, test.shape)
		k := float64(test.shape) / float64(fixed.One)
		m, c := seconds(d.least), seconds(test.cutoff)
		whole := 1 - math.Pow(m/c, k)

		mean := k / (k - 1) * m * (1 - math.Pow(m/c, k-1)) / whole
		if want := seconds(test.mean); math.Abs(mean/want-1) > 2e-6 {
			t.Errorf("%+v: least delay %v gives mean %v", test, d.least, mean)
		}
		var points []float64
		for _, part := range []float64{0.05, 0.1, 0.2, 0.5, 0.8, 1} {
			points = append(points, m+(c-m)*part*part*part)
		}
		got, upTo := sampled(d, points)
		second := k / (2 - k) * math.Pow(m, k) * (math.Pow(c, 2-k) - math.Pow(m, 2-k)) / whole
		checkMean(t, "pareto "+test.mean.String(), got, mean, math.Sqrt(second-mean*mean), samples)
		for i, x := range points {
			checkShare(t, "pareto "+test.mean.String(), upTo[i], samples, (1-math.Pow(m/x, k))/whole)
		}
	}
}

// For the shape 1.5 the least delay has a closed form: with s = √(least/cutoff) the mean is cutoff·3s²/(1+s+s²).
func TestParetoClosedForm(t *testing.T) {
	for _, mean := range []world.Time{world.Millisecond, 50 * world.Millisecond, 100 * world.Millisecond, world.Second} {
		e := seconds(mean) / 5
		s := (e + math.Sqrt(e*e+4*e*(3-e))) / (2 * (3 - e))
		got := seconds(newPareto(mean, 5*world.Second, 3*half).least)
		if want := 5 * s * s; math.Abs(got/want-1) > 2e-6 {
			t.Errorf("mean %v: least delay %v, want %v", mean, got, want)
		}
	}
}

func seconds(t world.Time) float64 { return float64(t) / float64(world.Second) }

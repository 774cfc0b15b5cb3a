package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func running(values ...float64) Running {
	var r Running
	for _, v := range values {
		r.Add(v)
	}
	return r
}

func near(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*max(math.Abs(a), math.Abs(b))
}

func TestRunningByHand(t *testing.T) {
	r := running(2, 4, 4, 4, 5, 5, 7, 9)
	if r.N() != 8 || r.Mean() != 5 || r.Min() != 2 || r.Max() != 9 {
		t.Errorf("n=%d mean=%v min=%v max=%v, want 8, 5, 2, 9", r.N(), r.Mean(), r.Min(), r.Max())
	}
	if want := 32.0 / 7; !near(r.Variance(), want, 1e-15) {
		t.Errorf("variance %v, want %v", r.Variance(), want)
	}
	// t(7) = 2.364624; standard error = sqrt(32/7/8).
	if want := 2.364624 * math.Sqrt(32.0/7/8); !near(r.HalfWidth95(), want, 1e-15) {
		t.Errorf("half width %v, want %v", r.HalfWidth95(), want)
	}
	if want := r.HalfWidth95() / 5; r.RelativePrecision() != want {
		t.Errorf("relative precision %v, want %v", r.RelativePrecision(), want)
	}
}

func TestRunningKeepsDigitsOfSmallSpread(t *testing.T) {
	r := running(1e9+4, 1e9+7, 1e9+13, 1e9+16)
	if r.Variance() != 30 {
		t.Errorf("variance %v, want 30", r.Variance())
	}
}

func TestRunningWithLittleToSay(t *testing.T) {
	isInf := func(v float64) bool { return math.IsInf(v, 1) }
	for _, c := range []struct {
		name      string
		r         Running
		mean      float64
		undefined bool // half width and variance
		precision func(float64) bool
	}{
		{"empty", running(), math.NaN(), true, isInf},
		{"one value", running(3), 3, true, isInf},
		{"equal values", running(3, 3, 3), 3, false, func(v float64) bool { return v == 0 }},
		{"all zero", running(0, 0), 0, false, func(v float64) bool { return v == 0 }},
		{"around zero", running(-1, 1), 0, false, isInf},
		{"negative mean", running(-1, -3), -2, false, func(v float64) bool { return v > 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if m := c.r.Mean(); m != c.mean && !(math.IsNaN(m) && math.IsNaN(c.mean)) {
				t.Errorf("mean %v, want %v", m, c.mean)
			}
			if got := math.IsNaN(c.r.HalfWidth95()); got != c.undefined {
				t.Errorf("half width %v, want undefined: %v", c.r.HalfWidth95(), c.undefined)
			}
			if got := math.IsNaN(c.r.StdDev()); got != c.undefined {
				t.Errorf("deviation %v, want undefined: %v", c.r.StdDev(), c.undefined)
			}
			if !c.precision(c.r.RelativePrecision()) {
				t.Errorf("relative precision %v", c.r.RelativePrecision())
			}
		})
	}
}

func TestRunningMergeIsConcatenation(t *testing.T) {
	series := rapid.SliceOf(rapid.Float64Range(-1000, 1000))
	rapid.Check(t, func(t *rapid.T) {
		a, b := series.Draw(t, "a"), series.Draw(t, "b")
		whole := running(slices.Concat(a, b)...)
		merged := running(a...)
		merged.Merge(running(b...))
		if merged.N() != whole.N() {
			t.Fatalf("n %d, want %d", merged.N(), whole.N())
		}
		if whole.N() == 0 {
			return
		}
		if merged.Min() != whole.Min() || merged.Max() != whole.Max() {
			t.Fatalf("range %v..%v, want %v..%v", merged.Min(), merged.Max(), whole.Min(), whole.Max())
		}
		if math.Abs(merged.mean-whole.mean) > 1e-9 || math.Abs(merged.squares-whole.squares) > 1e-4 {
			t.Fatalf("mean %v, squares %v, want %v, %v", merged.mean, merged.squares, whole.mean, whole.squares)
		}
	})
}

// The values are those of printed tables.
func TestStudentT(t *testing.T) {
	for df, want := range map[int]float64{
		1: 12.706205, 2: 4.302653, 3: 3.182446, 6: 2.446912, 9: 2.262157, 29: 2.045230,
		30: 2.042272, 63: 1.998341, 64: 1.997730, 120: 1.979930, 1000: 1.962339, 1_000_000: 1.959966,
	} {
		if got := studentT975(df); got != want {
			t.Errorf("t(%d) = %v, want %v", df, got, want)
		}
	}
}

func histogram(values ...float64) *Histogram {
	h := new(Histogram)
	for _, v := range values {
		h.Add(v)
	}
	return h
}

// nearestRank is the definition that Quantile approximates.
func nearestRank(sorted []float64, q float64) float64 {
	rank := int(math.Ceil(q*float64(len(sorted)) - 1e-9))
	return sorted[min(max(rank-1, 0), len(sorted)-1)]
}

func TestQuantileWithinRelativeError(t *testing.T) {
	value := rapid.OneOf(
		rapid.Float64Range(0, 10),
		rapid.Float64Range(0, math.MaxFloat64),
		rapid.Just(0.0),
		rapid.SampledFrom([]float64{1, 2, 4, 0x1p-1022, math.MaxFloat64}),
	)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(value, 1, 50).Draw(t, "values")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		h := histogram(values...)
		slices.Sort(values)
		if want, got := nearestRank(values, q), h.Quantile(q); math.Abs(got-want) > RelativeError*want && want >= smallest {
			t.Fatalf("quantile %v is %v, want %v within %v", q, got, want, RelativeError)
		}
		if h.Quantile(0) != values[0] || h.Quantile(1) != values[len(values)-1] {
			t.Fatalf("ends %v, %v, want %v, %v", h.Quantile(0), h.Quantile(1), values[0], values[len(values)-1])
		}
	})
}

func TestQuantileIsNearestRank(t *testing.T) {
	h := new(Histogram)
	for i := range 100 {
		h.Add(math.Ldexp(1, i)) // far apart, so that neighbours cannot be confused
	}
	for _, c := range []struct {
		q    float64
		rank int
	}{{0, 1}, {0.01, 1}, {0.07, 7}, {0.071, 8}, {0.5, 50}, {0.9, 90}, {0.99, 99}, {1, 100}} {
		if got, want := h.Quantile(c.q), math.Ldexp(1, c.rank-1); !near(got, want, RelativeError) {
			t.Errorf("quantile %v is %v, want about %v", c.q, got, want)
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	if q := new(Histogram).Quantile(0.5); !math.IsNaN(q) {
		t.Errorf("median of nothing is %v, want NaN", q)
	}
	if q := histogram(0, 0, 0, 8, 8).Quantile(0.5); q != 0 {
		t.Errorf("median is %v, want 0", q)
	}
	if q := histogram(1, math.Inf(1), math.Inf(1)).Quantile(1); !math.IsInf(q, 1) {
		t.Errorf("largest is %v, want +Inf", q)
	}
	for name, misuse := range map[string]func(){
		"negative value":   func() { histogram(-1) },
		"not a number":     func() { histogram(math.NaN()) },
		"quantile above 1": func() { histogram(1).Quantile(1.1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
}

func TestHistogramMergeAndOrderDoNotMatter(t *testing.T) {
	series := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		a, b := series.Draw(t, "a"), series.Draw(t, "b")
		whole := histogram(slices.Concat(a, b)...)
		merged := histogram(b...)
		merged.Merge(histogram(a...))
		if merged.N() != whole.N() {
			t.Fatalf("n %d, want %d", merged.N(), whole.N())
		}
		for _, q := range []float64{0, 0.1, 0.5, 0.9, 0.99, 1} {
			x, y := merged.Quantile(q), whole.Quantile(q)
			if x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				t.Fatalf("quantile %v is %v, want %v", q, x, y)
			}
		}
	})
}

func TestHistogramMemory(t *testing.T) {
	h := histogram(smallest, math.MaxFloat64)
	if bytes := 8 * len(h.counts); bytes > 1<<20 {
		t.Errorf("all magnitudes take %d bytes, want at most a mebibyte", bytes)
	}
	h = histogram(0.001, 10)
	if bytes := 8 * len(h.counts); bytes > 8<<10 {
		t.Errorf("four powers of ten take %d bytes, want at most 8 KiB", bytes)
	}
	if n := testing.AllocsPerRun(100, func() { h.Reset(); h.Add(10); h.Add(0.001) }); n != 0 {
		t.Errorf("%v allocations within the known range, want none", n)
	}
	if h.N() != 2 || h.Quantile(0) != 0.001 {
		t.Errorf("after a reset: n=%d smallest=%v, want 2 and 0.001", h.N(), h.Quantile(0))
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	b.ReportAllocs()
	h := histogram(0.001, 1)
	for i := range b.N {
		h.Add(float64(i%1000+1) * 0.001)
	}
}

func BenchmarkRunningAdd(b *testing.B) {
	b.ReportAllocs()
	var r Running
	for i := range b.N {
		r.Add(float64(i % 1000))
	}
}

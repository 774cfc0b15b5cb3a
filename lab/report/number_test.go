package report

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestFormatNumber(t *testing.T) {
	for _, test := range []struct {
		value float64
		want  string
	}{
		{0, "0"}, {8, "8"}, {-8, "-8"}, {123456, "123456"}, {0.5, "0.5"}, {0.031234, "0.03123"}, {99.999, "100"},
		{1234.56, "1235"}, {0.0001, "0.0001"}, {0.00001234, "1.234e-5"}, {12345678, "1.235e7"}, {math.NaN(), "–"},
		{math.Inf(1), "–"},
	} {
		if got := formatNumber(test.value); got != test.want {
			t.Errorf("%v: got %q, want %q", test.value, got, test.want)
		}
	}
}

func TestFormatEstimate(t *testing.T) {
	for _, test := range []struct {
		mean, ci float64
		n        int
		want     string
	}{
		{0.0312, 0.00204, 7, "0.0312 ± 0.0020"},
		{20.1, 0.3, 7, "20.10 ± 0.30"},
		{20.1, math.NaN(), 1, "20.1"},
		{20, 0, 7, "20 ± 0"},
		{135802, 2716, 7, "135800 ± 2700"},
		{3.14e-6, 2.2e-7, 7, "3.14e-6 ± 0.22e-6"},
		{-0.0001, 0.02, 7, "0.000 ± 0.020"},
		{20.1, 1e-12, 7, "20.1 ± 1e-12"},
		{math.NaN(), math.NaN(), 0, "–"},
	} {
		if got := (estimate{mean: test.mean, ci: test.ci, n: test.n}).String(); got != test.want {
			t.Errorf("%v ± %v: got %q, want %q", test.mean, test.ci, got, test.want)
		}
	}
}

// What is printed may be rounded, but by less than the interval says is known.
func TestFormatEstimateRoundsWithinTheInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := rapid.Float64Range(-1e9, 1e9).Draw(t, "mean")
		ci := math.Abs(mean) * rapid.Float64Range(1e-4, 3).Draw(t, "relative")
		value, interval := formatEstimate(mean, ci, 7)
		got, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-mean) > ci/10 {
			t.Errorf("%v ± %v printed as %s ± %s", mean, ci, value, interval)
		}
	})
}

package report

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func labels(ticks []tick) (all []string) {
	for _, t := range ticks {
		all = append(all, t.label)
	}
	return all
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		name     string
		scale    scale
		want     []string
		exponent int
	}{
		{"from zero", newLinearScale(0.01, 0.15), []string{"0", "0.05", "0.10", "0.15"}, 0},
		{"far from zero", newLinearScale(20, 23), []string{"20.0", "20.5", "21.0", "21.5", "22.0", "22.5", "23.0"}, 0},
		{"small values", newLinearScale(0, 0.00029), []string{"0", "50", "100", "150", "200", "250", "300"}, -6},
		{"large values", newLinearScale(0, 240000), []string{"0", "50", "100", "150", "200", "250"}, 3},
		{"nothing but zero", newLinearScale(0, 0), []string{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}, 0},
		{"across zero", newLinearScale(-10, 10), []string{"-10", "-5", "0", "5", "10"}, 0},
		{"decades", newLogScale(0.001, 1000), []string{"0.01", "1", "100"}, 0},
		{"little more than a decade", newLogScale(3, 40), []string{"5", "10", "20"}, 0},
		{"two powers of ten are too few", newLogScale(3, 1800), []string{"3", "10", "30", "100", "300", "1000"}, 0},
		{"a decade with two round values", newLogScale(1.5, 6), []string{"2", "3", "4", "5", "6"}, 0},
		{"small decades", newLogScale(1e-7, 1e-4), []string{"10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴"}, 0},
		{"log without a round value", newLogScale(1.1, 1.9), []string{"1.2", "1.4", "1.6", "1.8"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			ticks, exponent := test.scale.ticks(5)
			if got := labels(ticks); !slices.Equal(got, test.want) || exponent != test.exponent {
				t.Errorf("got %q and exponent %d, want %q and %d", got, exponent, test.want, test.exponent)
			}
		})
	}
}

// Whatever the data, an axis has a readable number of ticks, all on the axis and all with labels of their own.
func TestTicksAreReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(1e-9, 1e9).Draw(t, "lo")
		hi := lo * rapid.Float64Range(1.001, 1e6).Draw(t, "ratio")
		s := newLinearScale(lo, hi)
		if rapid.Bool().Draw(t, "log") {
			s = newLogScale(lo, hi)
		}
		s.start, s.end = 0, 100
		ticks, _ := s.ticks(5)
		if len(ticks) < 2 || len(ticks) > 9 {
			t.Fatalf("%d ticks from %v to %v: %q", len(ticks), lo, hi, labels(ticks))
		}
		for i, tick := range ticks {
			if at := s.pixel(tick.value); math.IsNaN(at) || at < -1e-6 || at > 100+1e-6 {
				t.Errorf("tick %s lies at %v", tick.label, at)
			}
			if i > 0 && tick.label == ticks[i-1].label {
				t.Errorf("two ticks are called %s", tick.label)
			}
		}
		if at := s.pixel(lo); at < 0 || at > 100 {
			t.Errorf("least value lies at %v", at)
		}
		if at := s.pixel(hi); at < 0 || at > 100 {
			t.Errorf("greatest value lies at %v", at)
		}
	})
}

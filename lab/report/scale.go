package report

import (
	"math"
	"strconv"
	"strings"
)

// scale maps values to pixels along one axis of a figure.
type scale struct {
	lo, hi     float64 // values at the two ends
	start, end float64 // pixels at the two ends
	log        bool
}

func (s scale) pixel(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		v, lo, hi = math.Log10(v), math.Log10(lo), math.Log10(hi)
	}
	if hi == lo {
		return (s.start + s.end) / 2
	}
	return s.start + float64((v-lo)/(hi-lo)*(s.end-s.start))
}

// clamp is pixel for the ends of whiskers and bands, which may leave the axis: an interval reaching below zero has no
// place on a logarithmic one.
func (s scale) clamp(v float64) float64 {
	return s.pixel(math.Min(math.Max(v, s.lo), s.hi))
}

// tick is a labelled value on an axis.
type tick struct {
	value float64
	label string
}

// nearZero is how small the least value must be, relative to the greatest, for a linear axis to start at zero: the
// origin is where proportional growth shows, but values that hardly differ would drown in it.
const nearZero = 0.6

// newLinearScale covers the values between lo and hi and a little more.
func newLinearScale(lo, hi float64) scale {
	if lo >= 0 && lo <= nearZero*hi {
		lo = 0
	}
	switch {
	case lo == 0 && hi == 0:
		hi = 1
	case lo == hi:
		lo, hi = lo-math.Abs(lo)/2, hi+math.Abs(hi)/2
	}
	margin := (hi - lo) * 0.05
	if lo != 0 {
		lo -= margin
	}
	return scale{lo: lo, hi: hi + margin}
}

// withZero extends a linear scale to zero, for bars, whose length is what is read.
func (s scale) withZero() scale {
	s.lo, s.hi = math.Min(s.lo, 0), math.Max(s.hi, 0)
	return s
}

// newLogScale covers the positive values between lo and hi.
func newLogScale(lo, hi float64) scale {
	factor := math.Pow(hi/lo, 0.05)
	if hi == lo {
		factor = 2
	}
	return scale{lo: lo / factor, hi: hi * factor, log: true}
}

// ticks returns about n round values in the scale's range, and the power of ten that their labels leave to the axis title.
func (s scale) ticks(n int) (ticks []tick, exponent int) {
	if s.log {
		if ticks := s.logTicks(n); len(ticks) >= 3 {
			return ticks, 0
		}
	}
	step := niceStep((s.hi - s.lo) / float64(n))
	exponent = axisExponent(math.Max(math.Abs(s.lo), math.Abs(s.hi)))
	places := max(exponent-exponentOf(step), 0)
	for i := math.Ceil(s.lo/step - 1e-9); i <= s.hi/step+1e-9; i++ {
		if i == 0 {
			ticks = append(ticks, tick{0, "0"})
			continue
		}
		value := i * step
		ticks = append(ticks, tick{value, strconv.FormatFloat(value/math.Pow10(exponent), 'f', places, 64)})
	}
	return ticks, exponent
}

// logTicks returns powers of ten; where they are few, also some multiples of them.
func (s scale) logTicks(n int) (ticks []tick) {
	first, last := exponentOf(s.lo), exponentOf(s.hi)
	factors := []float64{1}
	switch decades := math.Log10(s.hi / s.lo); {
	case 3*(last-first) <= 2*n && decades < 2.5:
		factors = []float64{1, 2, 5}
	case last-first <= 3:
		factors = []float64{1, 3}
	}
	stride := (last-first)/n + 1
	for e := first; e <= last; e++ {
		if e%stride != 0 {
			continue
		}
		for _, f := range factors {
			if v := f * math.Pow10(e); v >= s.lo && v <= s.hi {
				ticks = append(ticks, tick{v, logLabel(f, e)})
			}
		}
	}
	return ticks
}

func logLabel(factor float64, exponent int) string {
	v := factor * math.Pow10(exponent)
	switch {
	case exponent >= -3 && exponent < 6:
		return strconv.FormatFloat(v, 'f', max(-exponent, 0), 64)
	case factor == 1:
		return "10" + superscript(exponent)
	default:
		return strconv.FormatFloat(factor, 'f', 0, 64) + "·10" + superscript(exponent)
	}
}

// niceStep rounds a distance between ticks to 1, 2, 5 or 10 times a power of ten.
func niceStep(raw float64) float64 {
	unit := math.Pow10(exponentOf(raw))
	switch leading := raw / unit; {
	case leading < 1.4:
		return unit
	case leading < 2.8:
		return 2 * unit
	case leading < 7:
		return 5 * unit
	default:
		return 10 * unit
	}
}

// axisExponent is a multiple of three, zero unless the axis would need long labels.
func axisExponent(greatest float64) int {
	e := exponentOf(greatest)
	if greatest == 0 || e >= -2 && e < 5 {
		return 0
	}
	return int(math.Floor(float64(e)/3)) * 3
}

// superscript writes an exponent with raised digits.
func superscript(n int) string {
	raised := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	var b strings.Builder
	for _, c := range strconv.Itoa(n) {
		if c == '-' {
			b.WriteRune('⁻')
		} else {
			b.WriteRune(raised[c-'0'])
		}
	}
	return b.String()
}

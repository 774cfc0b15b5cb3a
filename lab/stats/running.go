// Package stats condenses series of figures: their mean with its confidence
// interval ([Running]) and their percentiles ([Histogram]), in bounded memory
// and with one pass over the data.
//
// Results are the same bits on every processor. Go may fuse a multiplication
// with the addition that follows it, and on some processors does; every product
// here that feeds a sum is therefore converted explicitly, which forbids that.
// For the same reason buckets are found by the bits of a number instead of by
// its logarithm, and the quantiles of Student's t, which come out of a series
// expansion, are rounded far above its noise.
package stats

import "math"

// Running follows the mean and the spread of a series without keeping it
// (Welford's method, which does not cancel when the mean is large and the
// spread small). The zero value is an empty series.
type Running struct {
	n        int
	mean     float64
	squares  float64 // sum of squared distances from the mean
	min, max float64
}

// Add appends x to the series.
func (r *Running) Add(x float64) {
	if r.n == 0 {
		r.min, r.max = x, x
	}
	r.n++
	before := x - r.mean
	r.mean += before / float64(r.n)
	r.squares += float64(before * (x - r.mean))
	r.min, r.max = min(r.min, x), max(r.max, x)
}

// Merge appends the whole of another series. The outcome depends, in its last
// bits, on the order in which series are merged.
func (r *Running) Merge(o Running) {
	if o.n == 0 {
		return
	}
	if r.n == 0 {
		*r = o
		return
	}
	n, rn, on := float64(r.n+o.n), float64(r.n), float64(o.n)
	apart := o.mean - r.mean
	r.mean += apart * on / n
	r.squares += o.squares + apart*apart*rn*on/n
	r.n += o.n
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
}

// N is the number of values.
func (r *Running) N() int { return r.n }

// Mean is NaN for an empty series, as are Min and Max.
func (r *Running) Mean() float64 { return r.orNaN(r.mean) }

// Min is the smallest value.
func (r *Running) Min() float64 { return r.orNaN(r.min) }

// Max is the largest value.
func (r *Running) Max() float64 { return r.orNaN(r.max) }

func (r *Running) orNaN(v float64) float64 {
	if r.n == 0 {
		return math.NaN()
	}
	return v
}

// Variance estimates the variance of what the series is a sample of; NaN for
// fewer than two values.
func (r *Running) Variance() float64 {
	if r.n < 2 {
		return math.NaN()
	}
	return r.squares / float64(r.n-1)
}

// StdDev is the square root of Variance.
func (r *Running) StdDev() float64 { return math.Sqrt(r.Variance()) }

// HalfWidth95 is half the width of the 95% confidence interval of the mean, by
// Student's t: the true mean lies within Mean ± HalfWidth95 in 19 cases of 20 if
// the values are independent and about normal. NaN for fewer than two values.
func (r *Running) HalfWidth95() float64 {
	if r.n < 2 {
		return math.NaN()
	}
	return studentT975(r.n-1) * math.Sqrt(r.Variance()/float64(r.n))
}

// RelativePrecision is HalfWidth95 as a share of the mean's size: 0 if all
// values are equal, infinite while nothing can be said (fewer than two values,
// or a mean of zero in a series that varies).
func (r *Running) RelativePrecision() float64 {
	switch half := r.HalfWidth95(); {
	case math.IsNaN(half):
		return math.Inf(1)
	case half == 0:
		return 0
	default:
		return half / math.Abs(r.mean)
	}
}

package fleet

import (
	"math/bits"
	"time"
)

const (
	fineBits = 9 // buckets are narrower than one part in 2^(fineBits-1) of their values
	fine     = 1 << fineBits
	buckets  = (36 - fineBits) * fine / 2 // up to some 34 s at a grain of a microsecond
)

// Histogram counts durations so that percentiles can be told within a part in two hundred. Those below zero count as
// zero, those of half a minute and more as that.
type Histogram struct {
	counts [buckets]uint32
	n      int64
	sum    time.Duration
	max    time.Duration
}

// Record counts a duration.
func (h *Histogram) Record(d time.Duration) {
	h.counts[bucketOf(d)]++
	h.n++
	h.sum += d
	h.max = max(h.max, d)
}

// bucketOf numbers buckets: one for each microsecond at first, then twice as wide after every fine/2 of them.
func bucketOf(d time.Duration) int {
	us := uint64(max(0, d) / time.Microsecond)
	shift := max(0, bits.Len64(us)-fineBits)
	return min(shift*fine/2+int(us>>shift), buckets-1)
}

// lowest is the least duration in a bucket.
func lowest(bucket int) time.Duration {
	shift := max(0, bucket*2/fine-1)
	return time.Duration(bucket-shift*fine/2) << shift * time.Microsecond
}

// Add adds what another histogram has counted.
func (h *Histogram) Add(other *Histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.n += other.n
	h.sum += other.sum
	h.max = max(h.max, other.max)
}

// Count is how many durations there were.
func (h *Histogram) Count() int64 { return h.n }

// Mean is their mean.
func (h *Histogram) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return h.sum / time.Duration(h.n)
}

// Max is the longest.
func (h *Histogram) Max() time.Duration { return h.max }

// Percentile is the duration that p in a hundred of those counted do not exceed.
func (h *Histogram) Percentile(p float64) time.Duration {
	left := int64(p / 100 * float64(h.n))
	for i, n := range h.counts {
		if left -= int64(n); left < 0 {
			return min(lowest(i+1), h.max)
		}
	}
	return h.max
}

package stats

import (
	"fmt"
	"math"
)

// RelativeError bounds how far a histogram's quantile is from the value that
// was added, as a share of that value. It follows from the buckets: 64 for each
// doubling, a quantile being given as the middle of its bucket.
const RelativeError = 1.0 / 128

const (
	octaveBits  = 6                                    // 2^6 buckets per doubling
	bucketShift = 52 - octaveBits                      // of the bits of a float64
	octave      = 1 << octaveBits                      // buckets
	smallest    = 0x1p-1022                            // the least number with a full mantissa
	bucketCount = 0x7FF0_0000_0000_0000 >> bucketShift // buckets below infinity
)

// Histogram counts non-negative values in buckets that get wider in proportion
// to the value, so that any quantile can be told within [RelativeError]. What
// it says does not depend on the order in which values were added or histograms
// merged. The zero value is empty.
//
// It holds the buckets from the smallest to the largest value seen: a few
// kilobytes for values within some powers of ten of each other, and never more
// than a mebibyte. It allocates only when that range widens.
type Histogram struct {
	zeros    uint64   // values below smallest
	counts   []uint64 // of the buckets from first on
	first    int
	n        uint64
	min, max float64
}

// Add counts v, which is neither negative nor NaN: either would be a mistake of
// the program that measures, and panics.
func (h *Histogram) Add(v float64) {
	if !(v >= 0) {
		panic(fmt.Sprintf("stats: %v in a histogram of non-negative values", v))
	}
	if h.n == 0 {
		h.min, h.max = v, v
	}
	h.n++
	h.min, h.max = min(h.min, v), max(h.max, v)
	if v < smallest {
		h.zeros++
		return
	}
	b := bucketOf(v)
	h.cover(b, b+1)
	h.counts[b-h.first]++
}

// Merge adds everything that o counted.
func (h *Histogram) Merge(o *Histogram) {
	if o.n == 0 {
		return
	}
	if h.n == 0 {
		h.min, h.max = o.min, o.max
	}
	h.n += o.n
	h.zeros += o.zeros
	h.min, h.max = min(h.min, o.min), max(h.max, o.max)
	if len(o.counts) == 0 {
		return
	}
	h.cover(o.first, o.first+len(o.counts))
	for i, c := range o.counts {
		h.counts[o.first-h.first+i] += c
	}
}

// Reset empties the histogram and keeps its memory.
func (h *Histogram) Reset() {
	clear(h.counts)
	*h = Histogram{counts: h.counts, first: h.first}
}

// N is the number of values.
func (h *Histogram) N() uint64 { return h.n }

// Quantile returns the value that a share q of all values, 0 ≤ q ≤ 1, does not
// exceed: the median for 0.5, the smallest value for 0 and the largest for 1,
// both exact. It is NaN for an empty histogram.
func (h *Histogram) Quantile(q float64) float64 {
	if !(q >= 0 && q <= 1) {
		panic(fmt.Sprintf("stats: quantile %v is not between 0 and 1", q))
	}
	if h.n == 0 {
		return math.NaN()
	}
	// The small allowance keeps a product such as 0.07·100, which comes out
	// just above 7, from asking for the eighth value.
	rank := uint64(math.Ceil(float64(q*float64(h.n)) - 1e-9))
	switch {
	case rank <= 1:
		return h.min
	case rank >= h.n:
		return h.max
	case rank <= h.zeros:
		return 0
	}
	seen := h.zeros
	for i, c := range h.counts {
		if seen += c; seen >= rank {
			return min(max(middle(h.first+i), h.min), h.max)
		}
	}
	panic("stats: a histogram's buckets do not add up")
}

// bucketOf finds the bucket of v ≥ smallest. The bits of positive numbers are
// ordered as the numbers are, and equally spaced within a doubling; infinity
// shares the last bucket.
func bucketOf(v float64) int {
	return min(int(math.Float64bits(v)>>bucketShift), bucketCount-1)
}

func middle(bucket int) float64 {
	low := math.Float64frombits(uint64(bucket) << bucketShift)
	high := math.Float64frombits(uint64(bucket+1)<<bucketShift - 1)
	return low + (high-low)/2
}

// cover makes room for the buckets from lo up to hi. It grows by whole
// doublings, so that a range that widens slowly does not allocate each time.
func (h *Histogram) cover(lo, hi int) {
	if lo >= h.first && hi <= h.first+len(h.counts) {
		return
	}
	if len(h.counts) > 0 {
		lo, hi = min(lo, h.first), max(hi, h.first+len(h.counts))
	}
	lo, hi = lo&^(octave-1), (hi+octave-1)&^(octave-1)
	counts := make([]uint64, hi-lo)
	if len(h.counts) > 0 {
		copy(counts[h.first-lo:], h.counts)
	}
	h.first, h.counts = lo, counts
}

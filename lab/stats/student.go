package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// studentT975 is the 97.5% quantile of Student's t with df ≥ 1 degrees of
// freedom: what the standard error of a mean is multiplied with to get the half
// width of its 95% confidence interval.
func studentT975(df int) float64 {
	if table := studentTable(); df < len(table) {
		return table[df]
	}
	return computeT975(df)
}

// Few experiments run more often than this per point, but many have a lot of
// points and measures.
var studentTable = sync.OnceValue(func() *[64]float64 {
	var table [64]float64
	for df := 1; df < len(table); df++ {
		table[df] = computeT975(df)
	}
	return &table
})

// computeT975 rounds to six decimals: more than a confidence interval deserves,
// and few enough to be the same on every processor.
func computeT975(df int) float64 {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}
	return math.Round(t.Quantile(0.975)*1e6) / 1e6
}

package tune

import (
	"cmp"
	"math"
	"slices"
)

// Trial is a candidate that was tried, with the means of its runs.
type Trial struct {
	Candidate     int
	Quality, Cost float64
	Terms         []float64 // what each term of the objective comes to, those of quality first, as it counts for the gain
	Excess        float64
}

// Gain is quality minus cost.
func (t *Trial) Gain() float64 { return t.Quality - t.Cost }

// Frontier are the trials that no other one beats in both quality and cost, the cheapest first. Those beyond the limits are left out, if
// any keeps within.
func Frontier(list []Trial) (front []Trial) {
	list = allowed(list)
	slices.SortStableFunc(list, func(a, b Trial) int { return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(b.Quality, a.Quality)) })
	best := math.Inf(-1)
	for _, t := range list {
		if t.Quality > best {
			best = t.Quality
			front = append(front, t)
		}
	}
	return front
}

func allowed(list []Trial) (within []Trial) {
	for _, t := range list {
		if t.Excess == 0 && !math.IsNaN(t.Gain()) && !math.IsInf(t.Gain(), 0) {
			within = append(within, t)
		}
	}
	if len(within) > 0 {
		return within
	}
	for _, t := range list {
		if !math.IsNaN(t.Gain()) && !math.IsInf(t.Gain(), 0) {
			within = append(within, t)
		}
	}
	return within
}

// Swayed is who would be best if a term counted for more or less.
type Swayed struct {
	Term      int
	Factor    float64
	Candidate int
}

// Sway finds out what the choice hangs on: which candidate would be best with each weight halved and doubled.
func Sway(list []Trial) (swayed []Swayed) {
	list = allowed(list)
	if len(list) == 0 {
		return nil
	}
	for term := range list[0].Terms {
		for _, factor := range []float64{0.5, 2} {
			best, most := -1, math.Inf(-1)
			for _, t := range list {
				if g := t.Gain() + (factor-1)*t.Terms[term]; g > most {
					best, most = t.Candidate, g
				}
			}
			swayed = append(swayed, Swayed{term, factor, best})
		}
	}
	return swayed
}

package tune

import (
	"cmp"
	"math"
	"slices"

	"throng/lab/stats"
)

// Plan is how much a search may spend.
type Plan struct {
	Runs         int // in all
	Replications int // of one candidate
}

// Evaluate runs each of some candidates once more, on its next seed, and returns how it went. It reports false if it was interrupted.
type Evaluate func(candidates []int) (scores []Score, ok bool)

const (
	// climbers is how many of the best candidates have their neighbours looked at, and climbersGroup of one group.
	climbers, climbersGroup = 4, 2

	// climbShare is the part of all runs by which looking around ends: the rest tells the best ones apart.
	climbShare = 0.75

	// finalists is how many go on to a second seed.
	finalists = 12
)

// Found is what a search has come to.
type Found struct {
	Best    int    // the candidate; -1 if there is none
	Within  bool   // it keeps within the limits
	Clear   bool   // it is better than the next with 95% confidence
	Runs    int    // that it took
	Ranking []int  // all that were tried, the best first
	Gains   []Gain // of the same
}

// Gain is what is known of one candidate.
type Gain struct {
	Mean, CI95 float64
	Excess     float64
	Runs       int
}

// search is one under way.
type search struct {
	space    *Space
	plan     Plan
	evaluate Evaluate
	scores   [][]Score // by candidate and replication
	tried    []int     // in the order in which they were
	runs     int
}

// Search looks for the candidate with the greatest gain among those that keep within the limits, or else for the one that comes closest
// to them.
func Search(s *Space, p Plan, e Evaluate) Found {
	x := &search{space: s, plan: p, evaluate: e, scores: make([][]Score, len(s.candidates))}
	if x.explore() {
		x.climb()
		x.halve()
	}
	return x.found()
}

// run runs candidates once more, as far as the plan allows. It reports false when the search is over.
func (x *search) run(list []int) bool {
	list = list[:min(len(list), x.plan.Runs-x.runs)]
	if len(list) == 0 {
		return false
	}
	scores, ok := x.evaluate(list)
	for i, s := range scores {
		c := list[i]
		if len(x.scores[c]) == 0 {
			x.tried = append(x.tried, c)
		}
		x.scores[c] = append(x.scores[c], s)
		x.runs++
	}
	return ok
}

// explore tries some candidates of every group, in turns, so that none is left out where runs are few.
func (x *search) explore() bool {
	var spread [][]int
	for g := range x.space.groups {
		spread = append(spread, x.space.spread(g, 3+2*len(x.space.groups[g].sizes)))
	}
	var list []int
	most := max(x.plan.Runs/3, len(spread))
	for round := 0; len(list) < most; round++ {
		before := len(list)
		for _, s := range spread {
			if round < len(s) && len(list) < most {
				list = append(list, s[round])
			}
		}
		if len(list) == before {
			break
		}
	}
	return x.run(list)
}

// climb looks around the best candidates until nothing around them is better.
func (x *search) climb() {
	for x.runs < int(climbShare*float64(x.plan.Runs)) {
		var list []int
		taken := map[int]int{}
		top := 0
		for _, c := range x.ranked(x.tried) {
			g := x.space.candidates[c].group
			if taken[g] == climbersGroup {
				continue
			}
			if top++; top > climbers {
				break
			}
			taken[g]++
			for _, n := range x.space.neighbours(c) {
				if len(x.scores[n]) == 0 && !slices.Contains(list, n) {
					list = append(list, n)
				}
			}
		}
		list = list[:min(len(list), max(1, int(climbShare*float64(x.plan.Runs))-x.runs))]
		if !x.run(list) {
			return
		}
	}
}

// halve gives the better half another seed, and another, until one is clearly best.
func (x *search) halve() {
	list := x.ranked(x.tried)
	list = list[:min(len(list), finalists)]
	for seed := 1; seed < x.plan.Replications && len(list) > 1; seed++ {
		if !x.run(list) {
			return
		}
		list = x.ranked(list)
		best := list[0]
		list = slices.DeleteFunc(list, func(c int) bool { return c != best && x.clearly(best, c) })
		if half := max(2, finalists>>seed); len(list) > half {
			list = list[:half]
		}
	}
}

// clearly reports whether one candidate is better than another with 95% confidence, seed by seed.
func (x *search) clearly(a, b int) bool {
	mean, ci := x.paired(a, b)
	return mean > 0 && ci < mean
}

// paired is by how much one candidate's gain is greater than another's over the seeds that they share. One that breaks limits while the
// other does not is worse by any amount.
func (x *search) paired(a, b int) (mean, ci float64) {
	if ea, eb := x.excess(a), x.excess(b); (ea > 0) != (eb > 0) {
		if len(x.scores[a]) < 2 || len(x.scores[b]) < 2 {
			return 0, math.Inf(1)
		}
		return math.Copysign(math.MaxFloat64, eb-ea), 0
	}
	var d stats.Running
	for i := range min(len(x.scores[a]), len(x.scores[b])) {
		d.Add(x.scores[a][i].Gain - x.scores[b][i].Gain)
	}
	if ci = d.HalfWidth95(); math.IsNaN(ci) {
		ci = math.Inf(1)
	}
	return d.Mean(), ci
}

func (x *search) excess(c int) float64 {
	var sum float64
	for _, s := range x.scores[c] {
		sum += s.Excess
	}
	return sum / float64(len(x.scores[c]))
}

func (x *search) gain(c int) float64 {
	var sum float64
	for _, s := range x.scores[c] {
		sum += s.Gain
	}
	return sum / float64(len(x.scores[c]))
}

// ranked orders candidates: those within the limits before others, then by gain.
func (x *search) ranked(list []int) []int {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.excess(a), x.excess(b)), cmp.Compare(x.gain(b), x.gain(a)), cmp.Compare(a, b))
	})
	return list
}

// found is what is known at the end: of those with most runs, the best.
func (x *search) found() Found {
	f := Found{Best: -1, Runs: x.runs}
	most := 0
	for _, c := range x.tried {
		most = max(most, len(x.scores[c]))
	}
	f.Ranking = x.ranked(x.tried)
	// Others may look better that were seen by the light of fewer seeds.
	slices.SortStableFunc(f.Ranking, func(a, b int) int { return cmp.Compare(len(x.scores[b])/most, len(x.scores[a])/most) })
	for _, c := range f.Ranking {
		var s stats.Running
		for _, score := range x.scores[c] {
			s.Add(score.Gain)
		}
		f.Gains = append(f.Gains, Gain{s.Mean(), s.HalfWidth95(), x.excess(c), len(x.scores[c])})
	}
	if len(f.Ranking) == 0 || math.IsInf(f.Gains[0].Excess, 1) {
		return f
	}
	f.Best, f.Within = f.Ranking[0], f.Gains[0].Excess == 0
	f.Clear = len(f.Ranking) == 1 || x.clearly(f.Best, f.Ranking[1])
	return f
}

// Exhaust tries every candidate on every seed.
func Exhaust(s *Space, p Plan, e Evaluate) Found {
	x := &search{space: s, plan: p, evaluate: e, scores: make([][]Score, len(s.candidates))}
	all := make([]int, len(s.candidates))
	for i := range all {
		all[i] = i
	}
	for range p.Replications {
		if !x.run(all) {
			break
		}
	}
	return x.found()
}

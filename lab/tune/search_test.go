package tune

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"throng/lab/experiment"
)

// square is a grid of so many steps in two dimensions, for each group.
func square(size int, groups ...string) (points [][]experiment.Param) {
	for _, g := range groups {
		for x := range size {
			for y := range size {
				points = append(points, []experiment.Param{{Path: "case", Value: g}, {Path: "x", Value: strconv.Itoa(x)}, {Path: "y", Value: strconv.Itoa(y)}})
			}
		}
	}
	return points
}

func TestSpace(t *testing.T) {
	s := NewSpace(append(square(5, "a", "b"), []experiment.Param{{Path: "case", Value: "c"}}))
	if len(s.groups) != 3 || !slices.Equal(s.groups[1].sizes, []int{5, 5}) || len(s.groups[2].sizes) != 0 {
		t.Fatalf("%+v", s.groups)
	}
	if got := s.neighbours(25 + 6); !slices.Equal(got, []int{25 + 1, 25 + 11, 25 + 5, 25 + 7}) {
		t.Errorf("around 1, 1 of b: %v", got)
	}
	if got := s.neighbours(0); !slices.Equal(got, []int{5, 1}) {
		t.Errorf("in the corner: %v", got)
	}
	if got := s.neighbours(50); got != nil {
		t.Errorf("where nothing varies: %v", got)
	}
	if got := s.spread(0, 5); !slices.Equal(got, []int{12, 0, 4, 20, 24}) {
		t.Errorf("the middle and the corners: %v", got)
	}
	if got := s.spread(2, 5); !slices.Equal(got, []int{50}) {
		t.Errorf("the only one: %v", got)
	}
}

// hills is what candidates of a square are worth: a hill in each group, of another height, at another place.
func hills(s *Space, noise float64) (Evaluate, *int) {
	runs, tried := new(int), map[int]int{}
	return func(list []int) (scores []Score, ok bool) {
		for _, c := range list {
			*runs++
			seed := tried[c]
			tried[c]++
			at, g := s.candidates[c].at, float64(s.candidates[c].group)
			dx, dy := float64(at[0])-3-2*g, float64(at[1])-12+3*g
			// What chance does is mostly the seed's, and a little the candidate's own.
			chance := noise * (math.Sin(float64(seed)*1.7) + 0.2*math.Sin(float64(c*7+seed*13)))
			scores = append(scores, Score{Gain: 10*g - dx*dx - dy*dy + chance})
		}
		return scores, true
	}, runs
}

func TestSearchClimbsTheHighestHill(t *testing.T) {
	for _, noise := range []float64{0, 1, 5} {
		s := NewSpace(square(16, "low", "middle", "high"))
		e, runs := hills(s, noise)
		f := Search(s, Plan{Runs: 150, Replications: 5}, e)
		want := 2*256 + 7*16 + 6
		if f.Best != want || !f.Within || f.Runs != *runs || f.Runs > 150 {
			t.Errorf("noise %v: found %d (%v) instead of %d, in %d runs", noise, f.Best, s.candidates[f.Best].at, want, f.Runs)
		}
		if noise < 5 && !f.Clear {
			t.Errorf("noise %v: not sure, of %+v", noise, f.Gains[:4])
		}
	}
}

// Where nothing is left to be gained no more runs are spent.
func TestSearchStopsEarly(t *testing.T) {
	s := NewSpace(square(4, "only"))
	e, _ := hills(s, 0)
	if f := Search(s, Plan{Runs: 1000, Replications: 50}, e); f.Runs > 60 {
		t.Errorf("%d runs for 16 candidates that no chance plays with", f.Runs)
	}
}

// Limits come first: the best of what keeps within them, or else what comes closest.
func TestSearchKeepsWithinLimits(t *testing.T) {
	s := NewSpace(square(16, "only"))
	judge := func(allowed func(at []int) float64) Evaluate {
		return func(list []int) (scores []Score, ok bool) {
			for _, c := range list {
				at := s.candidates[c].at
				scores = append(scores, Score{Gain: float64(at[0] + at[1]), Excess: allowed(at)})
			}
			return scores, true
		}
	}
	f := Search(s, Plan{Runs: 200, Replications: 2}, judge(func(at []int) float64 { return max(0, float64(at[0]-5)) }))
	if at := s.candidates[f.Best].at; !f.Within || at[0] != 5 || at[1] != 15 {
		t.Errorf("%v, %+v", at, f.Gains[0])
	}
	f = Search(s, Plan{Runs: 200, Replications: 2}, judge(func(at []int) float64 { return 1 + float64(at[1]) }))
	if at := s.candidates[f.Best].at; f.Within || at[1] != 0 {
		t.Errorf("nothing will do, and %v comes closest", at)
	}
	f = Search(s, Plan{Runs: 20, Replications: 2}, judge(func(at []int) float64 { return math.Inf(1) }))
	if f.Best != -1 {
		t.Errorf("%d was found where every run failed", f.Best)
	}
}

// An interruption leaves what is known by then.
func TestSearchIsInterrupted(t *testing.T) {
	s := NewSpace(square(16, "a", "b"))
	e, _ := hills(s, 0)
	calls := 0
	f := Search(s, Plan{Runs: 100, Replications: 3}, func(list []int) ([]Score, bool) {
		if calls++; calls > 2 {
			return nil, false
		}
		return e(list)
	})
	if calls != 3 && calls != 4 || f.Best < 0 || f.Runs == 0 {
		t.Errorf("%d calls, %+v", calls, f)
	}
}

// grid is every candidate's gain on every seed, as trying everything has found it: lab/tune/testdata/README.md has the commands.
type grid struct {
	points [][]experiment.Param
	gains  [][]float64
}

// load reads a grid: the parameters of a point, the replication, the gain.
func load(t *testing.T, path string) *grid {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	g := &grid{}
	index := map[string]int{}
	for _, row := range rows[1:] {
		n := len(row)
		key := ""
		var point []experiment.Param
		for i, v := range row[:n-2] {
			if v != "" {
				point = append(point, experiment.Param{Path: rows[0][i], Value: v})
			}
			key += v + " "
		}
		at, known := index[key]
		if !known {
			at = len(g.points)
			index[key] = at
			g.points, g.gains = append(g.points, point), append(g.gains, nil)
		}
		gain := math.Inf(-1) // nothing came of it that counts
		if row[n-1] != "" {
			if gain, err = strconv.ParseFloat(row[n-1], 64); err != nil {
				t.Fatal(err)
			}
		}
		g.gains[at] = append(g.gains[at], gain)
	}
	return g
}

func (g *grid) mean(c int) (mean float64) {
	for _, v := range g.gains[c] {
		mean += v / float64(len(g.gains[c]))
	}
	return mean
}

// A search finds what is within a tenth of the best of the whole grid, measured by what separates the best from the middle of all, with a fifth
// of the runs.
func TestSearchAgainstWholeGrids(t *testing.T) {
	files, err := filepath.Glob("testdata/*.csv")
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		g := load(t, file)
		var means []float64
		for c := range g.points {
			means = append(means, g.mean(c))
		}
		slices.Sort(means)
		best, middle := means[len(means)-1], means[len(means)/2]
		replications := len(g.gains[0])
		budget := len(g.points) * replications / 5
		search := func() Found {
			tried := make([]int, len(g.points))
			return Search(NewSpace(g.points), Plan{Runs: budget, Replications: replications}, func(list []int) (scores []Score, ok bool) {
				for _, c := range list {
					s := Score{Gain: g.gains[c][tried[c]]}
					if math.IsInf(s.Gain, -1) {
						s.Excess = math.Inf(1)
					}
					scores = append(scores, s)
					tried[c]++
				}
				return scores, true
			})
		}
		f := search()
		got := g.mean(f.Best)
		t.Logf("%s: %d points of %d runs: best %.4f, middle %.4f; found %.4f %v with %d runs", file, len(g.points), replications, best, middle, got,
			experiment.Assignments(g.points[f.Best]), f.Runs)
		if len(g.points) != 500 || f.Runs > budget || got < best-0.1*min(best-middle, math.Abs(best)) {
			t.Errorf("%s: found %v where the best is %v and the middle %v, with %d runs of %d", file, got, best, middle, f.Runs, len(g.points)*replications)
		}
		if again := search(); again.Best != f.Best || again.Runs != f.Runs || !slices.Equal(again.Ranking, f.Ranking) {
			t.Errorf("%s: found %d and then %d", file, f.Best, again.Best)
		}
	}
}

package rts

import (
	"iter"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/world/fixed"
	"throng/world/random"
)

// trips draws where a user with a base at a place sends avatars.
func trips(t *testing.T, workload string, base fixed.Vec, seed uint64, n int) []fixed.Vec {
	t.Helper()
	c := param.Default[Config]()
	c.Workload = workload
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	c = c.suited()
	r := random.New(seed, "trips")
	m := newMobility(&c, 7, base, &r)
	places := make([]fixed.Vec, n)
	for i := range places {
		places[i] = m.next(&r)
		if !c.bounds().Contains(places[i]) {
			t.Fatalf("%v is off the map", places[i])
		}
	}
	return places
}

// shares is which part of some places is in each sub-map.
func shares(places []fixed.Vec) map[int]float64 {
	c := param.Default[Config]()
	c = c.suited()
	in := map[int]float64{}
	for _, p := range places {
		in[c.subMap(p)] += 1 / float64(len(places))
	}
	return in
}

var anyBase = at(300, 100) // in sub-map 1

// Sub-maps need not end where grids do.
func TestAllGridsOfASubMapAreLookedAt(t *testing.T) {
	for _, c := range []Config{{Width: 1280, Height: 512, Columns: 5, Rows: 2}, {Width: 100, Height: 77, Columns: 7, Rows: 3}, {Width: 40, Height: 40, Columns: 9, Rows: 1}} {
		m := &mobility{columns: (c.Width + grid - 1) / grid, rows: (c.Height + grid - 1) / grid, bounds: c.bounds()}
		for s := range c.Columns * c.Rows {
			own := func(grids iter.Seq[int]) (list []int) {
				for g := range grids {
					if c.subMap(m.centre(g)) == s {
						list = append(list, g)
					}
				}
				return list
			}
			every := func(yield func(int) bool) {
				for g := 0; g < m.columns*m.rows && yield(g); g++ {
				}
			}
			if got, want := own(m.gridsAbout(&c, s)), own(every); !slices.Equal(got, want) {
				t.Errorf("%v, sub-map %d: grids %v, want %v", c, s, got, want)
			}
		}
	}
}

func TestWIStaysInTheSubMapOfTheBase(t *testing.T) {
	if got := shares(trips(t, modelWI, anyBase, 1, 2000)); len(got) != 1 || got[1] == 0 {
		t.Errorf("places in sub-maps %v", got)
	}
}

func TestWWVisitsSeveralSubMapsAlike(t *testing.T) {
	for seed := range uint64(50) {
		got := shares(trips(t, modelWW, anyBase, seed, 400))
		if got[1] == 0 {
			t.Fatalf("never at home: %v", got)
		}
		for s, share := range got {
			if even := 1 / float64(len(got)); share < even-0.15 || share > even+0.15 {
				t.Errorf("sub-map %d has a share of %.2f among %d", s, share, len(got))
			}
		}
	}
}

// Of StarCraft users, a little over 40% had two or more areas of high interest at h = 4.
func TestSubMapsOfHighInterest(t *testing.T) {
	c := param.Default[Config]()
	c = c.suited()
	r := random.New(1, "interests")
	count := map[int]int{}
	for range 10_000 {
		high := c.highInterest(1, &r)
		count[len(high)]++
		slices.Sort(high)
		if !slices.Contains(high, 1) || len(slices.Compact(high)) != len(high) {
			t.Fatalf("sub-maps %v", high)
		}
	}
	if several := 10_000 - count[1]; several < 4000 || several > 4400 || len(count) != len(interests) {
		t.Errorf("users by their number of sub-maps: %v", count)
	}
}

func TestGridsAreVisitedByTheirWeight(t *testing.T) {
	var sum, n [weightMost + 1]int
	for g := range 80 * 32 {
		n[gridWeight(7, g)]++
	}
	for _, p := range trips(t, modelWWG, anyBase, 1, 50_000) {
		sum[gridWeight(7, int(p.Y.Floor())/grid*80+int(p.X.Floor())/grid)]++
	}
	if n[0] != 0 || sum[0] != 0 {
		t.Fatalf("weights: %v", n)
	}
	unit := float64(sum[1]) / float64(n[1])
	for w := 2; w <= weightMost; w++ {
		if got := float64(sum[w]) / float64(n[w]) / unit; got < 0.8*float64(w) || got > 1.25*float64(w) {
			t.Errorf("grids of weight %d are visited %.2f times as often as those of weight 1", w, got)
		}
	}
}

func TestWDPrefersWhatIsNear(t *testing.T) {
	near, far := 0, 0
	places := trips(t, modelWD, anyBase, 1, 5000)
	for _, p := range places {
		switch d := p.Dist(anyBase); {
		case d < 50*tile:
			near++
		case d > 500*tile:
			far++
		}
	}
	if near < 1500 || far < 50 || far > 800 {
		t.Errorf("of %d, %d are near and %d far", len(places), near, far)
	}
}

func TestSamovarKeepsToItsOwnGrids(t *testing.T) {
	visited := func(seed uint64) map[[2]int64]int {
		grids := map[[2]int64]int{}
		for _, p := range trips(t, modelSamovar, anyBase, seed, 3000) {
			grids[[2]int64{p.X.Floor() / grid, p.Y.Floor() / grid}]++
		}
		return grids
	}
	one, two := visited(1), visited(2)
	if len(one)%favourites != 0 || len(one) > favourites*len(interests) {
		t.Errorf("%d grids visited", len(one))
	}
	common := 0
	for g := range one {
		if two[g] > 0 {
			common++
		}
	}
	if common == len(one) {
		t.Error("two users visit the same grids")
	}
}

func TestWW50IsHalfOfTheTimeElsewhere(t *testing.T) {
	for seed := range uint64(5) {
		r := random.New(seed, "trips")
		c := param.Default[Config]()
		c = c.suited()
		high := c.highInterest(1, &r)
		inside := 0.0
		for s, share := range shares(trips(t, modelWW50, anyBase, seed, 3000)) {
			if slices.Contains(high, s) {
				inside += share
			}
		}
		if inside < 0.45 || inside > 0.55 {
			t.Errorf("seed %d: a share of %.2f inside %v", seed, inside, high)
		}
	}
}

// Where every sub-map is of high interest there is no elsewhere.
func TestMobilityOnASmallMap(t *testing.T) {
	for _, workload := range []string{modelWI, modelWD, modelWW, modelSamovar, modelWW50, modelWWG} {
		c := param.Default[Config]()
		c.Width, c.Height, c.Columns, c.Rows, c.Workload = 40, 33, 1, 1, workload
		r := random.New(1, "small")
		m := newMobility(&c, 7, at(20, 20), &r)
		for range 200 {
			if p := m.next(&r); !c.bounds().Contains(p) {
				t.Fatalf("%s: %v is off the map", workload, p)
			}
		}
	}
}

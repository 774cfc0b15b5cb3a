package tune

import (
	"slices"

	"throng/lab/experiment"
)

// Space is a grid of candidates for each of several groups: mechanisms, as a rule.
type Space struct {
	candidates []candidate
	groups     []group
}

// candidate is a place in its group's grid.
type candidate struct {
	group int
	at    []int
}

// group is a grid.
type group struct {
	name  string
	sizes []int       // of its dimensions
	index map[int]int // from a place, as one number, to the candidate
}

// place is a place as one number.
func (g *group) place(at []int) (n int) {
	for i, x := range at {
		n = n*g.sizes[i] + x
	}
	return n
}

// NewSpace makes one of points: the first of their parameters is the group, the others are dimensions, whose values are in the order in
// which they come.
func NewSpace(points [][]experiment.Param) *Space {
	s := &Space{}
	var values [][][]string // by group and dimension
	for _, p := range points {
		g := slices.IndexFunc(s.groups, func(g group) bool { return g.name == p[0].Value })
		if g < 0 {
			g = len(s.groups)
			s.groups = append(s.groups, group{name: p[0].Value, sizes: make([]int, len(p)-1), index: map[int]int{}})
			values = append(values, make([][]string, len(p)-1))
		}
		c := candidate{group: g}
		for i, q := range p[1:] {
			known := &values[g][i]
			if !slices.Contains(*known, q.Value) {
				*known = append(*known, q.Value)
				s.groups[g].sizes[i]++
			}
			c.at = append(c.at, slices.Index(*known, q.Value))
		}
		s.candidates = append(s.candidates, c)
	}
	for i, c := range s.candidates {
		g := &s.groups[c.group]
		g.index[g.place(c.at)] = i
	}
	return s
}

// neighbours are the candidates one step away along one dimension.
func (s *Space) neighbours(i int) (list []int) {
	c := &s.candidates[i]
	g := &s.groups[c.group]
	at := slices.Clone(c.at)
	for d := range at {
		for _, step := range []int{-1, 1} {
			at[d] = c.at[d] + step
			if at[d] < 0 || at[d] >= g.sizes[d] {
				continue
			}
			if n, ok := g.index[g.place(at)]; ok {
				list = append(list, n)
			}
		}
		at[d] = c.at[d]
	}
	return list
}

// spread picks candidates of a group that are as far from one another as can be, the middle first.
func (s *Space) spread(g, n int) (list []int) {
	var members []int
	for i, c := range s.candidates {
		if c.group == g {
			members = append(members, i)
		}
	}
	middle := make([]float64, len(s.groups[g].sizes))
	for d := range middle {
		middle[d] = 0.5
	}
	nearest := make([]float64, len(members)) // to what was picked
	for k := range members {
		nearest[k] = -s.distance(members[k], middle)
	}
	for len(list) < min(n, len(members)) {
		best := -1
		for k, i := range members {
			if !slices.Contains(list, i) && (best < 0 || nearest[k] > nearest[best]) {
				best = k
			}
		}
		first := len(list) == 0
		list = append(list, members[best])
		picked := s.scaled(members[best])
		for k, i := range members {
			if d := s.distance(i, picked); first || d < nearest[k] {
				nearest[k] = d
			}
		}
	}
	return list
}

// scaled is where a candidate is, each dimension from 0 to 1.
func (s *Space) scaled(i int) []float64 {
	c := &s.candidates[i]
	at := make([]float64, len(c.at))
	for d, x := range c.at {
		if size := s.groups[c.group].sizes[d]; size > 1 {
			at[d] = float64(x) / float64(size-1)
		}
	}
	return at
}

// distance is the square of how far a candidate is from somewhere.
func (s *Space) distance(i int, from []float64) (sum float64) {
	for d, x := range s.scaled(i) {
		sum += (x - from[d]) * (x - from[d])
	}
	return sum
}

package rts

import (
	"iter"
	"slices"

	"throng/world/fixed"
	"throng/world/random"
)

// The mobility models.
const (
	modelWI      = "wi"      // a grid of the base's sub-map
	modelWD      = "wd"      // any grid, near ones rather
	modelWW      = "ww"      // a grid of one of several sub-maps of high interest
	modelSamovar = "samovar" // one of a few grids of one's own in these
	modelWW50    = "ww-50"   // half of the time as in ww, else a grid of any other sub-map
	modelWWG     = "wwg"     // any grid
)

const (
	grid       = 16 // the side of a grid, in tiles
	weightMost = 10 // grids have weights from one to this
	favourites = 16 // how many grids of a sub-map of high interest a user visits under samovar
)

// interests is how many of a thousand users have so many sub-maps of high interest, from one on. The source samples it from
// what it measured of StarCraft users at h = 4 and shows that as a drawing; the text says that somewhat over 40% have two or
// more, and that most have no more than six at any h. These numbers keep to the text, and halve from each to the next.
var interests = [...]uint64{580, 210, 105, 55, 30, 20}

// choice is something drawn by weight: a row of grids with the sums of the weights up to each.
type choice struct {
	grids []int32
	sums  []int64
}

func (c *choice) add(g int, weight int64) {
	if weight <= 0 {
		return
	}
	if n := len(c.sums); n > 0 {
		weight += c.sums[n-1]
	}
	c.grids, c.sums = append(c.grids, int32(g)), append(c.sums, weight)
}

func (c *choice) draw(r *random.Stream) int {
	n := int64(r.Below(uint64(c.sums[len(c.sums)-1])))
	i, found := slices.BinarySearch(c.sums, n)
	if found {
		i++ // a sum is the first number that is not the grid's any more
	}
	return int(c.grids[i])
}

// mobility is where one user sends avatars: to a grid of one of the choices, each choice as likely as the others.
type mobility struct {
	choices       []choice
	half          bool // whether the last choice is as likely as all the others together
	columns, rows int  // of grids
	bounds        fixed.Box
}

// newMobility returns the mobility of a user by where the base is. How attractive a grid is to everybody follows from the
// world's seed, the user's own taste from r.
func newMobility(c *Config, seed uint64, base fixed.Vec, r *random.Stream) *mobility {
	m := &mobility{columns: (c.Width + grid - 1) / grid, rows: (c.Height + grid - 1) / grid, bounds: c.bounds()}
	home := c.subMap(base)
	weight := func(g int) int64 { return gridWeight(seed, g) }
	switch c.Workload {
	case modelWI:
		m.choose(c, []int{home}, weight)
	case modelWD:
		m.addChoice(func(g int) int64 { return nearer(weight(g), m.centre(g), base) })
	case modelWW:
		m.choose(c, c.highInterest(home, r), weight)
	case modelSamovar:
		m.choose(c, c.highInterest(home, r), weight)
		for i := range m.choices {
			m.choices[i] = m.choices[i].personal(r)
		}
	case modelWW50:
		high := c.highInterest(home, r)
		m.choose(c, high, weight)
		m.addChoice(func(g int) int64 {
			if slices.Contains(high, c.subMap(m.centre(g))) {
				return 0
			}
			return weight(g)
		})
		m.half = len(m.choices) > len(high)
	case modelWWG:
		m.addChoice(weight)
	}
	return m
}

// gridWeight is how attractive a grid is, from one to weightMost.
func gridWeight(seed uint64, g int) int64 {
	r := random.Of(seed, purposeGrid, uint64(g))
	return 1 + int64(r.Below(weightMost))
}

// nearer makes a weight fall with the square of the distance to the base. Less than a tile counts as one.
func nearer(weight int64, at, base fixed.Vec) int64 {
	x, y := sixteenths(at.X-base.X), sixteenths(at.Y-base.Y)
	return weight << 32 / max(x*x+y*y, 16*16)
}

// choose makes one choice for each of some sub-maps.
func (m *mobility) choose(c *Config, subMaps []int, weight func(g int) int64) {
	for _, s := range subMaps {
		m.addChoiceOf(m.gridsAbout(c, s), func(g int) int64 {
			if c.subMap(m.centre(g)) != s {
				return 0
			}
			return weight(g)
		})
	}
}

// gridsAbout are the grids of a sub-map, in order, and some at its edges: a map has many more than one of its parts.
func (m *mobility) gridsAbout(c *Config, subMap int) iter.Seq[int] {
	span := func(i, parts, tiles, grids int) (from, to int) {
		return max(i*tiles/parts/grid-1, 0), min((i+1)*tiles/parts/grid+1, grids-1)
	}
	left, right := span(subMap%c.Columns, c.Columns, c.Width, m.columns)
	top, bottom := span(subMap/c.Columns, c.Rows, c.Height, m.rows)
	return func(yield func(int) bool) {
		for row := top; row <= bottom; row++ {
			for column := left; column <= right; column++ {
				if !yield(row*m.columns + column) {
					return
				}
			}
		}
	}
}

// addChoice makes a choice of all grids with a weight, unless there are none.
func (m *mobility) addChoice(weight func(g int) int64) {
	m.addChoiceOf(func(yield func(int) bool) {
		for g := 0; g < m.columns*m.rows && yield(g); g++ {
		}
	}, weight)
}

// addChoiceOf makes a choice of some grids, unless none has a weight.
func (m *mobility) addChoiceOf(grids iter.Seq[int], weight func(g int) int64) {
	var c choice
	for g := range grids {
		c.add(g, weight(g))
	}
	if len(c.grids) > 0 {
		m.choices = append(m.choices, c)
	}
}

// personal leaves only a few grids of a choice, with weights of the user's own.
func (c *choice) personal(r *random.Stream) choice {
	r.Shuffle(len(c.grids), func(i, j int) { c.grids[i], c.grids[j] = c.grids[j], c.grids[i] })
	var own choice
	for _, g := range c.grids[:min(favourites, len(c.grids))] {
		own.add(int(g), 1+int64(r.Below(weightMost)))
	}
	return own
}

// highInterest draws the sub-maps that a user is interested in: the base's own, and any others.
func (c *Config) highInterest(home int, r *random.Stream) []int {
	n, among := 1, r.Below(1000)
	for _, share := range interests {
		if among < share {
			break
		}
		among -= share
		n++
	}
	all := c.Columns * c.Rows
	high := []int{home}
	for len(high) < min(n, all) {
		if s := int(r.Below(uint64(all))); !slices.Contains(high, s) {
			high = append(high, s)
		}
	}
	return high
}

// subMap is the number of the sub-map that a place is in.
func (c *Config) subMap(at fixed.Vec) int {
	column := min(int(at.X.Floor())*c.Columns/c.Width, c.Columns-1)
	row := min(int(at.Y.Floor())*c.Rows/c.Height, c.Rows-1)
	return row*c.Columns + column
}

// box is where a grid is. At the edge of the map it may be cut off.
func (m *mobility) box(g int) fixed.Box {
	low := fixed.Vec{X: fixed.FromInt(int64(g % m.columns * grid)), Y: fixed.FromInt(int64(g / m.columns * grid))}
	return fixed.Box{Min: low, Max: m.bounds.Clamp(low.Add(fixed.Vec{X: grid * tile, Y: grid * tile}))}
}

func (m *mobility) centre(g int) fixed.Vec { return m.box(g).Centre() }

// next draws the next place to send somebody to.
func (m *mobility) next(r *random.Stream) fixed.Vec {
	n := len(m.choices)
	i := 0
	switch {
	case m.half && r.Below(2) == 0:
		i = n - 1
	case m.half:
		i = int(r.Below(uint64(n - 1)))
	default:
		i = int(r.Below(uint64(n)))
	}
	return within(m.box(m.choices[i].draw(r)), r)
}

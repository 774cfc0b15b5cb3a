package assignment

import (
	"math/bits"

	"throng/world/fixed"
)

// Config says what an assignment costs. By default it groups clients unless a server has a good deal more of them than others.
type Config struct {
	Blocks int `param:"blocks" default:"10" range:"1..64" help:"parts of the world along each axis: P"`

	Group  fixed.F `param:"group" default:"1" range:"0..100" help:"what it is worth to be served with those around: the weight w0"`
	Kin    fixed.F `param:"kin" default:"1" range:"0..100" help:"what it is worth to be served by the one that serves most of those around; the source has none of it"`
	Load   fixed.F `param:"load" default:"2" range:"0..100" help:"what it costs to be served with many: the weight w1"`
	Memory fixed.F `param:"memory" default:"0" range:"0..100" help:"what a server's free memory is worth: the weight w2"`

	// An empty server's ideal share is of the whole world, and of the blocks in use.
	Whole fixed.F `param:"whole" default:"0.5" range:"0..1" help:"how much an empty server's share depends on the size of the world: the weight g0"`
	Used  fixed.F `param:"used" default:"0.5" range:"0..1" help:"how much it depends on the blocks that are in use: the weight g1"`

	Hysteresis fixed.F `param:"hysteresis" default:"0.125" range:"0..100" help:"how much cheaper another server must be for a client to move"`
}

// Standard is the source's configuration: what counts is whether a server covers a block, not how many it serves there.
func Standard() Config {
	half := fixed.One / 2
	return Config{Blocks: 10, Group: fixed.One, Load: fixed.One, Memory: 0, Whole: half, Used: half, Hysteresis: fixed.One / 8}
}

// View is a box of blocks, from Low to High along each axis, both included.
type View struct{ Low, High [3]uint8 }

// Nowhere is the view of a client of which it is not known where it is.
var Nowhere = View{Low: [3]uint8{1, 1, 1}}

// ViewOf is the blocks that a box reaches into, of a world with bounds. What lies outside counts as at the edge.
func (c Config) ViewOf(bounds, box fixed.Box) View {
	at := func(low, high, v fixed.F) uint8 {
		if high <= low {
			return 0
		}
		share := (v.Clamp(low, high) - low).Div(high - low)
		return uint8(min(share.MulInt(int64(c.Blocks)).Floor(), int64(c.Blocks-1)))
	}
	axes := func(v fixed.Vec) [3]uint8 {
		return [3]uint8{
			at(bounds.Min.X, bounds.Max.X, v.X), at(bounds.Min.Y, bounds.Max.Y, v.Y), at(bounds.Min.Z, bounds.Max.Z, v.Z),
		}
	}
	return View{axes(box.Min), axes(box.Max)}
}

// Map knows which server serves what part of the world.
type Map struct {
	config  Config
	servers []server
	tallies []uint32 // by block, and in it by server
	shared  []uint32 // by block: how many servers cover it
	views   []uint32 // by block: how many views reach into it
	used    int      // blocks that some server covers
	clients int

	// Of the view at hand:
	hits  []uint32  // by server, the blocks of it that it covers
	kin   []fixed.F // by server, what part it has of the views in these, added up
	part  fixed.F   // what one of its blocks is of it
	block fixed.F   // what one block is of the world, along an axis
	share fixed.F   // what a client is of an even share of them
}

type server struct {
	alive    bool
	retiring bool // nobody else is put on it
	clients  int
	reported int       // of these, those that it has told of itself
	covers   int       // blocks
	axes     [3][]int  // by coordinate: blocks covered there
	masks    [3]uint64 // the coordinates at which there are any
	load     fixed.F   // as it says itself, on top of its clients
	free     fixed.F   // memory
}

// NewMap returns the map of some servers without clients.
func NewMap(c Config, servers int) *Map {
	n := c.Blocks * c.Blocks * c.Blocks
	m := &Map{config: c, servers: make([]server, servers), tallies: make([]uint32, n*servers), shared: make([]uint32, n), views: make([]uint32, n), hits: make([]uint32, servers), kin: make([]fixed.F, servers)}
	for i := range m.servers {
		s := &m.servers[i]
		s.alive = true
		for axis := range s.axes {
			s.axes[axis] = make([]int, c.Blocks)
		}
	}
	return m
}

// each calls f for every block of a view.
func (m *Map) each(v View, f func(block int, at [3]uint8)) {
	p := m.config.Blocks
	for z := v.Low[2]; z <= v.High[2]; z++ {
		for y := v.Low[1]; y <= v.High[1]; y++ {
			for x := v.Low[0]; x <= v.High[0]; x++ {
				f((int(z)*p+int(y))*p+int(x), [3]uint8{x, y, z})
			}
		}
	}
}

// Add counts a client's view with a server, and Remove no longer.
func (m *Map) Add(s int, v View) {
	m.servers[s].clients++
	m.clients++
	m.each(v, func(block int, at [3]uint8) { m.count(s, block, at, 1) })
}

// Remove undoes Add.
func (m *Map) Remove(s int, v View) {
	m.servers[s].clients--
	m.clients--
	m.each(v, func(block int, at [3]uint8) { m.count(s, block, at, -1) })
}

// count changes how many views of a server's reach into a block.
func (m *Map) count(s, block int, at [3]uint8, by int) {
	tally := &m.tallies[block*len(m.servers)+s]
	was := *tally
	*tally = uint32(max(int64(was)+int64(by), 0))
	m.views[block] += *tally - was
	switch {
	case was == 0 && *tally > 0:
		m.cover(s, block, at, 1)
	case was > 0 && *tally == 0:
		m.cover(s, block, at, -1)
	}
}

// cover notes that a server begins to cover a block, or ceases to.
func (m *Map) cover(s, block int, at [3]uint8, by int) {
	x := &m.servers[s]
	x.covers += by
	for axis, n := range at {
		x.axes[axis][n] += by
		if x.axes[axis][n] > 0 {
			x.masks[axis] |= 1 << n
		} else {
			x.masks[axis] &^= 1 << n
		}
	}
	if by > 0 {
		if m.shared[block]++; m.shared[block] == 1 {
			m.used++
		}
		return
	}
	if m.shared[block]--; m.shared[block] == 0 {
		m.used--
	}
}

// Report takes what a server says of itself: how many clients have come to it, how much it has to do beside them, and how much memory
// is free, as shares.
func (m *Map) Report(s, clients int, load, free fixed.F) {
	x := &m.servers[s]
	if !x.alive {
		return
	}
	m.clients += clients - x.reported
	x.clients += clients - x.reported
	x.reported, x.load, x.free = clients, load, free
}

// Change takes what a server's monitor has found: its clients' views have come to reach into blocks, or no longer do.
func (m *Map) Change(s int, changes []Change) {
	p := m.config.Blocks
	for _, c := range changes {
		if c.Block < 0 || c.Block >= len(m.shared) || !m.servers[s].alive {
			continue
		}
		at := [3]uint8{uint8(c.Block % p), uint8(c.Block / p % p), uint8(c.Block / p / p)}
		m.count(s, c.Block, at, c.By)
	}
}

// Bury has a server be dead: it covers nothing, and nobody is put on it. Raise brings it back.
func (m *Map) Bury(s int) {
	x := &m.servers[s]
	x.alive = false
	m.clients -= x.clients
	x.clients, x.reported, x.load = 0, 0, 0
	whole := uint8(m.config.Blocks - 1)
	m.each(View{High: [3]uint8{whole, whole, whole}}, func(block int, at [3]uint8) {
		m.count(s, block, at, -int(m.tallies[block*len(m.servers)+s]))
	})
}

// Raise has a server that was buried take clients again.
func (m *Map) Raise(s int) { m.servers[s].alive = true }

// Retire says whether a server is to be emptied: nobody is put on it, and everybody on it had better move.
func (m *Map) Retire(s int, retiring bool) { m.servers[s].retiring = retiring }

// Open reports whether clients may be put on a server.
func (m *Map) Open(s int) bool { return m.servers[s].alive && !m.servers[s].retiring }

// Clients is how many clients a server has.
func (m *Map) Clients(s int) int { return m.servers[s].clients }

// Best is the server for a client with a view, and false if there is none.
func (m *Map) Best(v View) (best int, ok bool) { return m.best(v, none) }

// none is no server.
const none = -1

// Choose is the best server but one, or that one where there is no other.
func (m *Map) Choose(v View, except int) (best int, ok bool) {
	if best, ok = m.best(v, except); ok {
		return best, true
	}
	return m.best(v, none)
}

func (m *Map) best(v View, except int) (best int, ok bool) {
	m.overlap(v)
	empty := m.empty()
	var least fixed.F
	apart := m.config.Group.Mul(m.block) // what it costs at least to be put on a server that covers other blocks
	for s := range m.servers {
		x := &m.servers[s]
		if !x.alive || x.retiring || s == except || ok && m.hits[s] == 0 && x.covers > 0 && m.burden(x)+apart >= least {
			continue // however near it is
		}
		if c := m.cost(s, v, empty); !ok || c < least {
			best, least, ok = s, c, true
		}
	}
	return best, ok
}

// Better is the server that a client with a view is to move to from another, if there is one that is cheaper by more than the
// hysteresis. The client's own view counts for neither.
func (m *Map) Better(v View, from int) (to int, ok bool) {
	m.Remove(from, v)
	defer m.Add(from, v)
	best, ok := m.Best(v)
	if !ok || best == from {
		return from, false
	}
	empty := m.empty()
	return best, !m.Open(from) || m.cost(best, v, empty)+m.config.Hysteresis < m.cost(from, v, empty)
}

// overlap counts the blocks of a view that each server covers, and works out what is the same for all servers.
func (m *Map) overlap(v View) {
	clear(m.hits)
	clear(m.kin)
	m.part, m.block = fixed.Ratio(1, int64(max(v.size(), 1))), fixed.Ratio(1, int64(m.config.Blocks))
	m.share = fixed.Ratio(int64(len(m.servers)), int64(max(m.clients, fewMin*len(m.servers))))
	n := len(m.servers)
	m.each(v, func(block int, _ [3]uint8) {
		if m.shared[block] == 0 {
			return
		}
		for s, tally := range m.tallies[block*n : block*n+n] {
			m.hits[s] += (tally | -tally) >> 31
		}
		if m.config.Kin != 0 {
			each := fixed.Ratio(1, int64(m.views[block]))
			for s, tally := range m.tallies[block*n : block*n+n] {
				m.kin[s] += each.MulInt(int64(tally))
			}
		}
	})
}

// fewMin is how many clients a server has at least before it counts how many it has: else the first of all would be spread evenly,
// wherever they are, and those around them after them.
const fewMin = 16

// cost is what it costs to put a client on a server, whose overlaps have been counted.
func (m *Map) cost(s int, v View, empty fixed.F) fixed.F {
	x := &m.servers[s]
	group := empty
	switch {
	case m.hits[s] > 0:
		group = m.part.MulInt(int64(m.hits[s]))
	case x.covers > 0:
		group = -m.block.MulInt(int64(x.distance(v)))
	}
	cost := m.burden(x) - m.config.Group.Mul(group)
	if m.config.Kin != 0 {
		cost -= m.config.Kin.Mul(m.part.Mul(m.kin[s]))
	}
	return cost
}

// burden is what it costs to put a client on a server, wherever the client is.
func (m *Map) burden(x *server) fixed.F {
	cost := m.config.Load.Mul(x.load + m.share.MulInt(int64(x.clients)))
	if m.config.Memory != 0 {
		cost -= m.config.Memory.Mul(x.free)
	}
	return cost
}

func (v View) size() int {
	n := 1
	for axis := range v.Low {
		n *= int(v.High[axis]) - int(v.Low[axis]) + 1
	}
	return n
}

// distance is how far a view is from what a server covers, in blocks along the axes.
func (x *server) distance(v View) int {
	sum := 0
	for axis, mask := range x.masks {
		low, high := v.Low[axis], v.High[axis]
		if mask>>low&(2<<(high-low)-1) != 0 {
			continue
		}
		near := 64
		if below := mask & (1<<low - 1); below != 0 {
			near = int(low) - (bits.Len64(below) - 1)
		}
		if above := mask >> high; above != 0 {
			near = min(near, bits.TrailingZeros64(above))
		}
		sum += near
	}
	return max(sum, 1)
}

// empty is the grouping factor of a server without clients.
func (m *Map) empty() fixed.F {
	n, covered, with := int64(0), int64(0), int64(0)
	for s := range m.servers {
		if m.servers[s].alive {
			n++
			if m.servers[s].covers > 0 {
				with++
				covered += int64(m.servers[s].covers)
			}
		}
	}
	if n == with {
		return 0 // there is none, and roots take time
	}
	p := int64(m.config.Blocks)
	ideal := m.config.Whole.Mul(fixed.Ratio(p*p*p, n)) + m.config.Used.Mul(fixed.Ratio(int64(m.used), n))
	average := fixed.Ratio(covered, max(with, 1))
	return -((root(ideal) - root(average)) / 2).Div(fixed.F(p) * fixed.One)
}

// root is the cube root of a number that is not negative.
func root(f fixed.F) fixed.F {
	low, high := fixed.F(0), max(f, fixed.One)+1
	for high-low > 1 {
		if mid := low + (high-low)/2; mid.Mul(mid).Mul(mid) <= f {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Spread is how well clients are grouped: how many servers cover a block that any does, on average. One is the best there is.
func (m *Map) Spread() fixed.F {
	sum := int64(0)
	for _, n := range m.shared {
		sum += int64(n)
	}
	return fixed.Ratio(sum, int64(max(m.used, 1)))
}

// Bytes is the memory that the map holds.
func (m *Map) Bytes() int { return 4 * (len(m.tallies) + 2*len(m.shared) + 3*len(m.hits)) }

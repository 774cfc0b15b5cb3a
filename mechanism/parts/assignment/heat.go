package assignment

import "throng/world/fixed"

// Heat is how many views of servers' clients reach into a block.
type Heat struct {
	Block   int
	Views   int // of all servers
	Server  int // which has most of them,
	Most    int // and how many
	Servers int // that have any
}

// Heats appends what is known of every block that a view reaches into.
func (m *Map) Heats(dst []Heat) []Heat {
	n := len(m.servers)
	for block, shared := range m.shared {
		if shared == 0 {
			continue
		}
		h := Heat{Block: block, Servers: int(shared)}
		for s, tally := range m.tallies[block*n : block*n+n] {
			h.Views += int(tally)
			if int(tally) > h.Most {
				h.Server, h.Most = s, int(tally)
			}
		}
		dst = append(dst, h)
	}
	return dst
}

// Box is the part of a world with bounds that a block is.
func (c Config) Box(bounds fixed.Box, block int) fixed.Box {
	p := c.Blocks
	side := func(low, high fixed.F, i int) (fixed.F, fixed.F) {
		size := high - low
		return low + size.MulInt(int64(i))/fixed.F(p), low + size.MulInt(int64(i+1))/fixed.F(p)
	}
	var b fixed.Box
	b.Min.X, b.Max.X = side(bounds.Min.X, bounds.Max.X, block%p)
	b.Min.Y, b.Max.Y = side(bounds.Min.Y, bounds.Max.Y, block/p%p)
	b.Min.Z, b.Max.Z = side(bounds.Min.Z, bounds.Max.Z, block/p/p)
	return b
}

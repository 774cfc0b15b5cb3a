package network

import (
	"slices"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Change is a time in which a network behaves otherwise than usual: some hosts cannot reach each other, or what goes between
// some is delayed or lost more often. It applies to packets sent from From on and before Until. Hosts are counted from 1.
type Change struct {
	From, Until world.Time

	Sides [][]uint32 // of a partition: hosts that cannot reach those of other sides. Hosts on no side reach everybody

	// Otherwise: what is added to the packets between a host of A and one of B, in both directions. Without B all packets to
	// and from hosts of A are meant.
	A, B  []uint32
	Delay world.Time
	Loss  fixed.F
}

// Disturb has changes happen to a network that was built with a seed for some hosts. Those that it has already stay.
func Disturb(m Model, changes []Change, seed uint64, hosts int) Model {
	if len(changes) == 0 {
		return m
	}
	n, ok := m.(*network)
	if !ok {
		return &disturbed{m, newDisturbance(changes, seed, hosts)}
	}
	also := *n
	also.changes = newDisturbance(slices.Concat(n.changes.all(), changes), seed, hosts)
	return &also
}

// Changes lists what changes in a network while it runs.
func Changes(m Model) []Change {
	switch m := m.(type) {
	case *network:
		return m.changes.all()
	case *disturbed:
		return m.changes.all()
	}
	return nil
}

// disturbed is any other network with changes.
type disturbed struct {
	Model
	changes *disturbance
}

func (d *disturbed) Fate(now world.Time, from, to uint32, size int) Fate {
	fate := d.Model.Fate(now, from, to, size)
	if fate.N == 0 || from == to {
		return fate
	}
	cause, delay := d.changes.meet(now, from, to)
	if cause != None {
		return Fate{Cause: cause}
	}
	for i := range fate.N {
		fate.Delays[i] += delay
	}
	return fate
}

// disturbance is the changes of a network, and those among them that hold at a time: between two edges they stay the same.
type disturbance struct {
	seed    uint64
	changes []change
	edges   []world.Time
	holding [][]int // by the number of edges that have passed: which changes hold
	passed  int     // as of the last packet; the next is sent at about the same time
	losses  map[lossy]*random.Stream
}

type change struct {
	Change
	side []uint16 // by host. Of a partition: its side plus one. Else the bits ofA and ofB; zero is nobody
	loss chance
}

const (
	ofA = 1
	ofB = 2
)

// lossy is a pair that a change makes lose packets: it draws from a stream of its own.
type lossy struct {
	change   int
	from, to uint32
}

func newDisturbance(changes []Change, seed uint64, hosts int) *disturbance {
	d := &disturbance{seed: seed, losses: map[lossy]*random.Stream{}}
	for _, c := range changes {
		d.changes = append(d.changes, change{c, c.sides(hosts), chanceOf(c.Loss)})
		d.edges = append(d.edges, c.From, c.Until)
	}
	slices.Sort(d.edges)
	d.edges = slices.Compact(d.edges)
	d.holding = make([][]int, len(d.edges)+1)
	for i, c := range changes {
		first, _ := slices.BinarySearch(d.edges, c.From)
		last, _ := slices.BinarySearch(d.edges, c.Until)
		for passed := first + 1; passed <= last; passed++ {
			d.holding[passed] = append(d.holding[passed], i)
		}
	}
	return d
}

// sides says of each host what part it has in a change.
func (c *Change) sides(hosts int) []uint16 {
	side := make([]uint16, hosts+1)
	for i, group := range c.Sides {
		for _, h := range group {
			side[h] = uint16(i + 1)
		}
	}
	for _, h := range c.A {
		side[h] |= ofA
	}
	for _, h := range c.B {
		side[h] |= ofB
	}
	return side
}

func (d *disturbance) all() []Change {
	if d == nil {
		return nil
	}
	var out []Change
	for i := range d.changes {
		out = append(out, d.changes[i].Change)
	}
	return out
}

// meet returns what changes do to a packet: why it does not arrive, or by how much it is delayed.
func (d *disturbance) meet(now world.Time, from, to uint32) (cause Cause, delay world.Time) {
	for d.passed < len(d.edges) && d.edges[d.passed] <= now {
		d.passed++
	}
	for d.passed > 0 && d.edges[d.passed-1] > now {
		d.passed--
	}
	for _, i := range d.holding[d.passed] {
		switch c := &d.changes[i]; {
		case c.separates(from, to):
			cause = Partitioned
		case c.concerns(from, to):
			delay += c.Delay
			// Every packet draws, so that what becomes of the next does not depend on what else happens to this one.
			if c.loss > 0 && c.loss.met(d.stream(i, from, to)) && cause == None {
				cause = Lost
			}
		}
	}
	return cause, delay
}

// separates reports whether the change is a partition with the two on different sides.
func (c *change) separates(from, to uint32) bool {
	a, b := c.side[from], c.side[to]
	return c.Sides != nil && a != b && a != 0 && b != 0
}

// concerns reports whether the change is about packets between the two.
func (c *change) concerns(from, to uint32) bool {
	a, b := c.side[from], c.side[to]
	switch {
	case c.Sides != nil:
		return false
	case c.B == nil:
		return a != 0 || b != 0
	}
	return a&ofA != 0 && b&ofB != 0 || a&ofB != 0 && b&ofA != 0
}

func (d *disturbance) stream(i int, from, to uint32) *random.Stream {
	key := lossy{i, from, to}
	s := d.losses[key]
	if s == nil {
		c := &d.changes[i] // named by what it is: its number would shift with those before it
		fresh := random.New(d.seed, "network.change", uint64(c.From), uint64(c.Until), uint64(c.Loss), uint64(from), uint64(to))
		s = &fresh
		d.losses[key] = s
	}
	return s
}

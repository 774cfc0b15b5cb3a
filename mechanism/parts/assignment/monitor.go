package assignment

import "slices"

// Change is by how many more views a block is reached into.
type Change struct{ Block, By int }

// Monitor follows the views of a server's clients. The zero Monitor has seen nothing; Blocks must be set.
type Monitor struct {
	Blocks  int // along each axis
	all     []int
	net     []int
	touched []int // blocks that have changed since Take, each once or more
}

// Move notes that a client's view has moved.
func (m *Monitor) Move(from, to View) {
	m.count(to, 1)
	m.count(from, -1)
}

// Enter notes that there is a view, Leave that there is none any more.
func (m *Monitor) Enter(v View) { m.count(v, 1) }

// Leave undoes Enter.
func (m *Monitor) Leave(v View) { m.count(v, -1) }

func (m *Monitor) count(v View, by int) {
	p := m.Blocks
	if m.net == nil {
		m.net, m.all = make([]int, p*p*p), make([]int, p*p*p)
	}
	for z := int(v.Low[2]); z <= int(v.High[2]); z++ {
		for y := int(v.Low[1]); y <= int(v.High[1]); y++ {
			for x := int(v.Low[0]); x <= int(v.High[0]); x++ {
				block := (z*p+y)*p + x
				if m.net[block] == 0 {
					m.touched = append(m.touched, block)
				}
				m.net[block] += by
				m.all[block] += by
			}
		}
	}
}

// Take appends what has changed since it was last asked: what came and went again is not told.
func (m *Monitor) Take(dst []Change) []Change {
	slices.Sort(m.touched)
	for _, block := range m.touched {
		if by := m.net[block]; by != 0 {
			dst = append(dst, Change{block, by})
			m.net[block] = 0
		}
	}
	m.touched = m.touched[:0]
	return dst
}

// All appends everything there is, for somebody who has not been told of anything.
func (m *Monitor) All(dst []Change) []Change {
	for block, count := range m.all {
		if count != 0 {
			dst = append(dst, Change{block, count})
		}
	}
	return dst
}

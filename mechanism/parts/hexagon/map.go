package hexagon

import "throng/world/fixed"

// Map is a map's division into zones, which are numbered from zero: column by column, each from its least end. It ignores height.
type Map struct {
	bounds  fixed.Box
	centres []fixed.Vec
	borders [][]Border
	near    [][]Border // those with neighbours
	columns []column
	width   fixed.F // from one column to the next
	height  fixed.F // of a zone
}

// Border is where a zone ends and another begins.
type Border struct {
	Zone   int       // the other one
	middle fixed.Vec // between the two centres
	normal fixed.Vec // of length one, towards the other
	half   fixed.F   // from the centre to the middle
}

// column is a stack of zones.
type column struct {
	first  int // the number of its first zone
	count  int
	lowest fixed.F // where the first centre is
	step   fixed.F // from one centre to the next
}

// Fit divides a map into so many zones, at least one: as regular as the map's shape allows.
func Fit(bounds fixed.Box, zones int) *Map {
	m := &Map{bounds: bounds}
	size := bounds.Size()
	size.X, size.Y = max(size.X, 1), max(size.Y, 1)
	columns := shape(size, zones)
	rows := (zones + columns - 1) / columns
	m.width, m.height = size.X/fixed.F(columns), size.Y/fixed.F(rows)
	full := zones - columns*(rows-1) // columns that have all rows; the others have one less
	for i := range columns {
		c := column{first: len(m.centres), count: rows}
		if i >= full {
			c.count--
		}
		c.step = size.Y / fixed.F(c.count)
		c.lowest = bounds.Min.Y + c.step/2
		if columns > 1 && rows > 1 {
			c.lowest = bounds.Min.Y + c.step/4 + c.step/2*fixed.F(i%2)
		}
		m.columns = append(m.columns, c)
		for j := range c.count {
			m.centres = append(m.centres, fixed.Vec{X: bounds.Min.X + m.width/2 + m.width*fixed.F(i), Y: c.lowest + c.step*fixed.F(j)})
		}
	}
	m.draw()
	return m
}

// shape is the number of columns with which zones are most like regular hexagons: those are 2/√3 times as high as columns are
// apart, which is 15/13 but for a thousandth. Columns that are not all alike disturb more than hexagons that are a little too wide.
func shape(size fixed.Vec, zones int) (columns int) {
	best := fixed.Max
	for c := 1; c <= zones; c++ {
		rows := (zones + c - 1) / c
		if zones <= c*(rows-1) {
			continue // a column would be empty
		}
		wide, high := size.X.DivInt(int64(c)).MulInt(15), size.Y.DivInt(int64(rows)).MulInt(13)
		distortion := max(wide, high).Div(max(min(wide, high), 1))
		if c*rows != zones {
			distortion += distortion / 2
		}
		if distortion < best {
			best, columns = distortion, c
		}
	}
	return max(columns, 1)
}

// draw finds the borders: of each zone with all that might adjoin it, which are in its column or the next ones.
func (m *Map) draw() {
	m.borders = make([][]Border, len(m.centres))
	for i := range m.columns {
		for z := m.columns[i].first; z < m.columns[i].first+m.columns[i].count; z++ {
			for k := max(i-1, 0); k <= min(i+1, len(m.columns)-1); k++ {
				c := &m.columns[k]
				row := c.row(m.centres[z].Y)
				for y := c.first + max(row-2, 0); y <= c.first+min(row+2, c.count-1); y++ {
					if y != z {
						m.borders[z] = append(m.borders[z], border(m.centres[z], m.centres[y], y))
					}
				}
			}
		}
	}
	m.near = make([][]Border, len(m.centres))
	for z := range m.borders {
		for _, b := range m.borders[z] {
			near := true // the middle belongs to the two and to no third: they are neighbours
			for _, other := range m.borders[z] {
				near = near && (other.Zone == b.Zone || other.beyond(b.middle) <= 0)
			}
			if near {
				m.near[z] = append(m.near[z], b)
			}
		}
	}
}

func border(from, to fixed.Vec, zone int) Border {
	way := to.Sub(from)
	return Border{Zone: zone, middle: fixed.Box{Min: from, Max: to}.Centre(), normal: way.Unit(), half: max(way.Len()/2, 1)}
}

// row is the row whose centre is nearest.
func (c *column) row(y fixed.F) int {
	j := int64(y-c.lowest+c.step/2) / int64(max(c.step, 1))
	return int(min(max(j, 0), int64(c.count-1)))
}

// beyond is how far a place is on the other side of a border; less than zero on this one.
func (b *Border) beyond(p fixed.Vec) fixed.F { return p.Sub(b.middle).Dot(b.normal) }

// Len is how many zones there are.
func (m *Map) Len() int { return len(m.centres) }

// Height is how high a zone is.
func (m *Map) Height() fixed.F { return m.height }

// Centre is the middle of a zone.
func (m *Map) Centre(zone int) fixed.Vec { return m.centres[zone] }

// Neighbours are the borders of a zone with those that adjoin it along an edge: six, or fewer at the edge of the map.
func (m *Map) Neighbours(zone int) []Border { return m.near[zone] }

// Of is the zone that a place is in: the one whose centre is nearest.
func (m *Map) Of(p fixed.Vec) int {
	p = m.flat(p)
	c := &m.columns[m.column(p.X)]
	zone := c.first + c.row(p.Y)
	for range m.centres { // towards the place, from one that is not far
		next, by := zone, fixed.F(0)
		for j := range m.borders[zone] {
			if d := m.borders[zone][j].beyond(p); d > by {
				next, by = m.borders[zone][j].Zone, d
			}
		}
		if next == zone {
			break
		}
		zone = next
	}
	return zone
}

// flat is a place's shadow on the ground, within the map.
func (m *Map) flat(p fixed.Vec) fixed.Vec {
	p = m.bounds.Clamp(p)
	p.Z = m.centres[0].Z
	return p
}

// Beyond is how far a place is outside of a zone, or less than zero inside: the distance from the nearest point of the zone,
// except near a corner of it, where it is less.
func (m *Map) Beyond(zone int, p fixed.Vec) fixed.F {
	p = m.flat(p)
	most := -fixed.Max
	for i := range m.borders[zone] {
		most = max(most, m.borders[zone][i].beyond(p))
	}
	return most
}

// Settle is the zone of somebody who was in one and is now at a place, where borders have bands of a height.
func (m *Map) Settle(was int, p fixed.Vec, band fixed.F) int {
	if m.Beyond(was, p) <= band/2 {
		return was
	}
	return m.Of(p)
}

// Within appends to dst the zones that begin no farther than so much from a place, in their order.
func (m *Map) Within(dst []int, p fixed.Vec, reach fixed.F) []int {
	p = m.flat(p)
	// Beyond falls short of the distance from a zone by less than half. Farther columns and rows than that are not looked at.
	far := 2*max(reach, 0) + 2*max(m.width, m.height)
	first, last := m.column(p.X-far), m.column(p.X+far)
	for i := first; i <= last; i++ {
		c := &m.columns[i]
		for z := c.first + c.row(p.Y-far); z <= c.first+c.row(p.Y+far); z++ {
			if m.Beyond(z, p) <= reach {
				dst = append(dst, z)
			}
		}
	}
	return dst
}

// column is the column that is nearest.
func (m *Map) column(x fixed.F) int {
	i := int64(x-m.bounds.Min.X) / int64(max(m.width, 1))
	return int(min(max(i, 0), int64(len(m.columns)-1)))
}

// Outline appends to dst the corners of a zone, in order: what of the map is on this side of all its borders.
func (m *Map) Outline(dst []fixed.Vec, zone int) []fixed.Vec {
	lo, hi := m.bounds.Min, m.bounds.Max
	corners := []fixed.Vec{{X: lo.X, Y: lo.Y}, {X: hi.X, Y: lo.Y}, {X: hi.X, Y: hi.Y}, {X: lo.X, Y: hi.Y}}
	var kept []fixed.Vec
	for i := range m.borders[zone] {
		kept = m.borders[zone][i].clip(kept[:0], corners)
		corners, kept = kept, corners
	}
	return append(dst, corners...)
}

// clip appends to dst what of a convex shape is on this side of a border.
func (b *Border) clip(dst, corners []fixed.Vec) []fixed.Vec {
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		from, to := b.beyond(fixed.Vec{X: p.X, Y: p.Y, Z: b.middle.Z}), b.beyond(fixed.Vec{X: q.X, Y: q.Y, Z: b.middle.Z})
		if from <= 0 {
			dst = append(dst, p)
		}
		if from < 0 && to > 0 || from > 0 && to < 0 {
			dst = append(dst, p.Lerp(q, from.Div(from-to)))
		}
	}
	return dst
}

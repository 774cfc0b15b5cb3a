package hexagon

import "throng/world/fixed"

// Each zone has parts: a core half as wide as the zone, which is a quarter of it, and between that and each neighbour a part, which is an
// eighth where there are six. What is next to the map's edge belongs to the core.

// Core is the part of a zone that is next to no neighbour.
const Core = -1

// Part is the part of a zone that a place in it is in: the one next to the neighbour with that index, or the core.
func (m *Map) Part(zone int, p fixed.Vec) int {
	p = m.flat(p)
	part, most := Core, -fixed.One/2
	for i := range m.near[zone] {
		if r := m.near[zone][i].reached(p); r > most {
			part, most = i, r
		}
	}
	return part
}

// reached is how near to a border a place is: zero at it, minus one at the zone's centre.
func (b *Border) reached(p fixed.Vec) fixed.F { return b.beyond(p).Div(b.half) }

// Outside is how far a place is outside of a part of a zone, about, or less than zero inside.
func (m *Map) Outside(zone, part int, p fixed.Vec) fixed.F {
	p = m.flat(p)
	most := m.Beyond(zone, p)
	near := m.near[zone]
	if part == Core {
		for i := range near {
			most = max(most, near[i].beyond(p)+near[i].half/2)
		}
		return most
	}
	b := &near[part]
	most = max(most, -b.half/2-b.beyond(p))
	reached := b.reached(p)
	for i := range near {
		if i != part {
			most = max(most, (near[i].reached(p) - reached).Mul(b.half))
		}
	}
	return most
}

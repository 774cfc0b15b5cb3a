package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// moreMax is how many dimensions beyond those of space count.
const moreMax = 4

// point is somewhere in space, and in what else counts as a dimension.
type point struct {
	at   fixed.Vec
	more [moreMax]fixed.F
}

// place is where an entry or a user is: a ball. Entries that touch nothing that has a place are everywhere.
type place struct {
	known  bool
	centre point
	radius fixed.F   // how far from the centre it reaches by itself, effects not counted
	way    fixed.Vec // how far it gets per second
}

// geometry knows how far things reach in a world. Where a world does not say, everything is near to everything.
type geometry struct {
	limited    bool
	flat       bool // space has two dimensions
	effect     fixed.F
	sight      fixed.F
	speed      fixed.F
	grain      uint // bits that are left off lengths on the wire
	dimensions []world.Dimension
	placeless  []bool // by kind
}

func newGeometry(w world.World) geometry {
	schema := w.Schema()
	g := geometry{placeless: make([]bool, len(schema.Kinds)), flat: schema.Bounds.Min.Z == schema.Bounds.Max.Z}
	for i := range schema.Kinds {
		g.placeless[i] = !slices.ContainsFunc(schema.Kinds[i].Variables, func(v world.Variable) bool { return v.Slot <= world.SlotZ })
	}
	if l, ok := w.(world.Limited); ok {
		limits := l.Limits()
		g.limited = true
		g.effect, g.sight, g.speed = limits.Effect, limits.Sight, limits.Speed
		for g.effect>>(g.grain+5) > 0 { // a sixteenth of what an action reaches is exact enough
			g.grain++
		}
	}
	if d, ok := w.(world.Dimensional); ok {
		g.dimensions = d.Dimensions()
		g.dimensions = g.dimensions[:min(len(g.dimensions), moreMax)]
	}
	return g
}

// pointOf is where an object is.
func (g *geometry) pointOf(o *world.Object) point {
	p := point{at: o.Pos}
	if g.flat {
		p.at.Z = 0 // and is not sent
	}
	for i, d := range g.dimensions {
		p.more[i] = d.Scale.MulInt(o.Get(d.Slot))
	}
	return p
}

// around is the place of some objects: the smallest box that holds them, as a ball. See looks them up.
func (g *geometry) around(ids []world.ID, see reader) place {
	var low, high point
	var p place
	for _, id := range ids {
		o := see(id)
		if o == nil || g.placeless[o.Kind] {
			continue
		}
		at := g.pointOf(o)
		if !p.known {
			p.known, p.way = true, o.Vel
			low, high = at, at
			continue
		}
		p.way = fixed.Vec{} // they need not go the same way
		low.extend(&at, fixed.F.Min)
		high.extend(&at, fixed.F.Max)
	}
	p.centre = low.middle(&high)
	p.radius = p.centre.distance(&high)
	return p
}

func (p *point) extend(q *point, pick func(a, b fixed.F) fixed.F) {
	p.at = fixed.Vec{X: pick(p.at.X, q.at.X), Y: pick(p.at.Y, q.at.Y), Z: pick(p.at.Z, q.at.Z)}
	for i := range p.more {
		p.more[i] = pick(p.more[i], q.more[i])
	}
}

func (p *point) middle(q *point) point {
	m := point{at: fixed.Box{Min: p.at, Max: q.at}.Centre()}
	for i := range m.more {
		m.more[i] = p.more[i] + (q.more[i]-p.more[i])/2
	}
	return m
}

// distance is how far points are apart, in all dimensions.
func (p *point) distance(q *point) fixed.F {
	d := p.at.Dist(q.at)
	for i := range p.more {
		if side := p.more[i] - q.more[i]; side != 0 {
			d = fixed.Vec{X: d, Y: side}.Len()
		}
	}
	return d
}

// within reports whether points are no farther apart than r.
func (p *point) within(q *point, r fixed.F) bool {
	if p.more == q.more {
		return p.at.Within(q.at, r)
	}
	return p.distance(q) <= r
}

// coordinate is one of a point's coordinates: three in space, then the others.
func (p *point) coordinate(i int) *fixed.F {
	switch i {
	case 0:
		return &p.at.X
	case 1:
		return &p.at.Y
	case 2:
		return &p.at.Z
	}
	return &p.more[i-3]
}

// append appends a place, rounded. It takes the same room in all directions.
func (g *geometry) append(dst []byte, p *place, moving bool) []byte {
	if !p.known {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	for i := range 3 + len(g.dimensions) {
		if i != 2 || !g.flat {
			dst = wire.AppendInt(dst, int64(*p.centre.coordinate(i)>>g.grain))
		}
	}
	dst = wire.AppendUint(dst, uint64(p.radius>>g.grain))
	if moving {
		dst = wire.AppendInt(dst, int64(p.way.X>>g.grain))
		dst = wire.AppendInt(dst, int64(p.way.Y>>g.grain))
		dst = wire.AppendInt(dst, int64(p.way.Z>>g.grain))
	}
	return dst
}

// read reads what append wrote. The place that it returns covers the one that was written.
func (g *geometry) read(r *wire.Reader, moving bool) (p place) {
	if r.UintMax(1) == 0 {
		return p
	}
	p.known = true
	half := fixed.F(1) << g.grain >> 1
	for i := range 3 + len(g.dimensions) {
		if i != 2 || !g.flat {
			*p.centre.coordinate(i) = g.length(r.Int()) + half
		}
	}
	// Rounding takes off up to half a grain in each of seven dimensions, and a whole one of the radius.
	p.radius = g.length(int64(r.UintMax(1<<62))) + 3<<g.grain
	if moving {
		p.way = fixed.Vec{X: g.length(r.Int()), Y: g.length(r.Int()), Z: g.length(r.Int())}
	}
	return p
}

// length is a length from the wire, kept to what can be reckoned with.
func (g *geometry) length(units int64) fixed.F {
	const far = int64(1) << 56
	return fixed.F(max(min(units, far>>g.grain), -far>>g.grain)) << g.grain
}

// placeOf is where an entry is, to whoever sees how things are.
func (g *geometry) placeOf(d *mechanism.Entry, see reader) place {
	if !g.limited {
		return place{}
	}
	return g.around(d.Footprint.Writes, see)
}

package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// place is where an entry or a user is: a ball. Entries that touch nothing that has a place are everywhere.
type place struct {
	known  bool
	centre fixed.Vec
	radius fixed.F   // how far from the centre it reaches by itself, effects not counted
	way    fixed.Vec // how far it gets per second
}

// geometry knows how far things reach in a world. Where a world does not say, everything is near to everything.
type geometry struct {
	limited   bool
	flat      bool // space has two dimensions
	effect    fixed.F
	sight     fixed.F
	speed     fixed.F
	grain     uint   // bits that are left off lengths on the wire
	placeless []bool // by kind
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
	return g
}

// pointOf is where an object is.
func (g *geometry) pointOf(o *world.Object) fixed.Vec {
	p := o.Pos
	if g.flat {
		p.Z = 0 // and is not sent
	}
	return p
}

// around is the place of some objects: the smallest box that holds them, as a ball. See looks them up.
func (g *geometry) around(ids []world.ID, see reader) place {
	var low, high fixed.Vec
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
		low = fixed.Vec{X: min(low.X, at.X), Y: min(low.Y, at.Y), Z: min(low.Z, at.Z)}
		high = fixed.Vec{X: max(high.X, at.X), Y: max(high.Y, at.Y), Z: max(high.Z, at.Z)}
	}
	p.centre = fixed.Box{Min: low, Max: high}.Centre()
	p.radius = p.centre.Dist(high)
	return p
}

// append appends a place, rounded. It takes the same room in all directions.
func (g *geometry) append(dst []byte, p *place, moving bool) []byte {
	if !p.known {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	dst = wire.AppendInt(dst, int64(p.centre.X>>g.grain))
	dst = wire.AppendInt(dst, int64(p.centre.Y>>g.grain))
	if !g.flat {
		dst = wire.AppendInt(dst, int64(p.centre.Z>>g.grain))
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
	p.centre.X = g.length(r.Int()) + half
	p.centre.Y = g.length(r.Int()) + half
	if !g.flat {
		p.centre.Z = g.length(r.Int()) + half
	}
	// Rounding takes off up to half a grain in each dimension, and a whole one of the radius: less than two. It is kept at three, so
	// that what the server takes to be near does not hang by a rounding.
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

package combat

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// aware is how far users know what is behind them.
const aware = 40 * metre

// Sees: users see ahead as far as their unit does, or all around, and what is at their backs; from tanks hills hide what is behind them.
// Users whose unit is down see what they would if it were up, and all know of their own missiles.
func (b *battle) Sees(s *world.State, u world.User, o *world.Object) bool {
	own := s.Get(unitOf(u))
	if o.User == u {
		return true
	}
	if own == nil || own.Kind == kindMissile {
		return false
	}
	reach := b.TankSight
	if own.Kind == kindPlane {
		reach = b.PlaneSight
	}
	way := o.Pos.Sub(own.Pos)
	switch {
	case way.LenWithin(aware):
		return true
	case !way.LenWithin(reach):
		return false
	case b.Vision == visionHalf && way.Dot(fixed.Polar(fixed.One, fixed.Angle(own.Attr[attrHeading]))) < 0:
		return false
	}
	return own.Kind == kindPlane || o.Kind == kindPlane || !b.hidden(s.Seed(), own.Pos, o.Pos)
}

// hill is one of the hills that grew from a seed: a ridge.
func (b *battle) hill(seed uint64, i int) world.Segment {
	r := random.Of(seed, uint64(i), purposeHills)
	at := fixed.Vec{X: r.Between(0, b.Side), Y: r.Between(0, b.Side)}
	half := fixed.Polar(r.Between(b.Side/80, b.Side/40), r.Angle())
	return world.Segment{From: b.schema.Bounds.Clamp(at.Sub(half)), To: b.schema.Bounds.Clamp(at.Add(half))}
}

// hidden reports whether a hill is between two places: each of the two lines has its ends on different sides of the other.
func (b *battle) hidden(seed uint64, from, to fixed.Vec) bool {
	apart := func(p, q, from, to fixed.Vec) bool {
		way := to.Sub(from)
		return way.Cross2(p.Sub(from)).Sign()*way.Cross2(q.Sub(from)).Sign() < 0
	}
	for i := range b.Hills {
		h := b.hill(seed, i)
		if apart(from, to, h.From, h.To) && apart(h.From, h.To, from, to) {
			return true
		}
	}
	return false
}

// Scenery is the hills.
func (b *battle) Scenery(dst []world.Segment, seed uint64, box fixed.Box) []world.Segment {
	for i := range b.Hills {
		h := b.hill(seed, i)
		if box.Intersects(fixed.Box{Min: h.From, Max: h.From}.Union(fixed.Box{Min: h.To, Max: h.To})) {
			dst = append(dst, h)
		}
	}
	return dst
}

package zonal

import (
	"throng/mechanism"
	"throng/mechanism/parts/hexagon"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// plan is who has which parts of a zone (package balance). It is known to all who are in the zone's tree, along which it is told, and to
// all who look into the zone: so to everybody who sees anything of it.
type plan struct {
	number uint64 // later ones have higher numbers; zero before the zone has given any
	given  uint8  // to the neighbours whose bits are set
	before uint8  // what was given until then
	since  world.Time
}

// has reports whether a neighbour has the part next to it.
func (p *plan) has(part int) bool { return part != hexagon.Core && p.given&(1<<part) != 0 }

// append appends a plan as a sign, if there is any.
func (p *plan) append(dst []byte, zone int) []byte {
	if p.number == 0 {
		return dst
	}
	dst = wire.AppendUint(append(dst, signPlan), uint64(zone))
	return append(wire.AppendUint(dst, p.number), p.given)
}

func readPlan(r *wire.Reader, zones int) (zone int, p plan) {
	zone = int(r.UintMax(uint64(zones - 1)))
	return zone, plan{number: r.UintMax(number), given: r.Byte()}
}

// lingers is for how long one looks into zones that had a part until now: those who are in it have yet to come over.
func (c *Config) lingers() world.Time { return 2 * c.KeepAlive }

// outside is how far a place is outside of what a zone is in charge of: all of it but what it has given to others, and what others have
// given to it; less than zero inside.
func (n *node) outside(zone int, at fixed.Vec) fixed.F {
	least := fixed.Max
	if p := &n.plans[zone]; p.given == 0 {
		least = n.land.Beyond(zone, at)
	} else {
		for part := hexagon.Core; part < len(n.land.Neighbours(zone)); part++ {
			if !p.has(part) {
				least = min(least, n.land.Outside(zone, part, at))
			}
		}
	}
	for _, b := range n.land.Neighbours(zone) {
		if n.plans[b.Zone].given == 0 {
			continue
		}
		if part := n.facing(b.Zone, zone); n.plans[b.Zone].has(part) {
			least = min(least, n.land.Outside(b.Zone, part, at))
		}
	}
	return least
}

// facing is the part of a zone that is next to another.
func (n *node) facing(zone, other int) int {
	for part, b := range n.land.Neighbours(zone) {
		if b.Zone == other {
			return part
		}
	}
	return hexagon.Core
}

// holder is the zone that is in charge of a place.
func (n *node) holder(at fixed.Vec) int {
	zone := n.land.Of(at)
	if p := &n.plans[zone]; p.given != 0 {
		if part := n.land.Part(zone, at); p.has(part) && part < len(n.land.Neighbours(zone)) {
			return n.land.Neighbours(zone)[part].Zone
		}
	}
	return zone
}

// settleIn is the zone of a peer whose user is at a place: the one that it is in until the far side of the band is crossed.
func (n *node) settleIn(at fixed.Vec) int {
	if n.outside(n.zone, at) <= n.land.band/2 {
		return n.zone
	}
	return n.holder(at)
}

// wantHolders adds those to the zones to look into who have a part of a zone that is in sight from a place.
func (n *peer) wantHolders(now world.Time, zone int, at fixed.Vec) {
	p := &n.plans[zone]
	given := p.given
	if now-p.since < n.config.lingers() {
		given |= p.before
	}
	for part := 0; given != 0 && part < len(n.land.Neighbours(zone)); part++ {
		if given&(1<<part) != 0 && n.land.Outside(zone, part, at) <= n.land.sight+n.land.margin+n.land.reach {
			n.want(n.land.Neighbours(zone)[part].Zone)
		}
	}
}

// learnPlan takes a zone's plan, and acts on it.
func (n *peer) learnPlan(now world.Time, zone int, p plan, out *mechanism.Outbox) {
	known := &n.plans[zone]
	if p.number <= known.number || int(p.given) >= 1<<len(n.land.Neighbours(zone)) {
		return
	}
	*known = plan{number: p.number, given: p.given, before: known.given, since: now}
	if n.seat.attached() && n.seat.zone == zone {
		n.plan = known.append(n.plan[:0], zone)
		n.signs(now, true, out)
	}
	n.moved(now, out)
}

// showPlan tells a new child who has which parts of the zone.
func (r *relay) showPlan(now world.Time, to mechanism.NodeID, out *mechanism.Outbox) {
	if c := r.find(to); c != nil && len(r.plan) > 0 {
		r.push(now, &c.pipe, r.plan, 0, out)
	}
}

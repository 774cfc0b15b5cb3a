package zonal

import (
	"math/bits"
	"slices"

	"throng/mechanism"
)

// Zones is the map as the peer sees it.
func (n *peer) Zones(dst []mechanism.Zone) []mechanism.Zone {
	if n.outlines == nil {
		for zone := range n.land.Len() {
			n.outlines = append(n.outlines, n.land.Outline(nil, zone))
		}
	}
	for zone := range n.outlines {
		z := mechanism.Zone{Outline: n.outlines[zone], Band: n.land.band, Server: hybridOf(zone), Given: bits.OnesCount8(n.plans[zone].given)}
		switch {
		case n.seat.attached() && n.seat.zone == zone:
			z.Role = mechanism.ZoneHome
		case slices.ContainsFunc(n.views, func(v view) bool { return v.zone == zone }):
			z.Role = mechanism.ZoneSeen
		}
		dst = append(dst, z)
	}
	return dst
}

// Ties are the peer's neighbours in the tree, and the hybrid nodes that tell it of what it sees elsewhere.
func (n *peer) Ties(dst []mechanism.Tie) []mechanism.Tie {
	now := mechanism.TimeOf(n.tick(), n.schema.Tick)
	tie := func(role mechanism.TieRole, zone int, p *pipe) mechanism.Tie {
		return mechanism.Tie{Node: p.to, User: n.seats.User(p.to), Role: role, Zone: zone, Sent: p.out, Relayed: p.passed, Received: p.in}
	}
	if s := &n.seat; s.attached() {
		t := tie(mechanism.TieParent, s.zone, &s.parent)
		t.Level, t.Trip, t.Silent = len(n.path)-2, s.trip, max(now-s.heard, 0)
		dst = append(dst, t)
	}
	if b := n.seat.backup; b.id != 0 && n.config.Backup {
		dst = append(dst, mechanism.Tie{Node: b.id, User: n.seats.User(b.id), Role: mechanism.TieBackup, Zone: n.seat.zone, Trip: b.trip})
	}
	for _, c := range n.children {
		t := tie(mechanism.TieChild, n.seat.zone, &c.pipe)
		t.Level, t.Silent = len(n.path), max(now-c.heard, 0)
		dst = append(dst, t)
	}
	for i := range n.views {
		zone := n.views[i].zone
		dst = append(dst, tie(mechanism.TieWindow, zone, n.pipeTo(zone)))
	}
	return dst
}

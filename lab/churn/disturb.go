package churn

import (
	"cmp"
	"fmt"
	"slices"

	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
)

// place gives numbers to the hosts that somebody was moved to, after those of all nodes.
func (x *expansion) place() {
	for _, p := range x.cast.places {
		x.hosts = max(x.hosts, int(p.ID))
	}
	number := func(host *int) {
		if *host < 0 {
			*host = x.hosts - *host
		}
	}
	for i := range x.events {
		number(&x.events[i].Host)
	}
	for _, n := range x.cast.members {
		if n.unit.host < 0 {
			number(&n.unit.host)
		}
		for i := range n.unit.been {
			number(&n.unit.been[i])
		}
	}
	x.hosts += x.moves
}

// roles lists the roles of all hosts.
func (x *expansion) roles() []string {
	roles := make([]string, x.hosts)
	for _, p := range x.cast.places {
		roles[p.ID-1] = p.Role
	}
	for _, p := range x.cast.places {
		u := x.cast.members[p.ID].unit
		for _, h := range append(slices.Clone(u.been), u.host) {
			if roles[h-1] == "" {
				roles[h-1] = p.Role
			}
		}
	}
	return roles
}

// disturb works out what happens to the network and to links. It comes last, since it concerns also those who arrive while it
// lasts.
func (x *expansion) disturb() {
	var limits []limitation
	for i := range x.network {
		m := &x.network[i]
		switch c := m.clause; c.Verb {
		case VerbPartition:
			x.changes = append(x.changes, network.Change{From: m.at, Until: x.until(m, m.at), Sides: x.sides(m)})
			x.emit(m, Event{At: m.at, Kind: Cut})
		case VerbHeal:
			for j := range x.changes {
				if ch := &x.changes[j]; ch.Sides != nil && ch.From < m.at {
					ch.Until = min(ch.Until, m.at)
				}
			}
			x.emit(m, Event{At: m.at, Kind: Heal})
			continue
		case VerbAdd:
			ch := network.Change{From: m.at, Until: x.until(m, m.at), Delay: c.Delay, Loss: c.Loss, A: x.hostsOf(x.everyone(m, &c.Who))}
			if c.Between {
				ch.B = x.hostsOf(x.everyone(m, &c.Other))
			}
			x.changes = append(x.changes, ch)
			x.emit(m, Event{At: m.at, Kind: Disturb})
		case VerbLimit:
			for _, host := range x.hostsOf(x.everyone(m, &c.Who)) {
				limits = append(limits, limitation{int(host), m.at, x.until(m, m.at), m})
			}
		}
	}
	x.ends()
	x.limit(limits)
}

// ends tells of changes of the network that are over, unless they were healed.
func (x *expansion) ends() {
	for i := range x.network {
		m := &x.network[i]
		end := x.until(m, m.at)
		healed := slices.ContainsFunc(x.network, func(h moment) bool {
			return h.clause.Verb == VerbHeal && h.at > m.at && h.at <= end
		})
		switch {
		case end > x.stage.Duration:
		case m.clause.Verb == VerbPartition && !healed:
			x.emit(m, Event{At: end, Kind: Heal})
		case m.clause.Verb == VerbAdd:
			x.emit(m, Event{At: end, Kind: Calm})
		}
	}
}

// everyone resolves a set of nodes whether they are up or not.
func (x *expansion) everyone(m *moment, w *Who) []mechanism.NodeID {
	return x.resolve(m, w, func(*member) bool { return true })
}

// hostsOf lists the hosts that nodes are on, ever.
func (x *expansion) hostsOf(nodes []mechanism.NodeID) []uint32 {
	var hosts []uint32
	for _, id := range nodes {
		u := x.cast.members[id].unit
		for _, h := range append(slices.Clone(u.been), u.host) {
			hosts = append(hosts, uint32(h))
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// sides works out the sides of a partition.
func (x *expansion) sides(m *moment) [][]uint32 {
	sides := make([][]uint32, len(m.clause.Groups))
	side := map[uint32]int{}
	for i, g := range m.clause.Groups {
		var nodes []mechanism.NodeID
		for j := range g.Who {
			nodes = append(nodes, x.everyone(m, &g.Who[j])...)
		}
		sides[i] = x.hostsOf(nodes)
		for _, h := range sides[i] {
			if other, taken := side[h]; taken && other != i {
				m.fail(&x.plan, fmt.Sprintf("host %d is on two sides", h), "name every node once; the nodes of one process cannot be parted")
			}
			side[h] = i
		}
	}
	for i, g := range m.clause.Groups {
		for h := uint32(1); g.Rest && int(h) <= x.hosts; h++ {
			if _, taken := side[h]; !taken {
				sides[i] = append(sides[i], h)
			}
		}
	}
	return sides
}

// limitation is a limit on a host's links for a while.
type limitation struct {
	host        int
	from, until world.Time
	moment      *moment
}

// limit tells of every change of the limits of a host. Of several at a time the strictest holds.
func (x *expansion) limit(limits []limitation) {
	slices.SortStableFunc(limits, func(a, b limitation) int { return cmp.Compare(a.host, b.host) })
	for len(limits) > 0 {
		n := 1
		for n < len(limits) && limits[n].host == limits[0].host {
			n++
		}
		x.limitHost(limits[:n])
		limits = limits[n:]
	}
}

func (x *expansion) limitHost(limits []limitation) {
	type edge struct {
		at world.Time
		m  *moment
	}
	var edges []edge
	for _, l := range limits {
		edges = append(edges, edge{l.from, l.moment}, edge{l.until, l.moment})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var was Event
	for _, at := range edges {
		now := Event{At: at.at, Kind: Limit, Host: limits[0].host}
		for _, l := range limits {
			if l.from <= at.at && at.at < l.until {
				now.Up, now.Down = stricter(now.Up, l.moment.clause.Up), stricter(now.Down, l.moment.clause.Down)
			}
		}
		if at.at <= x.stage.Duration && (now.Up != was.Up || now.Down != was.Down) {
			x.emit(at.m, now)
			was = now
		}
	}
}

// stricter returns the lower of two limits, where zero is none.
func stricter(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

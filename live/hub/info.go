package hub

import (
	"cmp"
	"slices"

	"throng/live/driver"
	"throng/mechanism"
)

// Holding says who holds a place.
type Holding string

// Who may hold a place.
const (
	Server     Holding = "server"
	Artificial Holding = "artificial"
	Person     Holding = "person" // somebody is attached
	Away       Holding = "away"   // a seat is kept for somebody
	Vacant     Holding = "vacant"
	Elsewhere  Holding = "elsewhere" // another process has it
)

// Info describes a node that has a place here.
type Info struct {
	Place   mechanism.Place
	Epoch   uint32
	Holding Holding
	Name    string          // of the person
	Account string          // the person's, if it has one
	Runner  driver.Counters // of a node that runs here
	Traffic
}

// Traffic counts datagrams by what became of them.
type Traffic struct {
	Routed int64 // handed to the receiver
	Bytes  int64 // their payloads
	Full   int64 // of these, refused since there was no room
	Missed int64 // dropped since nobody was there
}

// Counters is what the hub has done so far, and how it stands.
type Counters struct {
	Servers    int
	Artificial int
	People     int // attached
	Away       int // seats kept for somebody who is not attached
	Traffic
	Forwarded int64           // handed to the fallback
	Unknown   int64           // dropped since there is no such node
	Lost      int64           // places that stayed empty since no node could be built
	Runners   driver.Counters // of all nodes that run here now
}

func (p *post) info() Info {
	i := Info{
		Place: p.place,
		Epoch: p.epoch,
		Traffic: Traffic{
			Routed: p.routed.Load(),
			Bytes:  p.bytes.Load(),
			Full:   p.full.Load(),
			Missed: p.missed.Load(),
		},
	}
	if p.runner != nil {
		i.Runner = p.runner.Counters()
	}
	if p.seat != nil {
		i.Name, i.Account = p.seat.Name, p.seat.Account
	}
	i.Holding = p.holding()
	return i
}

func (p *post) holding() Holding {
	switch {
	case p.elsewhere.Load():
		return Elsewhere
	case p.seat != nil && p.seat.conn != nil:
		return Person
	case p.seat != nil && p.runner == nil:
		return Away
	case p.runner == nil:
		return Vacant
	case p.place.User == 0:
		return Server
	default:
		return Artificial
	}
}

// Nodes describes all nodes that have a place here, in the order of their IDs.
func (h *Hub) Nodes() []Info {
	h.mu.Lock()
	infos := make([]Info, 0, len(h.posts))
	for _, p := range h.posts {
		infos = append(infos, p.info())
	}
	h.mu.Unlock()
	slices.SortFunc(infos, func(a, b Info) int { return cmp.Compare(a.Place.ID, b.Place.ID) })
	return infos
}

// Counters is how the hub stands.
func (h *Hub) Counters() Counters {
	c := Counters{Forwarded: h.forwarded.Load(), Unknown: h.unknown.Load(), Lost: h.lost.Load()}
	for _, i := range h.Nodes() {
		switch i.Holding {
		case Server:
			c.Servers++
		case Artificial:
			c.Artificial++
		case Person:
			c.People++
		case Away:
			c.Away++
		}
		c.Traffic.add(i.Traffic)
		c.Runners.Add(i.Runner)
	}
	return c
}

func (t *Traffic) add(u Traffic) {
	t.Routed += u.Routed
	t.Bytes += u.Bytes
	t.Full += u.Full
	t.Missed += u.Missed
}

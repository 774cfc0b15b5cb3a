package octree

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/assignment"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// balancer tells clients which server is to serve them, and servers which of their clients had better be served by others. Every
// balancer hears of every server all that is to be known, so that any of them can answer; should two of them differ, somebody is
// served by a server that is not quite the best. Who answers for what is for storage nodes to say.
type balancer struct {
	talks
	session *mechanism.Session
	seats   membership.Seats
	place   assignment.Config
	leases  assignment.Leases
	reach   fixed.F // how far users see
	seeks   []search
	next    world.Time
	begun   bool
	changes []assignment.Change
	heats   []assignment.Heat
	buf     []byte
	work    world.Work
}

var (
	_ mechanism.Placing = (*balancer)(nil)
	_ mechanism.Sized   = (*balancer)(nil)
)

// search is a client that waits to be told a server, while storage nodes are asked where its user is.
type search struct {
	user    world.User
	node    mechanism.NodeID
	who     membership.Identity
	lost    int // the server that does not answer it, or nowhere
	found   bool
	box     fixed.Box // where the user's objects are, if any were found
	replies []bool    // by storage node
	until   world.Time
}

func newBalancer(c *Config, s *mechanism.Session, id mechanism.NodeID) *balancer {
	n := &balancer{
		session: s, seats: c.seats(s.World), place: c.Placing, reach: sightOf(s.World),
		leases: assignment.Leases{Map: assignment.NewMap(c.Placing, c.Servers), Term: 2 * c.Timeout},
	}
	n.talks = newTalks(c, s, id, n)
	if s.Late {
		for i := range c.Servers {
			n.leases.Bury(i) // until it is met
		}
	}
	return n
}

// sightOf is how far users see.
func sightOf(w world.World) fixed.F {
	if l, ok := w.(world.Limited); ok && l.Limits().Sight > 0 {
		return l.Limits().Sight
	}
	return w.Schema().Bounds.Size().Len()
}

// Wake looks after those who wait.
func (n *balancer) Wake(now world.Time, out *mechanism.Outbox) {
	if !n.begun {
		n.begun = true
		n.next = now
	}
	n.layer.Wake(now, n, out)
	if now >= n.next {
		n.next = (now/n.config.beat() + 1) * n.config.beat()
		n.keepInTouch(now, out)
		n.leases.Expire(now)
		for i := len(n.seeks) - 1; i >= 0; i-- {
			if now >= n.seeks[i].until {
				n.answer(now, i, out)
			}
		}
		n.sayAlive(now, out)
	}
	n.rest(out)
}

// sayAlive has servers and other balancers answer, so that it is known whether they can.
func (n *balancer) sayAlive(now world.Time, out *mechanism.Outbox) {
	n.buf = append(n.buf[:0], kindAlive)
	for i := range n.config.Servers {
		n.tell(now, n.config.serverNode(i), mechanism.Control, n.buf, out)
	}
}

// Receive takes a client's question, or what a server, a storage node or another balancer says.
func (n *balancer) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	switch {
	case input.Is(m.Payload):
		if !n.receiveSeek(now, m, out) {
			out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		}
	case n.knows(m.From):
		n.receive(now, m, out)
	}
	n.rest(out)
}

func (n *balancer) rest(out *mechanism.Outbox) {
	out.Charge(n.work)
	n.work = 0
	out.WakeAt(min(n.next, n.layer.Next()))
}

// receiveSeek takes the question of a client. Storage nodes are asked where its user is.
func (n *balancer) receiveSeek(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	if r.Byte() != input.KindSeek {
		return false
	}
	who, u, lost := input.ReadSeek(&r)
	if r.Done() != nil || u == 0 || n.seats.User(m.From) != u {
		return false
	}
	x := search{user: u, node: m.From, who: who, lost: nowhere, replies: nil, until: now + n.config.beat()}
	if i, ok := n.config.serverAt(lost); ok {
		x.lost = i
	}
	if i := slices.IndexFunc(n.seeks, func(y search) bool { return y.user == u }); i >= 0 {
		n.seeks[i].who, n.seeks[i].lost = who, x.lost // it asks again
		return true
	}
	x.replies = make([]bool, n.config.Storage)
	n.seeks = append(n.seeks, x)
	n.buf = wire.AppendUint(append(n.buf[:0], kindLocate), uint64(u))
	for i := range n.config.Storage {
		n.tell(now, n.config.storageNode(i), mechanism.Control, n.buf, out)
	}
	n.work++
	return true
}

// takeLocated takes where a storage node has objects of a user.
func (n *balancer) takeLocated(now world.Time, storage int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	u, found, box := readLocated(r)
	if r.Done() != nil {
		return false
	}
	i := slices.IndexFunc(n.seeks, func(x search) bool { return x.user == u })
	if i < 0 {
		return true
	}
	x := &n.seeks[i]
	switch x.replies[storage] = true; {
	case found && x.found:
		x.box = x.box.Union(box)
	case found:
		x.found, x.box = true, box
	}
	for j, replied := range x.replies {
		if !replied && n.inTouch(n.config.storageNode(j)) {
			return true
		}
	}
	n.answer(now, i, out)
	return true
}

// answer tells a client its server, and the other balancers of that. Where there is none it has to ask again.
func (n *balancer) answer(now world.Time, at int, out *mechanism.Outbox) {
	x := n.seeks[at]
	n.seeks = slices.Delete(n.seeks, at, at+1)
	view := assignment.Nowhere
	if x.found {
		view = n.place.ViewOf(n.session.World.Schema().Bounds, x.box.Grow(n.reach))
	}
	server, ok := n.leases.Grant(now, x.user, view, x.lost)
	n.work++
	if !ok {
		return
	}
	n.sayLeased(now, x.user, view, server, out)
	n.buf = input.AppendPlace(n.buf[:0], input.KindPlace, x.who.Tag(), n.config.serverNode(server))
	out.Send(x.node, mechanism.Control, n.buf)
}

// sayLeased tells the other balancers that a client has been sent to a server.
func (n *balancer) sayLeased(now world.Time, u world.User, v assignment.View, server int, out *mechanism.Outbox) {
	n.buf = appendView(wire.AppendUint(append(n.buf[:0], kindLeased), uint64(u)), v)
	n.buf = wire.AppendUint(n.buf, uint64(server))
	for i := range n.config.Balancers {
		if id := n.config.balancerNode(i); id != n.self {
			n.tell(now, id, mechanism.Control, n.buf, out)
		}
	}
}

// takeLeased takes that another balancer has sent a client to a server.
func (n *balancer) takeLeased(now world.Time, r *wire.Reader) (sound bool) {
	u, v := world.User(r.UintMax(1<<32-1)), readView(r, n.place.Blocks)
	server := int(r.UintMax(serversMax))
	if r.Done() != nil || server >= n.config.Servers || u == 0 || u > n.seats.Users() {
		return false
	}
	if n.leases.Map.Open(server) {
		n.leases.Note(now, u, v, server)
	}
	return true
}

// Deliver takes a message over a link.
func (n *balancer) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	server, isServer := n.config.serverAt(m.From)
	storage, isStorage := n.config.storageAt(m.From)
	switch {
	case kind == kindMeeting:
		return n.takeMeeting(now, m.From, &r, out)
	case kind == kindReport && isServer:
		return n.takeReport(server, &r)
	case kind == kindAppraise && isServer:
		return n.takeAppraise(now, server, &r, out)
	case kind == kindLocated && isStorage:
		return n.takeLocated(now, storage, &r, out)
	case kind == kindLeased && !isServer && !isStorage:
		return n.takeLeased(now, &r)
	}
	return false
}

// takeReport takes what has become of a server's clients.
func (n *balancer) takeReport(server int, r *wire.Reader) (sound bool) {
	var p report
	p.changes = n.changes[:0]
	p.read(r)
	n.changes = p.changes
	if r.Done() != nil {
		return false
	}
	if p.anew {
		n.leases.Bury(server)
		n.leases.Map.Raise(server)
	}
	n.leases.Map.Retire(server, p.retiring)
	for _, u := range p.came {
		n.leases.Confirm(u)
	}
	n.leases.Map.Change(server, p.changes)
	n.leases.Map.Report(server, p.clients, fixed.Ratio(int64(p.load), 100), 0)
	n.work += world.Work(1 + len(p.changes)/16)
	return true
}

// takeAppraise takes some of a server's clients, and says which of them had better be with another.
func (n *balancer) takeAppraise(now world.Time, server int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	for r.Len() > 0 {
		u, v := world.User(r.UintMax(1<<32-1)), readView(r, n.place.Blocks)
		if r.Failed() || u == 0 || u > n.seats.Users() {
			return false
		}
		n.work++
		to, better := n.leases.Map.Better(v, server)
		if !better || to == server {
			continue
		}
		n.leases.Note(now, u, v, to)
		n.sayLeased(now, u, v, to, out)
		n.buf = wire.AppendUint(wire.AppendUint(append(n.buf[:0], kindMove), uint64(u)), uint64(to))
		n.tell(now, n.config.serverNode(server), mechanism.Control, n.buf, out)
	}
	return true
}

// begins implements talker. A server says everything anew.
func (n *balancer) begins(world.Time, mechanism.NodeID, bool, *mechanism.Outbox) {}

// loses implements talker.
func (n *balancer) loses(_ world.Time, with mechanism.NodeID, _ *mechanism.Outbox) {
	if server, ok := n.config.serverAt(with); ok {
		n.leases.Bury(server)
	}
}

// Heat implements mechanism.Placing.
func (n *balancer) Heat(dst []mechanism.Heat) []mechanism.Heat {
	n.heats = n.leases.Map.Heats(n.heats[:0])
	for _, h := range n.heats {
		dst = append(dst, mechanism.Heat{
			Box: n.place.Box(n.session.World.Schema().Bounds, h.Block), Views: h.Views, Server: n.config.serverNode(h.Server), Most: h.Most, Servers: h.Servers,
		})
	}
	return dst
}

// Bytes is the memory that the node's structures hold.
func (n *balancer) Bytes() int {
	return n.layer.Bytes() + n.leases.Map.Bytes() + n.leases.Pending()*40 + cap(n.seeks)*int(unsafe.Sizeof(search{}))
}

package aos

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

// arrange sees to it that everybody is told of the area who is to be, once a turn.
func (n *server) arrange(now world.Time, out *mechanism.Outbox) {
	defer n.rotate(now, out)
	if n.publisher.everyone() {
		for _, x := range n.members.All() {
			n.arrangeFor(now, x, out)
		}
		return
	}
	for _, u := range n.publisher.users {
		n.arrangeFor(now, n.members.Of(u), out)
	}
	for i := len(n.desk.told) - 1; i >= 0; i-- { // backwards, since it may be taken out
		n.arrangeFor(now, n.members.Of(n.desk.told[i]), out)
	}
}

// rotate has another node of a forwarding pool tell a client. It is one client's turn at a time: who is told anew is told everything.
func (n *server) rotate(now world.Time, out *mechanism.Outbox) {
	d := &n.desk
	if !n.config.Pool || n.config.Rotate == 0 || len(d.told) == 0 || now < d.rotates {
		return
	}
	d.rotates = now + n.config.Rotate/world.Time(len(d.told))
	d.next = (d.next + 1) % len(d.told)
	x := n.members.Of(d.told[d.next])
	if node := n.teller(); node != x.told.node {
		n.tell(now, x, node, out)
	}
}

// arrangeFor decides whether and by whom a client is told of the area.
func (n *server) arrangeFor(now world.Time, x *member, out *mechanism.Outbox) {
	if x == nil {
		return
	}
	tick := n.replica.tick()
	if n.publisher.concerns(x.User) && !x.simulates {
		x.absent = tick
	}
	lasts := world.TicksIn(lingers, n.pace.Tick)
	switch wanted := !x.simulates && tick-x.absent < lasts; {
	case wanted && x.told.node == 0 && x.absent == tick:
		n.tell(now, x, n.teller(), out)
	case !wanted && x.told.node != 0:
		n.tell(now, x, 0, out)
	}
}

// lingers is how long a client is still told of an area in which there is nothing for its user to see any more, so that it
// hears of what has left, and need not begin anew when something comes back.
const lingers = 2 * world.Second

// tell has a node tell a client of the area from now on, or nobody.
func (n *server) tell(now world.Time, x *member, node mechanism.NodeID, out *mechanism.Outbox) {
	n.silence(now, x, out)
	x.told.number++
	x.told.node = node
	at, known := slices.BinarySearch(n.desk.told, x.User)
	switch {
	case node == 0:
		n.desk.told = slices.Delete(n.desk.told, at, at+1)
	case !known:
		n.desk.told = slices.Insert(n.desk.told, at, x.User)
	}
	switch node {
	case 0:
	case n.self:
		n.publisher.admit(x.Node, x.User, x.told.number)
	default:
		n.send(now, node, mechanism.Control, appendTelling(n.buf[:0], kindServe, telling{x.told.number, x.Node}), out)
	}
	n.send(now, x.Node, mechanism.Control, appendTelling(n.buf[:0], kindSource, x.told), out)
}

// silence has whoever tells a client of the area cease to.
func (n *server) silence(now world.Time, x *member, out *mechanism.Outbox) {
	switch x.told.node {
	case 0:
	case n.self:
		n.publisher.dismiss(x.User)
	default:
		if t := n.members.At(x.told.node); t != nil && t.simulates {
			n.send(now, x.told.node, mechanism.Control, appendTelling(n.buf[:0], kindServe, telling{0, x.Node}), out)
		}
	}
}

// teller picks who tells the next client of the area: with a forwarding pool the server and all who simulate the area in turn.
func (n *server) teller() mechanism.NodeID {
	if !n.config.Pool {
		return n.self
	}
	n.desk.turn = (n.desk.turn + 1) % (len(n.members.simulating) + 1)
	if n.desk.turn == 0 {
		return n.self
	}
	return n.members.simulating[n.desk.turn-1]
}

// reassign finds others to do what a client did that no longer simulates the area.
func (n *server) reassign(now world.Time, gone mechanism.NodeID, out *mechanism.Outbox) {
	for _, u := range n.desk.told {
		if x := n.members.Of(u); x.told.node == gone {
			n.tell(now, x, n.teller(), out)
		}
	}
}

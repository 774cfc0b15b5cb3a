package zonal

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// orders are actions that change what somebody else answers for. Whoever answers for something carries out the share of an action that
// changes it; who acts sends the action to all of them, again until they say that they have it.
type orders struct {
	next    uint64
	pending []order
	reach   world.Footprint
	action  world.Action // somebody's
	to      []mechanism.NodeID
	taken   recent[arrivals] // which orders of whom have come
}

type order struct {
	to     mechanism.NodeID
	number uint64
	action world.Action
	due    world.Time
	tries  int
}

const (
	ordersMax = 256 // that may wait for an answer
	triesMax  = 8
)

// command sends an action to all who answer for something that it changes, but this node.
func (n *node) command(now world.Time, a *world.Action, out *mechanism.Outbox) {
	x := &n.orders
	x.reach.Reset()
	n.world.Reach(n.state, a, &x.reach)
	x.to = x.to[:0]
	for _, id := range x.reach.Writes {
		o := n.state.Get(id)
		if o == nil || n.mine(o) {
			continue
		}
		to := hybridOf(n.zoneOf(o))
		if u := n.owner(o); u != 0 {
			to = n.seats.Node(u)
		}
		if to == n.id || len(x.pending) == ordersMax || x.has(to) {
			continue
		}
		x.to = append(x.to, to)
		x.pending = append(x.pending, order{to: to, number: x.next, action: *a, due: now})
		x.next++
	}
	n.remind(now, out)
}

func (x *orders) has(to mechanism.NodeID) bool {
	for _, id := range x.to {
		if id == to {
			return true
		}
	}
	return false
}

// remind sends the orders that are due.
func (n *node) remind(now world.Time, out *mechanism.Outbox) {
	kept := n.orders.pending[:0]
	for _, o := range n.orders.pending {
		if o.due <= now {
			if o.tries == triesMax {
				continue // nobody is there
			}
			o.tries++
			o.due = now + n.config.Resend
			n.buf = world.AppendAction(appendKind(n.buf[:0], kindOrder, o.number), &o.action)
			out.Send(o.to, mechanism.Command, n.buf)
			out.Count(mechanism.Command, 1)
			out.Charge(1)
		}
		kept = append(kept, o)
	}
	n.orders.pending = kept
}

// obey carries out somebody's order, as far as it concerns what this node answers for, and says so.
func (n *node) obey(now world.Time, m mechanism.Message, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number, a := r.UintMax(number), &n.orders.action
	*a = world.ReadAction(r)
	if r.Done() != nil || a.Verb == world.Enter || a.Verb == world.Leave || n.schema.CheckAction(a) != nil {
		return false
	}
	if a.User == 0 || n.seats.User(m.From) != a.User {
		return true
	}
	came, known := n.orders.taken.get(m.From)
	if !known {
		came.last = number
	}
	if !known || came.take(number) {
		n.orders.taken.set(m.From, came)
		n.catchUp(now)
		n.do(a)
		out.Charge(n.window.TakeWork())
	}
	n.say(m.From, kindDone, number, out)
	return true
}

// done takes that somebody has an order.
func (n *node) done(from mechanism.NodeID, number uint64) {
	kept := n.orders.pending[:0]
	for _, o := range n.orders.pending {
		if o.to != from || o.number != number {
			kept = append(kept, o)
		}
	}
	n.orders.pending = kept
}

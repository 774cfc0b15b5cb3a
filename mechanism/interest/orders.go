package interest

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// order is an action that waits to be carried out.
type order struct {
	action world.Action
	origin int   // the area whose server answers for it
	hops   uint8 // how often it was passed on
	drop   bool  // it is to be answered, but not carried out
}

// hopsMax is how often an action is passed on before it is carried out wherever it is, to no effect if need be.
const hopsMax = 8

// route queues the action at hand if its target is here, or passes it on to where that is.
func (n *server) route(now world.Time, out *mechanism.Outbox) {
	o := &n.order
	if to := n.destination(o); to != n.area && !o.drop {
		o.hops++
		n.buf = appendForward(n.buf[:0], o)
		n.layer.Send(now, n.servers.Of(to), mechanism.Command, n.buf, link.Ordered, out)
		out.Count(mechanism.Command, 1)
		return
	}
	n.queue = append(n.queue, *o)
}

// destination is the area where an action is to be carried out: here, if it is not known where else.
func (n *server) destination(o *order) int {
	if o.hops >= hopsMax {
		return n.area
	}
	if to, ok := n.holder(area.Target(n.session.World, n.state, &o.action, &n.reach)); ok {
		return to
	}
	return n.area
}

// receiveForward takes an action that another server has passed on.
func (n *server) receiveForward(now world.Time, r *wire.Reader, out *mechanism.Outbox) bool {
	n.order = readForward(r)
	o, a := &n.order, &n.order.action
	if r.Done() != nil || o.origin >= n.servers.Count || a.Verb == world.Enter || a.Verb == world.Leave ||
		n.session.World.Schema().CheckAction(a) != nil {
		return false
	}
	n.route(now, out)
	return true
}

// execute carries out the actions that have come for a tick.
func (n *server) execute(now world.Time, out *mechanism.Outbox) {
	sortOrders(n.queue)
	for i := range n.queue {
		o := &n.queue[i]
		a := &o.action
		if !o.drop {
			n.do(a)
			n.members.acted(a.User, a.Seq)
			out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.tick)})
		}
		if o.origin == n.area {
			n.members.settle(a.User, a.Seq, n.tick)
			continue
		}
		n.buf = appendDone(n.buf[:0], a.User, a.Seq)
		n.layer.Send(now, n.servers.Of(o.origin), mechanism.Control, n.buf, link.Reliable, out)
	}
	n.queue = n.queue[:0]
}

package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/input"
	"throng/world"
	"throng/world/wire"
)

// hopsMax is how often an action is passed on before it is given up. Its origin then passes it on again.
const hopsMax = 8

// forward is an action that was passed on and has not been answered.
type forward struct {
	order
	due   world.Time // when to pass it on again
	tries int
}

// triesMax is how often an action waits whose target is not known. It may be on its way from one server to another; if it is not
// heard of by then, there is none.
const triesMax = 2

// receiveInput takes what a client has received and what its user does.
func (n *server) receiveInput(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	input.ReadInput(r, &n.in)
	if r.Done() != nil {
		return false
	}
	m := n.members.At(from)
	if m == nil {
		n.disown(from, n.in.Tag, out)
		return true
	}
	if n.pending(m.User) {
		n.in.Actions = n.in.Actions[:0] // it is not known yet what was done before; the client repeats them
	}
	fresh, sound := m.Take(now, &n.in, n.session.World.Schema())
	for i := range fresh {
		a := &fresh[i]
		m.Open(a.Seq)
		if n.did.Get(a.User).has(a.Seq) {
			m.Settle(a.Seq, n.shownAt) // another server has carried it out
			continue
		}
		if !m.Allow(n.tick, n.config.Actions) {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
			m.Settle(a.Seq, n.shownAt)
			continue
		}
		n.route(now, forward{order: order{action: *a, origin: n.number}}, out)
	}
	return sound
}

// route carries an action out if what it is done to is this server's, or passes it on to the one whose that is.
func (n *server) route(now world.Time, o forward, out *mechanism.Outbox) {
	to, target := n.destination(&o.order)
	unknown := to == nowhere && n.replica.State.Get(target) == nil && n.watcher.complete() && !n.offered(target)
	if unknown && o.tries >= triesMax {
		to = n.number
	}
	switch {
	case to == n.number:
		n.execute(now, &o.order, target, out)
		return
	case to != nowhere && o.hops < hopsMax:
		o.hops++
		n.buf = o.order.append(n.buf[:0])
		n.tell(now, n.config.serverNode(to), mechanism.Command, n.buf, out)
		out.Count(mechanism.Command, 1)
	}
	if o.origin == n.number {
		o.due = now + n.config.Lease/2
		if o.tries++; !unknown {
			o.tries = 0
		}
		n.await(o)
	}
}

// await notes that an action of a client of this server's was passed on, once however often it comes back.
func (n *server) await(f forward) {
	i := slices.IndexFunc(n.forwards, func(g forward) bool { return g.action.User == f.action.User && g.action.Seq == f.action.Seq })
	switch {
	case i >= 0:
		n.forwards[i] = f
	case n.members.Of(f.action.User) != nil:
		n.forwards = append(n.forwards, f)
	}
}

// nowhere is where an action goes whose server is not known: it waits.
const nowhere = -1

// destination is the server that is to carry an action out, and what it is done to.
func (n *server) destination(o *order) (server int, target world.ID) {
	target = area.Target(n.session.World, n.replica.State, &o.action, &n.reach)
	if target == 0 && len(n.reach.Writes) > 0 {
		target = n.reach.Writes[0]
	}
	x, ok := n.copies.Get(target)
	switch {
	case n.owns(target) || !ok && n.replica.State.Get(target) != nil: // or it has just come to be
		return n.number, target
	case ok && x.holder != n.number && n.inTouch(n.config.serverNode(x.holder)):
		return x.holder, target
	case target != 0:
		return nowhere, target
	}
	return n.number, target
}

// execute carries an action out, whose footprint has just been found. What it changes of other servers' objects they are asked to change.
func (n *server) execute(now world.Time, o *order, target world.ID, out *mechanism.Outbox) {
	a := &o.action
	done := act{a.User, a.Seq, target}
	if did := n.did.Get(a.User); !did.has(a.Seq) {
		n.act = *a
		n.lend()
		n.replica.Do(&n.act)
		n.collect(now, out)
		n.acted(done)
		out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.tick)})
	}
	n.writer.acted(done, o.origin)
}

// acted notes that an action was carried out.
func (n *server) acted(a act) {
	did := n.did.Get(a.user)
	did.note(a.seq)
	n.did.Set(a.user, did)
	n.last.Set(a.user, did.high)
}

// takeForward takes an action that another server has passed on.
func (n *server) takeForward(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	o := readOrder(r)
	a := &o.action
	if r.Done() != nil || o.origin >= n.config.Servers || a.Verb == world.Enter || a.Verb == world.Leave ||
		a.User > n.members.Seats().Users() || n.session.World.Schema().CheckAction(a) != nil {
		return false
	}
	n.route(now, forward{order: o}, out)
	return true
}

// takeDone takes that an action which was passed on has been dealt with.
func (n *server) takeDone(r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	u, seq := readPair(r)
	is, won := requested(u)
	var id world.ID
	if is {
		id = world.ID(r.Uint())
	}
	if r.Done() != nil {
		return false
	}
	if is {
		n.answered(id, seq, won, out)
	} else {
		n.done(u, seq, n.shownAt) // no later than what the client is told of
	}
	return true
}

// done notes that an action of one of this server's clients has been dealt with, and that this will last.
func (n *server) done(u world.User, seq uint32, at world.Tick) {
	n.forwards = slices.DeleteFunc(n.forwards, func(f forward) bool { return f.action.User == u && f.action.Seq == seq })
	if m := n.members.Of(u); m != nil {
		m.Settle(seq, at)
	}
}

// urge passes actions on again that were not answered: the server they went to may have failed.
func (n *server) urge(now world.Time, out *mechanism.Outbox) {
	for i := len(n.forwards) - 1; i >= 0; i-- {
		f := n.forwards[i]
		if now < f.due {
			continue
		}
		n.forwards = slices.Delete(n.forwards, i, i+1)
		if n.members.Of(f.action.User) != nil {
			f.hops = 0
			n.route(now, f, out)
		}
	}
}

// disclose tells of something that is stored now: clients of an object, the origin of an action that it was carried out.
func (n *server) disclose(now world.Time, e *effect, out *mechanism.Outbox) {
	is, won := requested(e.user)
	switch {
	case is && e.origin == n.number:
		n.answered(e.object.ID, e.action, won, out)
	case e.user != 0 && e.origin == n.number:
		n.done(e.user, e.action, e.tick)
	case e.user != 0:
		n.buf = wire.AppendUint(append(n.buf[:0], kindDone), uint64(e.user))
		n.buf = wire.AppendUint(n.buf, uint64(e.action))
		if is {
			n.buf = wire.AppendUint(n.buf, uint64(e.object.ID))
		}
		n.tell(now, n.config.serverNode(e.origin), mechanism.Control, n.buf, out)
	case e.gone:
		if n.replica.State.Get(e.object.ID) == nil {
			n.hide(e.object.ID)
		}
	case n.replica.State.Get(e.object.ID) != nil:
		n.show(&e.object, e.action)
	}
}

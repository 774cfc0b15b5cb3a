package optimistic

import (
	"throng/mechanism"
	"throng/mechanism/link"
	"throng/world"
)

// clean says that nothing in the past waits to be mended.
const clean world.Tick = 1<<63 - 1

// node is one peer. It implements mechanism.Client, Lagging and Sized.
type node struct {
	session *mechanism.Session
	place   mechanism.Place
	others  []mechanism.NodeID
	link    *link.Layer
	length  world.Time // of a tick
	lag     world.Tick // from an action to its effect
	ahead   world.Tick // how far before its time an action is believed

	tick        world.Tick // what the view shows
	dirty       world.Tick // the earliest tick that has new inputs since it was last carried out, or clean
	replica     mechanism.Replica
	history     history
	checkpoints checkpoints
	seen        []seen // by user

	untold []mechanism.Event // what happened while nobody was there to be told
	buf    []byte
}

func newNode(c *Config, s *mechanism.Session, p mechanism.Place) *node {
	length := s.World.Schema().Tick
	reach := world.TicksIn(c.History, length)
	n := &node{
		session: s,
		place:   p,
		others:  s.Others(p.ID),
		link:    link.New(c.Link, p.ID, s.Epoch),
		length:  length,
		lag:     world.TicksIn(c.LocalLag, length),
		ahead:   reach,
		tick:    s.Start.Tick(),
		dirty:   clean,
		replica: mechanism.NewReplica(s.World, s.Start),
		// The oldest checkpoint is at most twice the reach old, and actions are believed as far ahead.
		history: newHistory(3*reach + 1),
		seen:    make([]seen, s.World.Users()+1),
	}
	n.history.first = n.tick
	n.checkpoints = newCheckpoints(c.States, reach, n.replica.State)
	return n
}

// Receive implements mechanism.Node.
func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if n.userOf(m.From) == 0 {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(out)
}

// Wake implements mechanism.Node.
func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	for reached := mechanism.TickAt(now, n.length); n.tick < reached; {
		n.step()
	}
	n.finish(out)
}

// Act implements mechanism.Client. The action takes effect at the tick that the user sees, or after the local lag.
func (n *node) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	t := n.tick + n.lag
	v := refused
	if n.valid(n.place.User, t, &a) {
		v = n.enter(t, &a)
	}
	switch v {
	case refused: // as others would, so that the worlds do not part
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
	case inserted, appended:
		n.buf = appendInput(n.buf[:0], t, &a)
		n.link.SendAll(now, n.others, mechanism.Command, n.buf, link.Reliable, out)
	}
	n.settle() // so that the effect is reported now, since the user sees it now
	n.finish(out)
}

// View implements mechanism.Client.
func (n *node) View() *world.State {
	n.settle()
	return n.replica.State
}

// Lag implements mechanism.Lagging.
func (n *node) Lag() world.Time { return mechanism.TimeOf(n.lag, n.length) }

// Bytes implements mechanism.Sized.
func (n *node) Bytes() int {
	return n.replica.State.Bytes() + n.history.bytes() + n.link.Bytes() + len(n.seen)*(seenSize/8+8)
}

// Deliver implements link.Handler: another user's action has come.
func (n *node) Deliver(_ world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	t, a, err := readInput(m.Payload)
	if err != nil || !n.valid(n.userOf(m.From), t, &a) {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return false
	}
	if by := n.checkpoints.oldest() - t; by > 0 {
		out.Report(mechanism.Event{Name: mechanism.Late, User: a.User, Seq: a.Seq, Value: int64(mechanism.TimeOf(by, n.length))})
		return true
	}
	if n.enter(t, &a) == refused {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
	}
	return true
}

// userOf returns whose actions another node may send, or zero where it may send none.
func (n *node) userOf(id mechanism.NodeID) world.User {
	places := n.session.Places
	if i := int(id) - 1; id != n.place.ID && i >= 0 && i < len(places) {
		return places[i].User
	}
	return 0
}

// valid reports whether a user can have taken an action for a tick.
func (n *node) valid(u world.User, t world.Tick, a *world.Action) bool {
	return a.User == u && t <= n.tick+n.ahead && n.session.World.Schema().CheckAction(a) == nil
}

// enter puts an action into its place in time. If that is now and after all others, it is carried out at once; if it is in
// the past, this waits until somebody looks, since more may come.
func (n *node) enter(t world.Tick, a *world.Action) verdict {
	if n.seen[a.User].has(a.Seq) {
		return duplicate
	}
	at, v := n.history.insert(t, a)
	if v == refused || v == duplicate {
		return v
	}
	n.seen[a.User].add(a.Seq)
	switch {
	case t > n.tick:
	case t == n.tick && v == appended && n.dirty == clean:
		n.do(at)
	default:
		n.dirty = min(n.dirty, t)
	}
	return v
}

// step lets a tick pass.
func (n *node) step() {
	n.settle()
	n.replica.Advance()
	n.tick++
	n.checkpoints.add(n.replica.State)
	n.history.discard(n.checkpoints.oldest())
	n.doAll()
}

// settle mends the past: it goes back to the last checkpoint from before the new inputs, and from there to where it was.
// Checkpoints on the way are taken anew.
func (n *node) settle() {
	if n.dirty == clean {
		return
	}
	next := n.checkpoints.before(n.dirty)
	n.dirty = clean
	n.replica.Restore(n.checkpoints.states[next])
	n.tell(mechanism.Event{Name: mechanism.Rollback, Value: int64(n.tick - n.replica.State.Tick())})
	for next++; n.replica.State.Tick() < n.tick; {
		n.doAll()
		n.replica.Advance()
		if next < len(n.checkpoints.states) && n.checkpoints.states[next].Tick() == n.replica.State.Tick() {
			n.checkpoints.states[next].CopyFrom(n.replica.State)
			next++
		}
	}
	n.doAll()
}

// doAll carries out the inputs of the tick that the replica has reached.
func (n *node) doAll() {
	for at := *n.history.tick(n.replica.State.Tick()); at != 0; at = n.history.input(at).next {
		n.do(at)
	}
}

// do carries out one input.
func (n *node) do(at int32) {
	x := n.history.input(at)
	n.replica.Do(&x.action)
	if !x.applied {
		x.applied = true
		n.tell(mechanism.Event{Name: mechanism.Applied, User: x.action.User, Seq: x.action.Seq})
	}
}

// tell notes an event. View has nobody to report to, so that events wait for the next call that has.
func (n *node) tell(e mechanism.Event) { n.untold = append(n.untold, e) }

// finish ends a call: it reports, charges, and asks to be woken for the next tick or by the link.
func (n *node) finish(out *mechanism.Outbox) {
	for _, e := range n.untold {
		out.Report(e)
	}
	n.untold = n.untold[:0]
	out.Charge(n.replica.Window.TakeWork())
	out.WakeAt(min(mechanism.TimeOf(n.tick+1, n.length), n.link.Next()))
}

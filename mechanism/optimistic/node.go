package optimistic

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/wire"
)

// clean says that nothing in the past waits to be mended.
const clean world.Tick = 1<<63 - 1

// node is one peer. It implements mechanism.Client, Lagging, Arriving and Sized.
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
	replica     *memo.Follower
	work        world.Work // done since it was last charged
	run         func(*world.Window, []byte)
	input       []byte       // of the replica's next step
	action      world.Action // being carried out; here, since rules are handed a pointer to it
	history     history
	checkpoints checkpoints
	seen        []seen // by user

	newcomer  *latejoin.Newcomer // while the node has no world
	cover     *world.State       // what the view shows instead, until the node is ready
	joined    world.Tick         // when it got its world
	strangers []mechanism.NodeID // whom it has yet to compare with
	compareAt world.Time         // when to ask them
	compared  []world.Time       // by user: when it last answered their node
	guide     latejoin.Guide

	untold []mechanism.Event // what happened while nobody was there to be told
	buf    []byte
}

var (
	_ mechanism.Arriving = (*node)(nil)
	_ mechanism.Lagging  = (*node)(nil)
	_ mechanism.Sized    = (*node)(nil)
)

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
		replica: s.Shared.Follow(0, s.Start),
		// The oldest checkpoint is at most twice the reach old, and actions are believed as far ahead.
		history:  newHistory(3*reach + 1),
		seen:     make([]seen, s.World.Users()+1),
		compared: make([]world.Time, s.World.Users()+1),
	}
	n.history.first = n.tick
	n.run = n.perform
	n.link.Expect(func(id mechanism.NodeID) bool { return n.userOf(id) != 0 })
	n.checkpoints = newCheckpoints(c.States, reach, n.replica)
	n.seen[p.User].epoch = s.Epoch
	if s.Late {
		n.newcomer = latejoin.NewNewcomer(p.ID, s.Epoch, n.others)
		n.cover = n.replica.State().Detach()
	}
	return n
}

// Receive implements mechanism.Node.
func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if n.userOf(m.From) == 0 {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(now, out)
}

// Wake implements mechanism.Node.
func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	n.guide.Tidy(now)
	switch {
	case n.newcomer != nil:
		if n.newcomer.Lost() {
			n.restart(now, out)
		}
	case !n.Ready():
		n.catchUp(now)
	default:
		for reached := mechanism.TickAt(now, n.length); n.tick < reached; {
			n.step()
		}
	}
	n.finish(now, out)
}

// Act implements mechanism.Client. The action takes effect at the tick that the user sees, or after the local lag.
func (n *node) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	x := news{tick: n.tick + n.lag, action: a, epoch: n.session.Epoch}
	v := refused
	if a.User == n.place.User && n.valid(&x) {
		v = n.enter(&x)
	}
	switch v {
	case refused: // as others would, so that the worlds do not part
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
	case inserted, appended:
		n.tellOthers(now, &x, out)
	}
	n.settle() // so that the effect is reported now, since the user sees it now
	n.finish(now, out)
}

func (n *node) tellOthers(now world.Time, x *news, out *mechanism.Outbox) {
	n.buf = x.append(n.buf[:0])
	n.link.SendAll(now, n.others, mechanism.Command, n.buf, link.Reliable, out)
	out.Count(mechanism.Command, len(n.others))
}

// View implements mechanism.Client.
func (n *node) View() *world.State {
	if !n.Ready() {
		return n.cover
	}
	n.settle()
	return n.replica.State()
}

// Lag implements mechanism.Lagging.
func (n *node) Lag() world.Time { return mechanism.TimeOf(n.lag, n.length) }

// Bytes implements mechanism.Sized.
func (n *node) Bytes() int {
	return n.replica.Bytes() + n.checkpoints.bytes(n.replica.State()) + n.history.bytes() + n.link.Bytes() + n.guide.Bytes() + len(n.seen)*(seenSize/8+8)
}

// Deliver implements link.Handler.
func (n *node) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	sound := false
	switch m.Class {
	case mechanism.Command:
		if n.newcomer != nil {
			return true // there is nothing to put it into; it comes again when the two nodes compare
		}
		sound = n.takeNews(now, m, out)
	case mechanism.Control:
		sound = n.takeControl(now, m, out)
	case mechanism.Snapshot:
		sound = n.takeChunk(now, m)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// takeNews puts an action of another node's user into its place, or one of a predecessor of this node, which others may not
// have heard of.
func (n *node) takeNews(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	x, err := readNews(m.Payload)
	if err != nil || !n.mayTell(n.userOf(m.From), &x) || !n.valid(&x) {
		return false
	}
	user, seq := x.action.User, x.action.Seq
	if by := n.checkpoints.oldest() - x.tick; by > 0 {
		out.Report(mechanism.Event{Name: mechanism.Late, User: user, Seq: seq, Value: int64(mechanism.TimeOf(by, n.length))})
		return true
	}
	switch v := n.enter(&x); {
	case v == refused:
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: user, Seq: seq})
	case v != duplicate && user == n.place.User:
		n.tellOthers(now, &x, out)
	}
	return true
}

// mayTell reports whether a user's node may tell of an action, and fills in its epoch if it was not given: it is the user's
// own, from this epoch or an earlier one, or was taken by a predecessor of this node.
func (n *node) mayTell(u world.User, x *news) bool {
	switch {
	case !x.old:
		x.epoch = n.seen[u].epoch
		return x.action.User == u
	case x.action.User == n.place.User:
		return x.epoch < n.session.Epoch
	}
	return x.action.User == u && x.epoch < n.seen[u].epoch
}

// takeControl takes a message from or to a newcomer.
func (n *node) takeControl(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch kind := r.Byte(); kind {
	case controlAsk:
		return n.guideNewcomer(now, m.From, r.Rest(), out)
	case controlCompare, controlAnswer:
		c, err := readComparison(kind, &r)
		if err == nil {
			n.compare(now, m.From, &c, out)
		}
		return err == nil
	}
	return false
}

// userOf returns whose actions another node may send, or zero where it may send none.
func (n *node) userOf(id mechanism.NodeID) world.User {
	places := n.session.Places
	if i := int(id) - 1; id != n.place.ID && i >= 0 && i < len(places) {
		return places[i].User
	}
	return 0
}

// valid reports whether an action makes sense, and for its tick.
func (n *node) valid(x *news) bool {
	return x.tick <= max(n.tick, n.joined)+n.ahead && n.session.World.Schema().CheckAction(&x.action) == nil
}

// enter puts an action into its place in time. If that is now and after all others, it is carried out at once; if it is in
// the past, this waits until somebody looks, since more may come.
func (n *node) enter(x *news) verdict {
	t, known := x.tick, &n.seen[x.action.User]
	if known.has(x.epoch, x.action.Seq) {
		return duplicate
	}
	at, v := n.history.insert(t, &x.action, x.epoch)
	if v == refused || v == duplicate {
		return v
	}
	known.add(x.epoch, x.action.Seq)
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
	n.advance()
	n.tick++
	n.checkpoints.add(n.replica)
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
	n.replica.Visit(n.checkpoints.states[next])
	n.tell(mechanism.Event{Name: mechanism.Rollback, Value: int64(n.tick - n.replica.State().Tick())})
	for next++; n.replica.State().Tick() < n.tick; {
		n.doAll()
		n.advance()
		if next < len(n.checkpoints.states) && n.checkpoints.tick(next) == n.replica.State().Tick() {
			n.checkpoints.states[next].Visit(n.replica)
			next++
		}
	}
	n.doAll()
}

// doAll carries out the inputs of the tick that the replica has reached.
func (n *node) doAll() {
	n.input = append(n.input[:0], stepAct)
	for at := *n.history.tick(n.replica.State().Tick()); at != 0; at = n.history.input(at).next {
		n.note(at)
	}
	if len(n.input) > 1 {
		n.work += n.replica.Step(n.input, n.run)
	}
}

// do carries out one input.
func (n *node) do(at int32) {
	n.input = append(n.input[:0], stepAct)
	n.note(at)
	n.work += n.replica.Step(n.input, n.run)
}

// note adds an input to the replica's next step.
func (n *node) note(at int32) {
	x := n.history.input(at)
	n.input = world.AppendAction(n.input, &x.action)
	if !x.applied {
		x.applied = true
		n.tell(mechanism.Event{Name: mechanism.Applied, User: x.action.User, Seq: x.action.Seq})
	}
}

// advance lets a tick pass for the replica.
func (n *node) advance() {
	n.input = append(n.input[:0], stepAdvance)
	n.work += n.replica.Step(n.input, n.run)
}

// The steps of a replica, by the first byte of what says them.
const (
	stepAdvance = iota // a tick passes
	stepAct            // the actions that follow are carried out
)

// perform is a step of the replica: what it does depends on the state and the input alone.
func (n *node) perform(w *world.Window, input []byte) {
	if input[0] == stepAdvance {
		w.Advance(n.session.World)
		return
	}
	for r := wire.NewReader(input[1:]); r.Len() > 0; {
		n.action = world.ReadAction(&r)
		w.Do(n.session.World, &n.action)
	}
}

// tell notes an event. View has nobody to report to, so that events wait for the next call that has. What a newcomer goes
// through on its way to the present is no news.
func (n *node) tell(e mechanism.Event) {
	if n.Ready() {
		n.untold = append(n.untold, e)
	}
}

// finish ends a call: it reports, charges, and asks to be woken for the next tick or by the link, or to join.
func (n *node) finish(now world.Time, out *mechanism.Outbox) {
	next := mechanism.TimeOf(n.tick+1, n.length)
	switch {
	case n.newcomer != nil:
		n.fetch(now, out)
		next = n.newcomer.Next()
	case len(n.strangers) > 0:
		n.introduce(now, out)
		next = min(next, n.compareAt)
	}
	for _, e := range n.untold {
		out.Report(e)
	}
	n.untold = n.untold[:0]
	out.Charge(n.work)
	n.work = 0
	out.WakeAt(min(next, n.link.Next()))
}

package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/stall"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// server puts actions into an order and says when they are carried out. It has a replica as everybody has, for those who
// join and for comparing others with. It implements mechanism.Simulating and Sized.
type server struct {
	replica
	config  *Config
	session *mechanism.Session
	link    *link.Layer
	started bool

	recovery *latejoin.Recovery // while it knows no world
	members  members
	advances turn.Advances
	queue    []turn.Batch // what users did, for the turn to be closed next and those after it
	budget   stall.Budget
	heldAt   world.Time // up to when it is reckoned who kept everybody waiting
	late     []mechanism.NodeID
	lookAt   world.Time // when to look for those who have been silent for too long
	delaysAt world.Time // when to choose delays anew

	hashes turn.Hashes
	guide  latejoin.Guide

	buf, message []byte
}

var (
	_ mechanism.Authority  = (*server)(nil)
	_ mechanism.Simulating = (*server)(nil)
	_ mechanism.Sized      = (*server)(nil)
)

// Held implements mechanism.Authority.
func (n *server) Held() *world.State { return n.follower.State() }

// Owns implements mechanism.Authority: the server decides about everything.
func (n *server) Owns(world.ID) bool { return true }

func newServer(c *Config, s *mechanism.Session) *server {
	n := &server{
		replica: newReplica(c, s),
		config:  c,
		session: s,
		link:    link.New(c.Link, star.Server, s.Epoch),
		budget:  stall.New(c.Patience-c.Patience/grace, c.Stalling),
	}
	n.bind()
	n.members.Members = membership.NewMembers[*member](star.Seats(s.World), c.Patience)
	n.link.Expect(func(id mechanism.NodeID) bool { m := n.members.At(id); return m != nil && m.phase != absent })
	return n
}

// start begins the world, or, where the run is under way, asks for it.
func (n *server) start(now world.Time) {
	n.started = true
	if n.session.Late {
		n.recovery = latejoin.NewRecovery(star.Server, n.session.Epoch)
		return
	}
	n.slip = mechanism.TimeOf(mechanism.TickAt(now, n.pace.Tick), n.pace.Tick) // a world that begins late is not behind
	n.begin(now, 0)
	delay := turn.Number(n.config.Delay)
	for _, p := range n.session.Places {
		if p.User != 0 {
			n.members.listen(n.members.admit(membership.Member{Node: p.ID, User: p.User}, delay), playing)
			n.advances.Add(p.ID, 0, delay)
		}
	}
}

// begin has turns pass from one on.
func (n *server) begin(now world.Time, first turn.Number) {
	delay := turn.Number(n.config.Delay)
	n.batches.begin(first)
	n.batches.addEmpty(first + delay)
	n.advances.Begin(first + delay)
	n.advances.Add(star.Server, first, delay) // so that nobody gets ahead of the time
	n.heldAt, n.lookAt, n.delaysAt = now, now+n.config.Patience, now+turn.LatencyEvery
}

// Wake implements mechanism.Node.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	if !n.started {
		n.start(now)
	}
	n.holdToAccount(now)
	n.link.Wake(now, n, out)
	n.guide.Tidy(now)
	if n.recovery == nil && now >= n.lookAt {
		n.look(now)
	}
	if n.recovery == nil && n.config.Dynamic && now >= n.delaysAt {
		n.chooseDelays(now, out)
	}
	n.finish(now, out)
}

// Receive implements mechanism.Node.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if star.UserOf(n.world, m.From) == 0 {
		return
	}
	n.holdToAccount(now)
	if x := n.members.At(m.From); x != nil {
		x.spoke = now
	}
	n.link.Receive(now, m, n, out)
	n.finish(now, out)
}

// Deliver implements link.Handler.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	sound := false
	switch kind := r.Byte(); {
	case n.recovery != nil:
		sound = n.hear(now, m, out)
	case kind == kindAdvance:
		sound = n.receiveAdvance(now, m.From, &r, out)
	case kind == kindAsk:
		sound = n.receiveAsk(now, m.From, &r, out)
	case kind == kindJoin:
		sound = n.receiveJoin(now, m.From, &r, out)
	case kind == kindPing:
		sound = n.receivePing(now, m.From, &r, out)
	case kind == kindLeave:
		sound = n.receiveLeave(now, m.From, &r, out)
	case kind == kindClaim, kind == kindChunk:
		sound = true // it knows the world by now
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// receiveAdvance takes what a client's user did in a turn, and that the client is done with it. All of it is checked before any
// of it counts.
func (n *server) receiveAdvance(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	a := n.config.readAdvance(r)
	m := n.members.At(from)
	if r.Done() != nil || m == nil || !n.plausible(m, &a) {
		return false
	}
	if m.phase == absent || m.phase == listening && a.turn+1 < m.first {
		return true // from before it joined
	}
	if m.phase == listening { // it is in step: from now on it is waited for
		m.phase = playing
		n.budget.Welcome(now, from)
		n.advances.Add(from, a.turn, m.delay)
		n.follow(m.delay)
	}
	effect, next := n.advances.Take(from, a.turn)
	if !next {
		return true
	}
	m.Heard = now
	n.reader.Open(a.actions)
	for x := n.reader.Next(); x != nil; x = n.reader.Next() {
		if x.Seq <= m.accepted {
			continue
		}
		m.accepted = x.Seq
		if !n.queued(effect).Add(x) {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: x.User, Seq: x.Seq})
		}
	}
	if n.config.due(a.turn + 1) {
		m.claims.Put(a.turn+1, a.hash)
		n.compare(now, m, a.turn+1, out)
	}
	return true
}

// plausible reports whether a turn-advance makes sense: nobody is done with a turn that nobody knows, and users act for
// themselves, one thing after the other.
func (n *server) plausible(m *member, a *advance) bool {
	if a.turn >= n.batches.next || turn.Check(n.world.Schema(), a.actions) != nil {
		return false
	}
	actions := 0
	n.reader.Open(a.actions)
	for x := n.reader.Next(); x != nil; x = n.reader.Next() {
		if x.User != m.User || x.Seq == 0 {
			return false
		}
		actions++
	}
	return actions <= n.config.Actions
}

// queued are the actions that take effect in a turn which has not been closed.
func (n *server) queued(t turn.Number) *turn.Batch {
	next, _ := n.advances.Next()
	for len(n.queue) <= int(t-next) {
		n.queue = append(n.queue, turn.Batch{})
	}
	return &n.queue[t-next]
}

// finish ends a call: it closes the turns for which everything is there, takes the ticks that are due, and asks to be woken.
func (n *server) finish(now world.Time, out *mechanism.Outbox) {
	if n.recovery != nil {
		if n.awaitWorld(now, out); n.recovery != nil {
			out.WakeAt(min(n.recovery.Next(), n.link.Next()))
			return
		}
	}
	n.close(now, out)
	for n.due() <= now {
		carried, stalled := n.take()
		if stalled > 0 {
			out.Report(mechanism.Event{Name: mechanism.Stalled, Value: int64(stalled)})
		}
		n.tell(carried, out)
		n.slipBy(n.last - (mechanism.TimeOf(n.tick(), n.pace.Tick) + n.slip))
		if n.pace.Begins(n.tick()) {
			n.endTurn(now, out)
			n.close(now, out)
		}
	}
	n.charge(out)
	n.lookInTime(now)
	next := min(n.due(), n.link.Next(), n.lookAt)
	if n.config.Dynamic {
		next = min(next, n.delaysAt)
	}
	out.WakeAt(next)
}

// tell reports what was carried out.
func (n *server) tell(carried []byte, out *mechanism.Outbox) {
	if carried == nil {
		return
	}
	n.reader.Open(carried)
	for a := n.reader.Next(); a != nil; a = n.reader.Next() {
		if a.Seq != 0 {
			out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.tick() - 1)})
		}
	}
}

// slipBy has the world be late for good, as far as it is too late to make up for it.
func (n *server) slipBy(behind world.Time) {
	if excess := behind - slack; excess > 0 {
		n.slip += mechanism.TimeOf(world.TicksIn(excess, n.pace.Tick), n.pace.Tick)
	}
}

// endTurn is what is to be done when a turn is over.
func (n *server) endTurn(now world.Time, out *mechanism.Outbox) {
	next := n.pace.Of(n.tick())
	n.advances.Take(star.Server, next-1)
	if !n.config.due(next) {
		return
	}
	n.hashes.Put(next, n.follower.State().Hash())
	for i := n.members.Len() - 1; i >= 0; i-- {
		n.compare(now, n.members.All()[i], next, out)
	}
}

// close closes turns and tells everybody, as long as everything is there for the next one.
func (n *server) close(now world.Time, out *mechanism.Outbox) {
	for t, complete := n.advances.Next(); complete; t, complete = n.advances.Next() {
		q := n.queued(t)
		class := classOf(q.Len())
		n.buf = q.Append(n.buf[:0])
		n.batches.add(n.buf, now)
		n.batches.drop(min(n.batches.next-batchesKept, n.wants()))
		header := turnsHeader{first: t, agreed: n.agreed(now), slip: world.Tick(n.slip / n.pace.Tick)}
		n.message = wire.AppendBytes(header.append(n.message[:0]), n.buf)
		n.link.SendAll(now, n.members.listeners, class, n.message, link.Ordered, out)
		out.Count(mechanism.Command, q.Len()*len(n.members.listeners))
		n.advances.Close()
		n.shiftQueue()
	}
}

// shiftQueue goes on to the next turn. The first one's memory serves for the last.
func (n *server) shiftQueue() {
	first := n.queue[0]
	first.Reset()
	copy(n.queue, n.queue[1:])
	n.queue[len(n.queue)-1] = first
}

// classOf is the class of a message that carries a number of actions.
func classOf(actions int) mechanism.Class {
	if actions > 0 {
		return mechanism.Command
	}
	return mechanism.Control
}

// Bytes implements mechanism.Sized.
func (n *server) Bytes() int {
	return n.bytes() + n.link.Bytes() + n.guide.Bytes() + cap(n.buf) + cap(n.message) + memberBytes*n.members.Len()
}

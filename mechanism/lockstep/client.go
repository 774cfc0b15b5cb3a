package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// client is a user's node.
type client struct {
	replica
	clock
	config   *Config
	session  *mechanism.Session
	presence membership.Presence
	place    mechanism.Place
	link     *link.Layer
	phase    phase

	mine    turn.Batch  // what the user has done in this turn
	pending []uint32    // the user's actions that have not taken effect, in their order
	delay   turn.Number // from their turn to that of their effect

	newcomer *latejoin.Newcomer     // while it fetches a snapshot
	heeded   world.Time             // when the server last let it in
	until    turn.Number            // it is in step when it knows the turns up to this one
	holds    bool                   // its replica is right, and was in step
	under    uint32                 // the epoch of the server that it has its world of
	guide    latejoin.Guide         // for a server that has lost its memory
	wrong    *world.State           // how the replica was when it had just begun to differ from the server's, while it is repaired
	found    []mechanism.Difference // in what it differed
	buf      []byte
}

var (
	_ mechanism.Arriving   = (*client)(nil)
	_ mechanism.Departing  = (*client)(nil)
	_ mechanism.Differing  = (*client)(nil)
	_ mechanism.Lagging    = (*client)(nil)
	_ mechanism.Lingering  = (*client)(nil)
	_ mechanism.Simulating = (*client)(nil)
	_ mechanism.Sized      = (*client)(nil)
)

func newClient(c *Config, s *mechanism.Session, p mechanism.Place) *client {
	n := &client{
		replica: newReplica(c, s),
		config:  c,
		session: s,
		place:   p,
		link:    link.New(c.Link, p.ID, s.Epoch),
		phase:   playing,
		delay:   turn.Number(c.Delay),
	}
	n.presence = membership.NewPresence(s.Epoch, membership.Times{Repeat: joinEvery})
	n.bind()
	n.link.Expect(star.IsServer)
	n.pinged, n.heeded = longAgo, longAgo
	if s.Late {
		n.fetch()
	} else {
		n.presence.Enter(0)
		n.holds = true
		n.batches.addEmpty(n.delay) // nobody can have acted for them
	}
	return n
}

// Receive implements mechanism.Node.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != star.Server {
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(now, out)
}

// Wake implements mechanism.Node.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	n.finish(now, out)
}

// Act implements mechanism.Client: what the user does goes to the server when the turn is over.
func (n *client) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.goOn(now, out)
	if n.phase == playing && a.User == n.place.User && n.world.Schema().CheckAction(&a) == nil && n.mine.Len() < n.config.Actions {
		n.mine.Add(&a)
		n.pending = append(n.pending, a.Seq)
	} else {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
	}
	n.finish(now, out)
}

// View implements mechanism.Client.
func (n *client) View() *world.State { return n.follower.State() }

// Ready implements mechanism.Arriving.
func (n *client) Ready() bool { return n.phase == playing }

// Lag implements mechanism.Lagging: what the user does now takes effect when the turn begins that is so many later than this.
func (n *client) Lag() world.Time {
	tick := n.tick()
	return mechanism.TimeOf(n.pace.First(n.pace.Of(tick)+n.delay)-tick, n.pace.Tick)
}

// Differences implements mechanism.Differing.
func (n *client) Differences() []mechanism.Difference { return n.found }

// Bytes implements mechanism.Sized.
func (n *client) Bytes() int { return n.bytes() + n.link.Bytes() + n.guide.Bytes() + cap(n.buf) }

// Leave says goodbye, and again until the server has heard it.
func (n *client) Leave(now world.Time, out *mechanism.Outbox) {
	n.presence.Leave(now)
	n.phase, n.newcomer = absent, nil
	n.finish(now, out)
}

// Gone implements mechanism.Lingering.
func (n *client) Gone() bool { return n.presence.Gone() }

// speak says what is due about the client's being there: that it has a world, or goodbye.
func (n *client) speak(now world.Time, out *mechanism.Outbox) {
	switch n.presence.Poll(now) {
	case membership.Join:
		j := join{n.presence.Identity, n.batches.next, n.under}
		n.say(now, mechanism.Control, j.append(n.buf[:0]), link.Unreliable, out)
	case membership.Leave:
		n.say(now, mechanism.Control, n.presence.Identity.Append(append(n.buf[:0], kindLeave)), link.Unreliable, out)
	}
}

// say sends the server a message, whose memory serves for the next one.
func (n *client) say(now world.Time, class mechanism.Class, message []byte, mode link.Mode, out *mechanism.Outbox) {
	n.buf = message
	n.link.Send(now, star.Server, class, message, mode, out)
}

// Deliver implements link.Handler.
func (n *client) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	sound := false
	switch r.Byte() {
	case kindTurns:
		sound = n.receiveTurns(now, &r, out)
	case kindWelcome:
		sound = n.receiveWelcome(now, &r, out)
	case kindAgain:
		sound = n.receiveAgain(&r)
	case kindDelay:
		sound = n.receiveDelay(&r)
	case kindDiffers:
		sound = n.receiveDiffers(&r, out)
	case kindPong:
		sound = n.receivePong(now, &r)
	case kindGone:
		who := membership.ReadIdentity(&r)
		if sound = r.Done() == nil; sound && who == n.presence.Identity && n.presence.Left() {
			n.presence.Unknown()
		}
	case kindBereft:
		sound = n.receiveBereft(now, &r, out)
	case kindAsk:
		sound = n.receiveAsk(now, &r, out)
	case kindChunk:
		sound = n.receiveChunk(now, r.Rest(), out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// receiveTurns takes what is to be carried out. All of it is checked before any of it counts.
func (n *client) receiveTurns(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	h := readTurns(r)
	rest := *r
	count := turn.Number(0)
	for ; r.Len() > 0; count++ {
		if text := r.Bytes(); r.Failed() || turn.Check(n.world.Schema(), text) != nil {
			return false
		}
	}
	if r.Done() != nil || count == 0 {
		return false
	}
	if n.phase < listening || h.first > n.batches.next {
		return true // it is not for this life
	}
	n.batches.drop(n.wants())
	for t := h.first; rest.Len() > 0; t++ {
		if text := rest.Bytes(); t == n.batches.next {
			n.batches.add(text, now)
		}
	}
	n.slip = mechanism.TimeOf(h.slip, n.pace.Tick)
	n.trail.trim(n.pace.First(h.agreed))
	if now >= n.pingAt {
		n.ping(now, out) // the receipt goes along
	}
	return true
}

func (n *client) receiveDelay(r *wire.Reader) (sound bool) {
	delay := readDelay(r)
	if r.Done() != nil {
		return false
	}
	n.delay = delay
	return true
}

// goOn takes the ticks that are due. It returns whether there are more of them than should be taken in one call.
func (n *client) goOn(now world.Time, out *mechanism.Outbox) (more bool) {
	switch n.phase {
	case listening:
		return n.catchUp(now, out)
	case playing:
		for n.due() <= now {
			carried, stalled := n.take()
			if stalled > 0 {
				out.Report(mechanism.Event{Name: mechanism.Stalled, Value: int64(stalled)})
			}
			n.tell(carried, false, out)
			if n.pace.Begins(n.tick()) {
				n.endTurn(now, out)
			}
		}
	}
	return false
}

// endTurn tells the server that a turn is over, and what the user did in it.
func (n *client) endTurn(now world.Time, out *mechanism.Outbox) {
	next := n.pace.Of(n.tick())
	hash := uint64(0)
	if n.config.due(next) {
		hash = n.follower.State().Hash()
	}
	class := classOf(n.mine.Len())
	n.say(now, class, n.config.appendAdvance(n.buf[:0], next-1, hash, &n.mine), link.Ordered, out)
	out.Count(mechanism.Command, n.mine.Len())
	n.mine.Reset()
}

// tell reports what was carried out. On the way to the present that is no news, unless it is the user's own.
func (n *client) tell(carried []byte, old bool, out *mechanism.Outbox) {
	if carried == nil {
		return
	}
	n.reader.Open(carried)
	for a := n.reader.Next(); a != nil; a = n.reader.Next() {
		switch {
		case a.Seq == 0: // the server's doing
		case a.User == n.place.User:
			n.settle(a.Seq, out)
		case !old:
			n.report(a.User, a.Seq, out)
		}
	}
}

func (n *client) report(u world.User, seq uint32, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: mechanism.Applied, User: u, Seq: seq})
	out.Report(mechanism.Event{Name: mechanism.Confirmed, User: u, Seq: seq})
}

// settle notes that an action of the user has taken effect. Those before it that have not never will.
func (n *client) settle(seq uint32, out *mechanism.Outbox) {
	done := 0
	for _, s := range n.pending {
		if s > seq {
			break
		}
		done++
		if s == seq {
			n.report(n.place.User, seq, out)
		} else {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: n.place.User, Seq: s})
		}
	}
	n.pending = n.pending[:copy(n.pending, n.pending[done:])]
}

// finish ends a call: it goes on, and asks to be woken when there is something to do.
func (n *client) finish(now world.Time, out *mechanism.Outbox) {
	next := n.link.Next()
	if n.goOn(now, out) {
		next = now
	}
	switch {
	case n.newcomer != nil:
		n.askFor(now, out)
		next = min(next, n.newcomer.Next())
	case n.phase == playing:
		next = min(next, n.due())
	}
	n.speak(now, out)
	if n.pingDue() <= now {
		n.ping(now, out)
	}
	n.charge(out)
	out.WakeAt(min(next, n.pingDue(), n.presence.Due()))
}

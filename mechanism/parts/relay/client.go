package relay

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/memo"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

const (
	ticksMax   = 64 // how many ticks one message may let pass
	backlogMax = 4096
	joinEvery  = 250 * world.Millisecond
	hereShare  = 4 // a client says that it is there when it has said nothing for this part of the server's patience
)

var _ mechanism.Lingering = (*client)(nil)

// client carries out what it is sent, in the order in which it is sent.
type client struct {
	config   *Config
	session  *mechanism.Session
	presence membership.Presence
	place    mechanism.Place
	link     *link.Layer
	replica  *memo.Follower
	carry    func(*world.Window, []byte) // carries out a message of the server's
	still    bool
	whole    bool   // whether all of the order is sent, so that a gap shows
	heard    moment // of the last message

	tell   world.Time // how often to tell how the user's objects are; zero for never
	tellAt world.Tick
	told   *world.State // the world when it was last told

	hereAt  world.Time // when to say that it is there
	actedAt world.Tick
	acted   int // how often its user acted in that tick

	newcomer *latejoin.Newcomer // while the node has no world
	backlog  [][]byte           // what a newcomer was sent
	guide    latejoin.Guide

	witness mechanism.Witness // nil where nobody asks
	held    *world.State      // what the witness was last told

	action world.Action // what is being carried out
	news   []News
	buf    []byte
	long   []byte // what was too much for the message in buf
}

var (
	_ mechanism.Arriving  = (*client)(nil)
	_ mechanism.Departing = (*client)(nil)
	_ mechanism.Ordered   = (*client)(nil)
	_ mechanism.Sized     = (*client)(nil)
)

func newClient(c *Config, s *mechanism.Session, p mechanism.Place, tell world.Time) *client {
	name := uint64(0) // all in one lineage, unless they are sent different things
	if tell > 0 {
		name = uint64(p.ID)
	}
	n := &client{
		config: c, session: s, place: p, replica: s.Shared.Follow(name, s.Start),
		whole: tell == 0, tell: tell, hereAt: c.Patience / hereShare,
	}
	n.presence = membership.NewPresence(s.Epoch, membership.Times{Repeat: joinEvery})
	n.carry = n.carryOut
	n.heard.tick = s.Start.Tick()
	_, n.still = s.World.(world.Still)
	if s.Late {
		n.beginAnew(0)
	} else {
		n.presence.Enter(0)
		n.relink()
	}
	return n
}

// Receive implements mechanism.Node.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != star.Server {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(now, out)
}

// Wake implements mechanism.Node.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	n.guide.Tidy(now)
	n.speak(now, out)
	n.finish(now, out)
}

func (n *client) finish(now world.Time, out *mechanism.Outbox) {
	next := min(n.link.Next(), n.presence.Due())
	if n.newcomer != nil {
		n.fetch(now, out)
		next = min(next, n.newcomer.Next())
	}
	n.hereAt = max(n.hereAt, n.link.Spoke()+n.config.Patience/hereShare)
	if !n.presence.Left() {
		next = min(next, n.hereAt)
	}
	out.WakeAt(next)
}

// speak says what is due about the client's being there.
func (n *client) speak(now world.Time, out *mechanism.Outbox) {
	number := n.presence.Identity.Number()
	switch said := n.presence.Poll(now); {
	case said == membership.Join:
		n.say(now, appendJoin(n.buf[:0], number, n.place.User), out)
	case said == membership.Leave:
		n.say(now, appendEpoch(n.buf[:0], kindLeave, number), out)
	}
	if now >= n.hereAt && !n.presence.Left() {
		n.say(now, append(n.buf[:0], kindHere), out)
	}
}

// say sends the server a message that may be lost.
func (n *client) say(now world.Time, msg []byte, out *mechanism.Outbox) {
	n.buf = msg
	n.link.Send(now, star.Server, mechanism.Control, msg, link.Unreliable, out)
}

// mayAct counts an action of the user's, and reports whether it is not one too many.
func (n *client) mayAct(now world.Time) bool {
	if tick := mechanism.TickAt(now, n.session.World.Schema().Tick); tick != n.actedAt {
		n.actedAt, n.acted = tick, 0
	}
	n.acted++
	return n.acted <= n.config.Actions
}

// Act implements mechanism.Client. The action shows when the server has sent it back.
func (n *client) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	if !n.Ready() || a.User != n.place.User || n.session.World.Schema().CheckAction(&a) != nil || !n.mayAct(now) {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
		n.finish(now, out)
		return
	}
	n.buf = world.AppendAction(append(n.buf[:0], kindAct), &a)
	if n.tell > 0 {
		n.appendChanges(now, out)
	}
	n.link.Send(now, star.Server, mechanism.Command, n.buf, link.Ordered, out)
	out.Count(mechanism.Command, 1)
	n.finish(now, out)
}

// View implements mechanism.Client.
func (n *client) View() *world.State { return n.replica.State() }

// Bytes implements mechanism.Sized.
func (n *client) Bytes() int {
	sum := n.replica.Bytes() + n.link.Bytes() + n.guide.Bytes() + cap(n.buf)
	for _, b := range n.backlog {
		sum += cap(b)
	}
	return sum
}

// Deliver implements link.Handler.
func (n *client) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	sound := false
	switch {
	case m.Class == mechanism.Snapshot:
		sound = n.takeChunk(now, m, out)
	case m.Class == mechanism.Control && len(m.Payload) > 0 && m.Payload[0] == kindGuide:
		sound = n.guideNewcomer(now, m.Payload[1:], out)
	case m.Class == mechanism.Control && len(m.Payload) > 0 && m.Payload[0] == kindBegin:
		sound = n.takeBegin(now, m.Payload[1:], out)
	case m.Class == mechanism.Control:
		sound = n.takeStanding(now, m.Payload)
	default:
		sound = n.check(m.Payload)
		if sound && n.presence.Member() {
			n.take(now, m.Payload, out)
		}
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// check reports whether a message of the server's can be carried out.
func (n *client) check(payload []byte) bool {
	r := wire.NewReader(payload)
	kind, at := r.Byte(), readMoment(&r)
	next := n.newcomer == nil && at.position > n.heard.position // else it is kept, or passed over
	if next && !n.still && at.tick > n.heard.tick+ticksMax {
		return false
	}
	schema := n.session.World.Schema()
	switch kind {
	case kindDo:
		a := world.ReadAction(&r)
		return r.Done() == nil && schema.CheckAction(&a) == nil
	case kindTick:
		return r.Done() == nil
	case kindShow:
		n.news = readNews(&r, schema, n.news[:0])
		return r.Done() == nil
	}
	return false
}

// take carries out what the server has sent, or keeps it until there is a world to carry it out in.
func (n *client) take(now world.Time, payload []byte, out *mechanism.Outbox) {
	r := wire.NewReader(payload)
	kind, at := r.Byte(), readMoment(&r)
	if n.newcomer == nil && n.whole && at.position > n.heard.position+1 {
		n.lose()
	}
	switch {
	case n.newcomer != nil:
		n.keep(payload)
		return
	case at.position <= n.heard.position || at.tick < n.heard.tick:
		return // the snapshot had it
	}
	out.Charge(n.replica.Step(payload, n.carry))
	if kind != kindShow {
		n.heard = at
		n.testify()
	}
	if kind == kindDo {
		n.reportDone(&r, out)
	}
	if n.tell > 0 && !n.still && at.tick >= n.tellAt {
		n.tellAt = at.tick + world.TicksIn(n.tell, n.session.World.Schema().Tick)
		if n.buf = append(n.buf[:0], kindTell); n.appendChanges(now, out) {
			n.link.Send(now, star.Server, mechanism.Update, n.buf, link.Ordered, out)
		}
	}
}

func (n *client) reportDone(r *wire.Reader, out *mechanism.Outbox) {
	a := world.ReadAction(r)
	if a.Seq == 0 && (a.Verb == world.Enter || a.Verb == world.Leave) {
		return // it is the server's
	}
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
	if a.User == n.place.User {
		out.Report(mechanism.Event{Name: mechanism.Confirmed, User: a.User, Seq: a.Seq})
	}
}

// carryOut does what a message says, which was checked before. It depends on nothing but the state and the message.
func (n *client) carryOut(w *world.Window, payload []byte) {
	r := wire.NewReader(payload)
	kind, at := r.Byte(), readMoment(&r)
	if n.still {
		w.State().SetTick(at.tick)
	}
	for w.Tick() < at.tick {
		w.Advance(n.session.World)
	}
	switch kind {
	case kindDo:
		n.action = world.ReadAction(&r)
		w.Do(n.session.World, &n.action)
	case kindShow:
		n.news = readNews(&r, n.session.World.Schema(), n.news[:0])
		apply(w.State(), n.news)
		w.Look(w.State())
	}
}

// Testify implements mechanism.Ordered.
func (n *client) Testify(w mechanism.Witness) { n.witness, n.held = w, n.session.Start.Clone() }

// testify tells the witness what the client has come to hold.
func (n *client) testify() {
	if n.witness == nil {
		return
	}
	for c := range world.Diff(n.held, n.replica.State()) {
		if c.New != nil {
			n.witness.Held(n.heard.position, c.New.ID, c.New)
		} else {
			n.witness.Held(n.heard.position, c.Old.ID, nil)
		}
	}
	n.held.CopyFrom(n.replica.State())
}

// appendChanges appends to the message in the buffer how the user's objects are, as far as that has changed since it was last
// told, and returns whether it has. What would make the message long goes before it.
func (n *client) appendChanges(now world.Time, out *mechanism.Outbox) bool {
	state, head := n.replica.State(), len(n.buf)
	if n.told == nil {
		n.told = state.Clone()
		n.told.CopyFrom(n.session.Start)
	}
	for c := range world.Diff(n.told, state) {
		var x News
		switch {
		case c.New != nil && c.New.User == n.place.User:
			x = News{Object: *c.New}
		case c.Old != nil && c.Old.User == n.place.User:
			x = News{Object: world.Object{ID: c.Old.ID}, Gone: true}
		default:
			continue
		}
		n.buf = x.append(n.buf, state.Schema())
		out.Count(mechanism.Update, 1)
		if len(n.buf)-head >= tellBytes {
			n.long = append(append(n.long[:0], kindTell), n.buf[head:]...)
			n.link.Send(now, star.Server, mechanism.Update, n.long, link.Ordered, out)
			n.buf = n.buf[:head]
		}
	}
	n.told.CopyFrom(state)
	return len(n.buf) > head
}

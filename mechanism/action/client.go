package action

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// client is a user's node: it carries out what its user does at once, in the view, and what the server sends, for certain.
type client struct {
	config   *Config
	session  *mechanism.Session
	place    mechanism.Place
	world    world.World
	length   world.Time // of a tick
	geometry geometry
	link     *link.Layer
	scene    *scene
	witness  mechanism.Witness

	tick    world.Tick
	stable  versions     // what is certain
	view    *world.State // what is certain, with what the user has done since: the optimistic state
	pending pending      // that
	known   known        // what of the view matters to the user, sorted
	answers world.Answerer
	still   bool // nothing moves by itself

	presence membership.Presence
	resident bool               // its user was in the world when it began anew
	newcomer *latejoin.Newcomer // while it has no world
	in, out  byte               // the serial numbers of the next messages from and to the server
	number   uint32             // of the last entry
	lookAt   world.Time         // when to look next
	held     world.Set          // what the last look was about
	heldAll  bool

	news     news
	results  []world.Object
	recalled world.Set
	buf      []byte
	done     []byte // completions to be sent
}

var (
	_ mechanism.Arriving  = (*client)(nil)
	_ mechanism.Departing = (*client)(nil)
	_ mechanism.Holder    = (*client)(nil)
	_ mechanism.Lingering = (*client)(nil)
	_ mechanism.Ordered   = (*client)(nil)
	_ mechanism.Shadowed  = (*client)(nil)
	_ mechanism.Sized     = (*client)(nil)
)

func newClient(c *Config, s *mechanism.Session, p mechanism.Place) *client {
	n := &client{
		config:   c,
		session:  s,
		place:    p,
		world:    s.World,
		length:   s.World.Schema().Tick,
		geometry: newGeometry(s.World),
		link:     link.New(c.Link, p.ID, s.Epoch),
		scene:    newScene(s.World, s.Start.Seed()),
		witness:  nobody{},
		tick:     s.Start.Tick(),
		pending:  newPending(),
		// It gives itself up before the server does, so that it never holds what was given up.
		presence: membership.NewPresence(s.Epoch, membership.Times{Repeat: joinAgain, Patience: c.Patience / 4 * 3}),
	}
	n.link.ExpectSuccessors(star.IsServer)
	n.answers, _ = s.World.(world.Answerer)
	_, n.still = s.World.(world.Still)
	n.inhabit(s.Start, 0)
	if s.Late {
		n.fetch()
	} else {
		n.presence.Enter(0)
	}
	return n
}

// inhabit begins with a state that is so after a position.
func (n *client) inhabit(s *world.State, position uint64) {
	n.stable = newVersions(s, position)
	n.view = n.stable.latest.Clone()
	n.view.SetTick(n.tick)
	n.known = known{}
	for o := range n.view.All() {
		n.known.note(n, o.ID, nil, o)
	}
}

// Testify implements mechanism.Ordered.
func (n *client) Testify(w mechanism.Witness) { n.witness = w }

// View implements mechanism.Client: the optimistic state.
func (n *client) View() *world.State { return n.view }

// Ghost implements mechanism.Shadowed: the stable state. Its tick is the latest of the entries in it.
func (n *client) Ghost() *world.State { return n.stable.latest }

// Ready implements mechanism.Arriving.
func (n *client) Ready() bool { return n.presence.Member() }

// Holds implements mechanism.Holder: a client is up to date about what its user has and sees.
func (n *client) Holds(id world.ID) bool {
	return n.config.Protocol == Basic || n.heldAll || n.known.owned.Has(id) || n.held.Has(id)
}

// Bytes implements mechanism.Sized.
func (n *client) Bytes() int { return n.stable.bytes() + n.view.Size() + n.link.Bytes() }

// Wake lets ticks pass.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	if n.presence.Lost(now) {
		n.beginAnew()
	}
	reached := mechanism.TickAt(now, n.length)
	n.tick = max(n.tick, reached-catchUpMax)
	for n.tick < reached {
		if n.presence.Member() {
			n.pass(now, out)
		}
		n.tick++
		n.view.SetTick(n.tick)
	}
	n.speak(now, out)
	n.finish(out)
}

// catchUpMax is how many ticks a client that was woken late makes up for.
const catchUpMax = 64

// Act carries out what the user does, in the view, and submits it.
func (n *client) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	if !n.Ready() || a.User != n.place.User || n.pending.full() || n.world.Schema().CheckAction(&a) != nil {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
		return
	}
	n.perform(now, a, out)
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
	n.finish(out)
}

// perform makes an action an entry.
func (n *client) perform(now world.Time, a world.Action, out *mechanism.Outbox) {
	d := n.pending.take()
	d.Entry = mechanism.Entry{Action: a, Tick: n.tick, Footprint: d.Footprint}
	n.declare(d)
	n.submit(now, d, out)
}

// submit shows what an entry that was just carried out does, and sends it to the server.
func (n *client) submit(now world.Time, d *own, out *mechanism.Outbox) {
	at := n.geometry.placeOf(&d.Entry, n.view.Get)
	d.results = n.scene.results(&d.Entry, d.results[:0])
	n.show(d)
	n.number++
	d.number = n.number
	n.pending.add(d)
	n.buf = appendEntry(append(n.buf[:0], kindSubmit, byte(n.presence.Identity.Life), n.out), &d.Entry)
	n.buf = n.geometry.append(n.buf, &at, n.config.Culling)
	n.send(now, mechanism.Command, n.buf, out)
	out.Count(mechanism.Command, 1)
}

// send sends the server a numbered message.
func (n *client) send(now world.Time, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	n.out++
	n.link.Send(now, star.Server, class, msg, link.Ordered, out)
}

// say sends the server a message that is repeated until there is an answer.
func (n *client) say(now world.Time, msg []byte, out *mechanism.Outbox) {
	n.link.Send(now, star.Server, mechanism.Control, msg, link.Unreliable, out)
}

// Receive takes a message of the server's.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != star.Server {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(out)
}

// Deliver implements link.Handler.
func (n *client) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	sound := false
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindNews:
		sound = n.takeNews(now, &r, out)
	case kindHere:
		who, asked := membership.ReadIdentity(&r), world.Time(r.Uint())
		if sound = r.Done() == nil; sound && who == n.presence.Identity && asked <= now {
			n.presence.Hear(asked) // what it said then has been heard
			n.returnHome(now, out)
		}
	case kindGone:
		who := membership.ReadIdentity(&r)
		if sound = r.Done() == nil; sound && who == n.presence.Identity {
			n.takeGone(now)
		}
	case kindChunk:
		sound = n.takeChunk(now, m.From, r.Rest())
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// speak says what is due.
func (n *client) speak(now world.Time, out *mechanism.Outbox) {
	switch {
	case n.presence.Member():
		n.look(now, out)
	case n.newcomer != nil:
		n.ask(now, out)
	default:
		n.talk(now, out)
	}
}

// finish ends a call: it charges, and asks to be woken for the next tick, or for what is to be said.
func (n *client) finish(out *mechanism.Outbox) {
	next := n.presence.Due()
	switch {
	case n.presence.Member():
		next = n.lookAt
	case n.newcomer != nil:
		next = n.newcomer.Next()
	}
	out.Charge(n.scene.window.TakeWork())
	out.WakeAt(min(mechanism.TimeOf(n.tick+1, n.length), next, n.link.Next()))
}

package interest

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/interpolation"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/world"
)

// client is a user's node: it shows what the servers tell.
type client struct {
	config   *Config
	world    world.World
	user     world.User
	length   world.Time // of a tick
	tick     world.Tick
	next     world.Time // when the next tick is due; Receive must not put it off
	servers  area.Servers
	land     *area.Map
	contacts []contact // by area
	layer    *link.Layer
	view     *world.State

	chronicle *chronicle // what the streams tell, where all are told the same

	reach    world.Footprint
	action   world.Action // what the user does; here, since rules are handed a pointer to it
	observer input.Observer
}

var (
	_ mechanism.Arriving  = (*client)(nil)
	_ mechanism.Departing = (*client)(nil)
	_ mechanism.Holder    = (*client)(nil)
	_ mechanism.Lingering = (*client)(nil)
	_ mechanism.Mapped    = (*client)(nil)
	_ mechanism.Sized     = (*client)(nil)
)

// contact is what a client has to do with one server.
type contact struct {
	input.Client
	scene interpolation.Scene
	inbox []byte // messages of the stream that have come since the last tick, where all are told the same
	bytes int64  // that have come from there
}

func newClient(c *Config, s *mechanism.Session, p mechanism.Place) *client {
	n := &client{
		config: c, world: s.World, user: p.User, length: s.World.Schema().Tick, servers: c.servers(),
		land:     area.NewMap(s.World, c.Config, true),
		contacts: make([]contact, c.Len()),
		layer:    link.New(link.Config{Timeout: c.Resend, Batching: c.Receipt}, p.ID, s.Epoch),
		view:     world.NewState(s.World.Schema(), s.Start.Seed()),
	}
	n.layer.Expect(func(id mechanism.NodeID) bool { _, ok := n.servers.Area(id); return ok })
	if c.streams(s.World) {
		n.chronicle = newChronicle(s, n.land)
	}
	for i := range n.contacts {
		n.contacts[i].Client = input.NewClient(c.times(), s, p.User, n.servers.Of(i), false)
	}
	return n
}

// begin starts a life with a server, in which nothing is known yet.
func (n *client) begin(now world.Time, i int, out *mechanism.Outbox) {
	x := &n.contacts[i]
	n.forget(i)
	x.Join(now, out)
	x.scene = interpolation.NewScene(n.world, n.view, n.config.Others, n.delay())
	x.inbox = x.inbox[:0]
	n.layer.Forget(n.servers.Of(i))
}

// delay is how far behind the last update interpolated objects are shown.
func (n *client) delay() world.Time {
	return world.Time(n.config.RenderDelay.MulInt(int64(n.config.interval(n.length))).Round())
}

// View is what the user sees.
func (n *client) View() *world.State { return n.view }

// Holds reports whether the view has an object.
func (n *client) Holds(id world.ID) bool { return n.view.Get(id) != nil }

// Ready reports whether all servers have let the client in.
func (n *client) Ready() bool {
	for i := range n.contacts {
		if !n.contacts[i].Ready() {
			return false
		}
	}
	return true
}

// Areas says what the client knows of each area.
func (n *client) Areas(dst []mechanism.Area) []mechanism.Area {
	for i := range n.contacts {
		x := &n.contacts[i]
		a := mechanism.Area{Box: n.land.Box(i), Server: n.servers.Of(i), Bytes: x.bytes}
		if x.From != nil && x.From.Len() > 0 || n.chronicle != nil && x.Ready() {
			a.Role = mechanism.Updated
		}
		dst = append(dst, a)
	}
	return dst
}

// Wake brings the next tick.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	n.layer.Wake(now, n, out)
	n.catchUp(now, out)
	if tick := mechanism.TickAt(now, n.length); n.chronicle != nil && (tick > n.tick || n.chronicle.fresh) {
		// Not before, whatever has come: at an instant at which messages come from several servers, all must have.
		n.tick = tick
		n.view = n.chronicle.turn(tick, n.contacts)
	}
	for i := range n.contacts {
		x := &n.contacts[i]
		if x.Idle() || x.Lost(now) {
			n.begin(now, i, out)
		}
		x.Speak(now, out)
	}
	n.next = mechanism.TimeOf(mechanism.TickAt(now, n.length)+1, n.length)
	n.finish(out)
}

func (n *client) finish(out *mechanism.Outbox) {
	for i := range n.contacts {
		out.Charge(n.contacts[i].scene.TakeWork())
	}
	out.WakeAt(min(n.next, n.layer.Next()))
}

// catchUp shows everything as it is at a time, if a tick has passed.
func (n *client) catchUp(now world.Time, out *mechanism.Outbox) {
	tick := mechanism.TickAt(now, n.length)
	if tick == n.tick || n.chronicle != nil {
		return
	}
	n.tick = tick
	for i := range n.contacts {
		if n.contacts[i].Ready() {
			n.contacts[i].scene.Show(now)
			n.observer.Show(i, n.contacts[i].scene.Moment(now), out)
		}
	}
	n.view.SetTick(tick)
}

// Act tells the server of the object that the user does something to.
func (n *client) Act(now world.Time, action world.Action, out *mechanism.Outbox) {
	n.catchUp(now, out)
	n.action = action
	a := &n.action
	x := &n.contacts[n.config.home(n.user)]
	switch {
	case a.Verb == world.Leave:
		n.Leave(now, out)
		n.vanish()
		n.report(mechanism.Applied, a, out)
	case a.Verb == world.Enter:
		for i := range n.contacts {
			if n.contacts[i].Left() {
				n.begin(now, i, out) // who joins enters
			}
		}
		n.report(mechanism.Applied, a, out)
	case n.world.Schema().CheckAction(a) != nil:
		n.report(mechanism.Dropped, a, out)
	default:
		if o := n.view.Get(area.Target(n.world, n.view, a, &n.reach)); o != nil {
			x = &n.contacts[n.land.AreaOf(o)]
		}
		if x.Left() || x.Pending.Full() {
			n.report(mechanism.Dropped, a, out)
		} else {
			x.Act(now, a, n.tick, false, out)
		}
	}
	n.finish(out)
}

// Leave says goodbye to all servers, and again until they have heard it.
func (n *client) Leave(now world.Time, out *mechanism.Outbox) {
	for i := range n.contacts {
		n.contacts[i].Leave(now, out)
	}
	n.finish(out)
}

// Gone reports whether all servers have heard that the client has left.
func (n *client) Gone() bool {
	return !slices.ContainsFunc(n.contacts, func(x contact) bool { return !x.Gone() })
}

// vanish has the view show nothing.
func (n *client) vanish() {
	if n.chronicle != nil {
		n.view = n.chronicle.restart(n.tick, n.contacts)
		return
	}
	n.view.Release()
}

// Receive takes a message from a server.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	i, ok := n.servers.Area(m.From)
	if !ok || n.contacts[i].Idle() || n.contacts[i].Gone() {
		return
	}
	x := &n.contacts[i]
	x.bytes += int64(len(m.Payload))
	if !input.Is(m.Payload) {
		n.layer.Receive(now, m, n, out)
		n.finish(out)
		return
	}
	switch p, verdict := x.Read(m.Payload); verdict {
	case update.Impossible:
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	case update.Good:
		n.catchUp(now, out)
		n.take(now, i, &p, out)
	}
	n.finish(out)
}

// Deliver takes a message of the stream of a server that tells all the same. It is shown with the next tick.
func (n *client) Deliver(_ world.Time, m mechanism.Message, _ *mechanism.Outbox) bool {
	i, ok := n.servers.Area(m.From)
	if !ok || n.chronicle == nil || len(m.Payload) == 0 || m.Payload[0] != kindStream || !n.chronicle.sound(m.Payload[1:]) {
		return false
	}
	n.chronicle.hear(&n.contacts[i], m.Payload[1:])
	return true
}

// take takes over what an update says.
func (n *client) take(now world.Time, i int, p *input.Preface, out *mechanism.Outbox) {
	x := &n.contacts[i]
	if x.Hear(now, p) {
		x.Pending.Renew(n.tick)
	}
	x.scene.Behind(pace.Stretch(n.delay(), p.Level))
	moment := mechanism.TimeOf(p.Tick, n.length)
	changes := x.From.Accept(p.Header)
	x.scene.Begin(now, moment, p.Header, p.First, p.Whole, x.From)
	for j := range changes {
		c := &changes[j]
		if c.What == update.Left {
			x.scene.Leave(c.Place)
			n.leave(c.Object.ID)
			continue
		}
		if c.What == update.Entered {
			n.enter(i, c.Object.ID)
		}
		x.scene.Hear(now, moment, c)
		n.observer.Hear(c, i, moment, n.user, out)
	}
	for x.Pending.Answered(p.Seq) {
		a, _ := x.Pending.Take()
		n.observer.Own(&a, i, moment, out)
		n.report(mechanism.Confirmed, &a, out)
	}
	if x.scene.AtOnce() {
		n.observer.Show(i, world.Never, out)
	}
}

// enter has other servers' scenes no longer show an object that has come over to a server.
func (n *client) enter(to int, id world.ID) {
	for i := range n.contacts {
		if x := &n.contacts[i]; i != to && x.From != nil {
			if place, ok := x.From.Place(id); ok {
				x.scene.Leave(place)
			}
		}
	}
}

// leave takes an object out of the view of which a server tells no more, unless another one does.
func (n *client) leave(id world.ID) {
	for i := range n.contacts {
		x := &n.contacts[i]
		if x.From == nil {
			continue
		}
		if o, ok := x.From.Get(id); ok {
			n.view.Put(o)
			return
		}
	}
	n.view.Remove(id)
}

// forget takes out of the view what only one server tells of.
func (n *client) forget(i int) {
	x := &n.contacts[i]
	if x.From == nil {
		return
	}
	from := x.From
	x.From = nil
	for id := range from.All() {
		n.leave(id)
	}
}

func (n *client) report(name string, a *world.Action, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: name, User: a.User, Seq: a.Seq})
}

// Bytes is the memory that the node's structures hold.
func (n *client) Bytes() int {
	sum := int(unsafe.Sizeof(*n)) + n.view.Size() + n.layer.Bytes() + n.observer.Bytes()
	for i := range n.contacts {
		x := &n.contacts[i]
		sum += int(unsafe.Sizeof(*x)) + x.Client.Bytes() + x.scene.Bytes()
	}
	return sum
}

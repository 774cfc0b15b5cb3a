package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/aggregate"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// server runs the world's rules for what it answers for, and serves clients.
type server struct {
	talks
	session *mechanism.Session
	number  int // among the servers
	ring    ring
	replica mechanism.Replica
	tick    world.Tick
	length  world.Time // of a tick
	begun   bool
	late    bool       // what was so at the start is so no more
	next    world.Time // when the next pulse is
	pulses  int        // so far
	passed  int        // with the present one: more than one where the server did not come to some in time
	pace    pace.Pace
	alarm   world.Time // when the node is to be woken

	own      world.ByID[uint32] // what it answers for, and in which epoch
	copies   world.ByID[copied] // what others do
	offers   []offer
	answerer world.Answerer

	writer  writer
	watcher watcher

	shown    *world.State // as clients are told
	shownAt  world.Tick
	table    *update.Table
	field    *sight.Field
	stirred  bool // something has changed in it
	nearness sight.Nearness
	book     *aggregate.Book // of crowds, while some clients see them as clouds
	clouds   []aggregate.Cloud
	surveyed world.Time
	members  membership.Members[*member]
	mine     membership.ByUser[standing]
	last     membership.ByUser[uint32] // the latest action of a user that was carried out here, or where its objects were before
	did      membership.ByUser[window] // which were
	claims   []pendingClaim
	absent   []absence
	forwards []forward
	placement

	requests      []asked
	requestNumber uint32
	lending       bool           // the rules may change lent objects
	lent          []world.Object // as they were
	changes       []change       // scratch

	in     input.Packet
	reach  world.Footprint
	act    world.Action // the one at hand; here, since rules are handed a pointer to it
	ids    []world.ID
	deeds  []deed
	bodies []world.Object
	buf    []byte
	work   world.Work
}

var (
	_ mechanism.Authority  = (*server)(nil)
	_ mechanism.Departing  = (*server)(nil)
	_ mechanism.Holder     = (*server)(nil)
	_ mechanism.Lingering  = (*server)(nil)
	_ mechanism.Simulating = (*server)(nil)
	_ mechanism.Sized      = (*server)(nil)
	_ mechanism.Slowing    = (*server)(nil)
)

func newServer(c *Config, s *mechanism.Session, number int) *server {
	n := &server{
		session: s, number: number, ring: c.ring(), length: s.World.Schema().Tick,
		members: membership.NewMembers[*member](c.seats(s.World), c.Timeout), pace: pace.New(c.Overload),
	}
	n.talks = newTalks(c, s, c.serverNode(number), n)
	n.answerer, _ = s.World.(world.Answerer)
	n.replica = mechanism.NewReplica(s.World, s.Start)
	n.replica.Window.Restrict(n.open)
	n.late = s.Late
	n.clear()
	if !s.Late {
		for o := range s.Start.All() {
			if c.initially(s.World, s.Start, o) == number {
				n.replica.State.Put(*o)
				n.own.Set(o.ID, 1)
			}
		}
	}
	n.writer.told.CopyFrom(n.replica.State)
	for o := range n.writer.told.All() {
		n.show(o, 0)
		n.watcher.move(o)
	}
	return n
}

// clear has the server answer for nothing and know of nothing.
func (n *server) clear() {
	schema := n.session.World.Schema()
	n.replica.State.Release()
	n.replica.State.SetTick(n.tick)
	n.replica.Window.Look(n.replica.State)
	n.own, n.copies, n.offers = world.ByID[uint32]{}, world.ByID[copied]{}, nil
	n.mine, n.last, n.did = membership.ByUser[standing]{}, membership.ByUser[uint32]{}, membership.ByUser[window]{}
	n.claims, n.absent, n.forwards, n.requests = nil, nil, nil, nil
	retiring, deadline := n.retiring, n.deadline
	n.placement = newPlacement(n.config)
	n.retiring, n.deadline = retiring, deadline
	n.writer = newWriter(n)
	n.watcher = newWatcher(n)
	n.shown = world.NewState(schema, n.session.Start.Seed())
	n.table = update.NewTable(schema)
	n.field = sight.NewField(n.session.World, n.shown, n.config.Margin)
	n.nearness = sight.NewNearness(n.field)
	n.book = nil
}

// open reports whether the rules may change an object here.
func (n *server) open(o *world.Object) bool {
	_, copied := n.copies.Get(o.ID)
	return !copied || n.lending && slices.ContainsFunc(n.lent, func(x world.Object) bool { return x.ID == o.ID })
}

// owns reports whether the server answers for an object.
func (n *server) owns(id world.ID) bool {
	_, ok := n.own.Get(id)
	return ok
}

// Held is the state that the server works on, copies of others' objects included.
func (n *server) Held() *world.State { return n.replica.State }

// Owns reports whether the server answers for an object.
func (n *server) Owns(id world.ID) bool { return n.owns(id) }

// Holds reports whether the server has an object, or a copy of it.
func (n *server) Holds(id world.ID) bool { return n.replica.State.Get(id) != nil }

// Simulates is how many objects the server moves in each tick.
func (n *server) Simulates() int { return n.own.Len() }

// Wake lets time pass.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	if !n.begun {
		n.begun = true
		n.next = now
		n.tick = mechanism.TickAt(now, n.length)
		n.replica.State.SetTick(n.tick)
	}
	n.layer.Wake(now, n, out)
	n.catchUp(now, out)
	if now >= n.next {
		n.mind(now, out)
		n.passed = 1 + int((now-n.next)/n.config.Pulse)
		n.next = (now/n.config.Pulse + 1) * n.config.Pulse
		n.pulses += n.passed
		n.pulse(now, out)
	}
	n.alarm = world.Never
	n.rest(out)
}

// mind takes note of how late a pulse is, and slows down or speeds up where that is called for.
func (n *server) mind(now world.Time, out *mechanism.Outbox) {
	input.Mind(&n.members, &n.pace, now, now-n.next, n.config.interval(n.length), out)
}

// Slowed is how long it is between two updates, in hundredths of how long it ought to be.
func (n *server) Slowed() int { return n.pace.Slowed() }

// Full reports whether newcomers had better stay away. Who comes all the same may be another server's, which has failed, and is let in.
func (n *server) Full() bool { return n.pace.Full() }

// pulse does what is done now and then: it writes, and serves clients.
func (n *server) pulse(now world.Time, out *mechanism.Outbox) {
	n.keepInTouch(now, out)
	n.press(now, out)
	n.watcher.look(now, out)
	n.writer.flush(now, out)
	n.serve(now, out)
	n.survey(now, out)
	n.place(now, out)
}

// Receive takes a datagram of a client, a server or a storage node.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.catchUp(now, out)
	switch {
	case input.Is(m.Payload):
		if !n.receiveClient(now, m, out) {
			out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		}
	case n.knows(m.From):
		n.receive(now, m, out)
	}
	n.rest(out)
}

func (n *server) rest(out *mechanism.Outbox) {
	out.Charge(n.work + n.replica.Window.TakeWork() + n.field.TakeWork())
	n.work = 0
	// To ask again for what is asked for already would put it before all that waits, and nobody would know how late that is.
	if next := min(n.next, mechanism.TimeOf(n.tick+1, n.length), n.layer.Next()); next < n.alarm {
		n.alarm = next
		out.WakeAt(next)
	}
}

// catchUp brings what the server answers for to the tick of a time.
func (n *server) catchUp(now world.Time, out *mechanism.Outbox) {
	for target := mechanism.TickAt(now, n.length); n.tick < target; n.tick++ {
		n.replica.Advance()
		n.table.Renew()
	}
}

// Deliver takes a message over a link.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	storage, isStorage := n.config.storageAt(m.From)
	switch {
	case kind == kindMeeting:
		return n.takeMeeting(now, m.From, &r, out)
	case !isStorage:
		return n.deliverPeer(now, kind, m.From, &r, out)
	case kind == kindAck:
		return n.takeAck(now, storage, &r, out)
	case kind == kindNews:
		return n.takeNews(storage, &r)
	case kind == kindNotes:
		return n.takeNotes(&r)
	case kind == kindClaimed:
		return n.takeClaimed(now, storage, &r, out)
	case kind == kindCede:
		return n.takeCede(now, &r, out)
	case kind == kindGrant:
		return n.takeGrant(now, storage, &r)
	}
	return false
}

// deliverPeer takes what another server says, or a balancer.
func (n *server) deliverPeer(now world.Time, kind byte, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) bool {
	server, isServer := n.config.serverAt(from)
	switch {
	case kind == kindForward && isServer:
		return n.takeForward(now, r, out)
	case kind == kindDone && isServer:
		return n.takeDone(r, out)
	case kind == kindRequest && isServer:
		return n.takeRequest(now, r, out)
	case kind == kindPrefetch && isServer:
		return n.takePrefetch(now, server, r)
	case kind == kindReady && isServer:
		return n.takeReady(now, server, r)
	case kind == kindLeaving && isServer:
		n.leaving[server] = r.Done() == nil
		return n.leaving[server]
	case kind == kindMove && !isServer:
		return n.takeMove(now, r, out)
	case kind == kindAlive && !isServer:
		return r.Done() == nil
	}
	return false
}

// begins implements talker.
func (n *server) begins(now world.Time, with mechanism.NodeID, _ bool, out *mechanism.Outbox) {
	if storage, ok := n.config.storageAt(with); ok {
		n.writer.begins(storage)
		n.watcher.begins(storage)
	} else if server, ok := n.config.serverAt(with); ok {
		n.leaving[server] = false
	} else {
		n.informed[int(with)-int(n.config.balancerNode(0))] = false
	}
}

// loses implements talker. A server that is out of touch with too many storage nodes cannot write anything that counts; they have
// given what it answered for to others, or will.
func (n *server) loses(now world.Time, with mechanism.NodeID, out *mechanism.Outbox) {
	storage, ok := n.config.storageAt(with)
	if !ok {
		return
	}
	n.watcher.loses(storage)
	n.unoffer(storage)
	lost := 0
	for i := range n.config.Storage {
		if !n.inTouch(n.config.storageNode(i)) {
			lost++
		}
	}
	if lost > n.config.spare() {
		n.resign(now, out)
	}
}

// resigned is the event of a server that is cut off from storage and answers for nothing any more. Value is for how much it did.
const resigned = "resigned"

// resign has the server answer for nothing, and its clients look for another one.
func (n *server) resign(now world.Time, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: resigned, Value: int64(n.own.Len())})
	for n.members.Len() > 0 {
		m := n.members.All()[n.members.Len()-1]
		n.members.Remove(now, m)
		n.disown(m.Node, m.Identity.Tag(), out)
	}
	n.clear()
	n.hangUp(now)
	n.late = true // nobody is this server's by default any more
}

// Bytes is the memory that the node's structures hold.
func (n *server) Bytes() int {
	sum := n.replica.State.Bytes() + n.shown.Bytes() + n.layer.Bytes() + n.table.Bytes() + n.field.Bytes() + n.writer.bytes() + n.watcher.bytes()
	if n.book != nil {
		sum += n.book.Bytes()
	}
	for _, m := range n.members.All() {
		sum += m.Sender.Bytes() + m.set.Bytes()
	}
	return sum
}

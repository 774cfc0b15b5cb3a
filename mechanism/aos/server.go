package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// server has one area: it orders what users do there, simulates it, and tells those concerned of it.
type server struct {
	config  *Config
	session *mechanism.Session
	plan    *area.Map
	servers area.Servers
	self    mechanism.NodeID
	area    int
	pace    turn.Pace
	links   *link.Layer

	replica   *replica
	publisher *publisher
	ordered   bool // whether the turn that begins has its orders
	orders    orders
	turns     turns
	borders   borders
	members   members
	peers     []peer     // the other servers, by area
	lookAt    world.Time // when to look for those who have gone
	desk      desk
	stalling  stalling
	commits   *commits
	roster    *area.Roster
	latencies latencies
	hashes    turn.Hashes // of the area

	heardRegistry world.Time

	command command // that is being taken; here, since rules are handed a pointer to it
	buf     []byte
}

var (
	_ mechanism.Authority  = (*server)(nil)
	_ mechanism.Recorded   = (*server)(nil)
	_ mechanism.Simulating = (*server)(nil)
	_ mechanism.Sized      = (*server)(nil)
)

func newServer(c *Config, s *mechanism.Session, number int) *server {
	n := &server{
		config: c, session: s, area: number,
		plan: c.plan(s.World), servers: c.servers(), pace: c.pace(s.World.Schema()),
		roster: area.NewRoster(s.Start),
	}
	n.self = n.servers.Of(number)
	n.meetServers()
	n.links = link.New(c.Link, n.self, s.Epoch)
	n.links.Expect(n.knows)
	n.replica = newReplica(c, s, n.plan, number)
	n.turns.begin(c)
	n.members.begin(n)
	n.desk.begin(c)
	n.stalling.begin(n)
	n.commits = newCommits(n)
	n.commits.restore(s.Record)
	return n
}

// begin is for what needs the area, which is there once all nodes are.
func (n *server) begin(now world.Time, out *mechanism.Outbox) {
	n.publisher = newPublisher(n.config, n.replica)
	for _, x := range n.members.All() {
		for _, s := range x.also {
			n.publisher.cover(x.User, s.area-1, true)
		}
	}
	n.publisher.refresh(nil)
	n.borders.begin(n)
	if n.session.Late { // what the area had become is lost, but for what was agreed on with others
		out.Report(mechanism.Event{Name: mechanism.Restarted})
	}
	n.send(now, registryID, mechanism.Control, append(n.buf[:0], kindServes), out)
}

// Held is the area, with what is near.
func (n *server) Held() *world.State { return n.replica.state() }

// Owns reports whether an object is in the area.
func (n *server) Owns(id world.ID) bool {
	o := n.replica.state().Get(id)
	return o != nil && n.replica.owns(o)
}

// Simulates is how many objects the area has.
func (n *server) Simulates() int {
	if n.publisher == nil {
		return 0
	}
	return n.publisher.table.Len()
}

// Record implements mechanism.Recorded: what has been agreed on with other servers, and what has been promised to them.
func (n *server) Record(dst []byte) []byte {
	return n.commits.ledger.append(dst, n.session.World.Schema())
}

// Wake lets ticks pass.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	if n.publisher == nil {
		n.begin(now, out)
	}
	n.links.Wake(now, n, out)
	n.partSilent(now, out)
	n.keepInTouch(now, out)
	n.proceed(now, out)
	n.rest(now, out)
}

// Receive takes a datagram.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	client := n.members.Seats().User(m.From) != 0
	if m.From == n.self || !client && !n.knows(m.From) {
		return
	}
	known := n.knows(m.From)
	if i, ok := n.servers.Area(m.From); ok {
		if !n.peers[i].InTouch() {
			n.hearStray(now, i, m, out)
			n.rest(now, out)
			return
		}
		n.peers[i].Hear(now)
	} else if m.From == registryID {
		n.heardRegistry = now
	}
	n.links.Receive(now, m, n, out)
	if x := n.members.At(m.From); x != nil {
		x.Heard = now
	} else if client && !known {
		n.disown(now, m.From, membership.Identity{}, out)
	}
	n.proceed(now, out)
	n.rest(now, out)
}

// knows reports whether a node takes part.
func (n *server) knows(id mechanism.NodeID) bool {
	_, ok := n.servers.Area(id)
	return ok || id == registryID || n.members.At(id) != nil
}

// nodeOf is a client's node.
func (n *server) nodeOf(x *member) mechanism.NodeID { return x.Node }

// rest ends a call.
func (n *server) rest(now world.Time, out *mechanism.Outbox) {
	out.Charge(n.publisher.takeWork())
	next := mechanism.TimeOf(mechanism.TickAt(now, n.pace.Tick)+1, n.pace.Tick)
	out.WakeAt(min(next, n.links.Next()))
}

// proceed does all that can be done by now.
func (n *server) proceed(now world.Time, out *mechanism.Outbox) {
	target := mechanism.TickAt(now, n.pace.Tick)
	moved := false
	for range ticksMax {
		tick := n.replica.tick()
		if tick >= target {
			n.turns.waited = 0
		}
		if n.pace.Begins(tick) && !n.ordered && !n.beginTurn(now, target, out) {
			break
		}
		if tick >= target {
			break
		}
		n.step(now, out)
		moved = true
	}
	if moved {
		n.publisher.serve(now, func(to mechanism.NodeID, datagram []byte, items int) {
			n.links.Send(now, to, mechanism.Update, datagram, link.Unreliable, out)
			out.Count(mechanism.Update, items)
		})
	}
}

// ticksMax is how many ticks may pass in one call: more than a driver's patience allows is left to the next call.
const ticksMax = 256

// step lets a tick pass.
func (n *server) step(now world.Time, out *mechanism.Outbox) {
	first := n.pace.Begins(n.replica.tick())
	out.Charge(n.replica.step(&n.orders))
	n.publisher.refresh(func(c world.Change) { n.notice(c, out) })
	if first {
		n.borders.arrived = n.borders.arrived[:0]
	}
	if n.pace.Begins(n.replica.tick()) {
		n.ordered = false
		if next := n.pace.Of(n.replica.tick()); next%checkTurns == 0 {
			n.hashes.Put(next, n.replica.state().Hash())
		}
		n.publisher.look()
		n.arrange(now, out)
		n.tellNeighbours(now, out)
		n.commits.proceed(now, out)
	}
}

// Deliver takes a message.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	if b, ok := n.servers.Area(m.From); ok {
		return n.hearServer(now, kind, b, &r, out)
	}
	if m.From == registryID {
		if kind == kindAsk {
			n.links.Send(now, registryID, mechanism.Control, append(n.buf[:0], kindServes), link.Unreliable, out)
		}
		return r.Done() == nil
	}
	return n.hearClient(now, kind, m.From, &r, out)
}

func (n *server) hearServer(now world.Time, kind byte, b int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	switch kind {
	case kindZone:
		return n.takeZone(now, b, r)
	case kindPaused:
		if r.Done() != nil {
			return false
		}
		n.turns.advances.Remove(n.servers.Of(b))
		return true
	case kindForward:
		return n.takeForward(now, r, out)
	case kindStay:
		return n.takeStay(r)
	case kindMeeting:
		return n.takeMeeting(now, b, r, out)
	case kindParted:
		return n.takeParted(now, r, out)
	case kindPrepare, kindVote, kindDecide, kindSettled:
		return n.commits.hear(now, kind, b, r, out)
	}
	return false
}

func (n *server) hearClient(now world.Time, kind byte, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	switch kind {
	case kindJoin:
		return n.takeJoin(now, from, r, out)
	case kindLeave:
		return n.takeLeave(now, from, r, out)
	}
	x := n.members.At(from)
	if x == nil {
		return true // whatever it is, it is too late
	}
	switch kind {
	case kindHere:
		n.buf = append(n.buf[:0], kindHere)
		n.links.Send(now, from, mechanism.Control, n.buf, link.Unreliable, out)
		return r.Done() == nil
	case kindCommand:
		return n.takeCommand(now, x, r, out)
	case kindAdvance:
		return n.takeAdvance(now, x, r, out)
	case kindReceipt:
		return n.takeReceipt(x, r)
	case kindAlso:
		return n.takeAlso(x, r)
	case kindWish:
		return n.takeWish(now, x, r, out)
	case kindProgress:
		return n.takeProgress(now, x, r, out)
	}
	return false
}

// send sends a message that must arrive, after all that was sent before.
func (n *server) send(now world.Time, to mechanism.NodeID, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	n.buf = msg
	n.links.Send(now, to, class, msg, link.Ordered, out)
}

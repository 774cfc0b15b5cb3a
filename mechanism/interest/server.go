package interest

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/world"
	"throng/world/wire"
)

// server runs an area of the world.
type server struct {
	store
	config  *Config
	session *mechanism.Session
	servers area.Servers
	replica mechanism.Replica
	tick    world.Tick
	length  world.Time // of a tick
	layer   *link.Layer
	shown   *world.State // as clients and other servers have been told of
	begun   bool

	movers   [][]mover               // by area: what is handed over with the next message
	awaited  map[world.ID]world.Tick // what is about to come over, and since when the other had it
	queue    []order                 // actions for the next tick
	order    order                   // the one at hand; here, since rules are handed a pointer to it
	members  members
	audience *audience
	pace     pace.Pace
	alarm    world.Time // when the node is to be woken
	reach    world.Footprint
	moved    []mover // scratch
	in       input.Packet
	buf      []byte
	work     world.Work
}

var (
	_ mechanism.Authority  = (*server)(nil)
	_ mechanism.Holder     = (*server)(nil)
	_ mechanism.Simulating = (*server)(nil)
	_ mechanism.Sized      = (*server)(nil)
	_ mechanism.Slowing    = (*server)(nil)
)

func newServer(c *Config, s *mechanism.Session, at int) *server {
	n := &server{
		config: c, session: s, servers: c.servers(), length: s.World.Schema().Tick,
		replica: mechanism.NewReplica(s.World, s.Start), pace: pace.New(c.Overload),
	}
	how, _ := area.ParseEncoding(c.Bands) // validated
	land := area.NewMap(s.World, c.Config, !c.streams(s.World)).Survey()
	n.store = newStore(land, at, n.replica.State, how, c.Proxy)
	n.replica.Window.Restrict(n.open)
	n.layer = link.New(c.link(), n.id(), s.Epoch)
	n.layer.Expect(n.knows)
	n.tick = n.state.Tick()
	n.shown = n.state.Clone()
	n.shown.Release()
	n.movers, n.awaited = make([][]mover, c.Len()), map[world.ID]world.Tick{}
	n.members.Members = membership.NewMembers[*member](c.seats(s.World), c.Timeout)
	n.audience = newAudience(n)
	return n
}

func (n *server) id() mechanism.NodeID { return n.servers.Of(n.area) }

// Held is the state that the server works on, copies of others' objects included.
func (n *server) Held() *world.State { return n.state }

// Owns reports whether an object is this server's.
func (n *server) Owns(id world.ID) bool { return n.owns(id) }

// Holds reports whether the server has an object, or a copy of it.
func (n *server) Holds(id world.ID) bool { return n.state.Get(id) != nil || n.heard(id) != nil }

// Simulates is how many objects the server moves in each tick.
func (n *server) Simulates() int { return n.simulates() }

// Wake lets ticks pass, and tells everybody what has come of it.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	n.layer.Wake(now, n, out)
	due := mechanism.TimeOf(n.tick+1, n.length)
	if n.catchUp(now, out) || !n.begun {
		if n.begun {
			n.mind(now, now-due, out)
		}
		n.begun = true
		n.publish(out)
		n.converse(now, out)
		n.audience.look(now)
		n.audience.serve(now, out)
	}
	n.alarm = world.Never
	n.finish(out)
}

// mind takes note of how late a tick is, and slows down or speeds up where that is called for.
func (n *server) mind(now, late world.Time, out *mechanism.Outbox) {
	input.Mind(&n.members.Members, &n.pace, now, late, n.config.interval(n.length), out)
}

// Slowed is how long it is between two updates, in hundredths of how long it ought to be.
func (n *server) Slowed() int { return n.pace.Slowed() }

// Full reports whether newcomers are refused.
func (n *server) Full() bool { return n.pace.Full() }

// Receive takes a client's or another server's message.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	switch {
	case input.Is(m.Payload):
		if !n.receiveClient(now, m, out) {
			out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		}
	case n.knows(m.From):
		n.layer.Receive(now, m, n, out)
	}
	n.finish(out)
}

// knows reports whether a node is one that there is a link to.
func (n *server) knows(id mechanism.NodeID) bool {
	at, ok := n.servers.Area(id)
	return ok && at != n.area || n.members.At(id) != nil
}

// finish charges the work of a call and says when the next is due.
func (n *server) finish(out *mechanism.Outbox) {
	out.Charge(n.work + n.replica.Window.TakeWork() + n.audience.takeWork())
	n.work = 0
	// To ask again for what is asked for already would put it before all that waits, and nobody would know how late that is.
	if next := min(mechanism.TimeOf(n.tick+1, n.length), n.layer.Next()); next < n.alarm {
		n.alarm = next
		out.WakeAt(next)
	}
}

// Deliver takes a message from another server.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	from, ok := n.servers.Area(m.From)
	if !ok {
		return false // clients have nothing to say over links
	}
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindFrame:
		return n.receiveFrame(from, &r, out)
	case kindForward:
		return n.receiveForward(now, &r, out)
	case kindDone:
		u, seq := readPair(&r)
		if r.Done() != nil {
			return false
		}
		n.members.settle(u, seq, n.tick)
		return true
	case kindStay:
		u, stay := readPair(&r)
		if r.Done() != nil {
			return false
		}
		n.learn(u, stay)
		return true
	}
	return false
}

// receiveFrame takes what another server tells and hands over.
func (n *server) receiveFrame(from int, r *wire.Reader, out *mechanism.Outbox) bool {
	n.moved = readMovers(r, n.moved[:0])
	if r.Failed() {
		return false
	}
	f, ok := n.borders[from].Read(r.Rest())
	if !ok {
		return false
	}
	for _, m := range n.moved {
		n.members.acted(m.user, m.seq)
		n.awaited[m.id] = m.since
	}
	for _, l := range f.Landed {
		n.landed(from, l)
	}
	for i := range f.Changes {
		n.see(&f.Changes[i])
	}
	n.work += world.Work(len(f.Changes) + len(f.Handed))
	n.replica.Window.Look(n.state)
	for i := range f.Handed {
		h := &f.Handed[i]
		since := n.awaited[h.Object.ID]
		delete(n.awaited, h.Object.ID)
		if n.roster.Over(h.Object.User, h.Stay) {
			continue // its user left while it was on its way
		}
		n.learn(h.Object.User, h.Stay)
		n.take(&h.Object)
		n.audience.cross(h.Object.ID, since)
		n.replica.Window.Look(n.state)
		out.Report(mechanism.Event{Name: mechanism.Handed, User: h.Object.User, Value: int64(from + 1)})
	}
	return true
}

// learn takes note of a user's coming or going. What is here of somebody who has gone goes too.
func (n *server) learn(u world.User, stay uint32) {
	if n.roster.Learn(u, stay) {
		n.do(&world.Action{User: u, Verb: world.Leave})
	}
}

func (n *server) do(a *world.Action) { n.replica.Do(a) }

// catchUp brings the area to the tick of a time, and reports whether any passed.
func (n *server) catchUp(now world.Time, out *mechanism.Outbox) bool {
	target := mechanism.TickAt(now, n.length)
	if n.tick >= target {
		return false
	}
	for ; n.tick < target; n.tick++ {
		n.execute(now, out)
		n.replica.Advance()
	}
	return true
}

// publish works out what has changed, hands over what has left the area, and notes what is to be told.
func (n *server) publish(out *mechanism.Outbox) {
	for c := range world.Diff(n.shown, n.state) {
		if c.New != nil {
			n.refresh(c.New.ID, c.New, out)
		} else {
			n.refresh(c.Old.ID, nil, out)
		}
	}
	for _, id := range n.touched {
		n.refresh(id, n.state.Get(id), out)
	}
	n.touched = n.touched[:0]
	n.shown.CopyFrom(n.state)
}

// refresh brings up to date what is told of an object, which may be gone.
func (n *server) refresh(id world.ID, o *world.Object, out *mechanism.Outbox) {
	n.work++
	n.audience.note(id)
	if o == nil {
		n.tell(id, nil)
		return
	}
	if n.land.AreaOf(o) != n.area && n.owns(id) {
		to := n.hand(o)
		n.movers[to] = append(n.movers[to], mover{o.ID, n.audience.since(o.ID), o.User, 0})
	}
	if n.shows(id) {
		n.tell(id, o)
	} else {
		n.tell(id, nil)
	}
}

// converse tells the other servers what is new. What a proxy tells all of them alike counts once.
func (n *server) converse(now world.Time, out *mechanism.Outbox) {
	most := 0
	for i, b := range n.borders {
		told := 0
		for more := b != nil; more; {
			for j := range n.movers[i] {
				n.movers[i][j].seq = n.members.latest(n.movers[i][j].user)
			}
			n.buf = wire.AppendList(append(n.buf[:0], kindFrame), n.movers[i], appendMover)
			n.movers[i] = n.movers[i][:0]
			head := len(n.buf)
			n.buf, more = b.Append(n.buf, n.tick, n.config.Datagram-frameMargin)
			if len(n.buf) > head {
				n.layer.Send(now, n.servers.Of(i), mechanism.Border, n.buf, link.Ordered, out)
				told += b.TakeItems()
			}
		}
		if !n.config.Proxy {
			out.Count(mechanism.Border, told)
		}
		most = max(most, told)
	}
	if n.config.Proxy {
		out.Count(mechanism.Border, most)
	}
}

// frameMargin is what a link adds to a message, at most.
const frameMargin = 32

// others are the other servers' nodes.
func (n *server) others() []mechanism.NodeID {
	var ids []mechanism.NodeID
	for i := range n.servers.Count {
		if i != n.area {
			ids = append(ids, n.servers.Of(i))
		}
	}
	return ids
}

// Bytes is the memory that the node's structures hold.
func (n *server) Bytes() int {
	sum := n.state.Bytes() + n.layer.Bytes() + n.audience.bytes() + cap(n.buf)
	for _, b := range n.borders {
		if b != nil {
			sum += b.Bytes()
		}
	}
	return sum
}

// sortOrders puts the actions of a tick in the order in which all servers would carry them out.
func sortOrders(queue []order) {
	slices.SortStableFunc(queue, func(a, b order) int {
		if a.action.Before(&b.action) {
			return -1
		}
		if b.action.Before(&a.action) {
			return 1
		}
		return 0
	})
}

package interest

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/line"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	line.Member
	slot     int      // says in which ticks it is served
	accepted uint32   // the last of its user's actions that was taken
	open     []uint32 // those of them that have not been dealt with, in order
}

// settle notes that an action has been dealt with. The client is told of as many as have all been.
func (m *member) settle(seq uint32, now world.Tick) {
	i, found := slices.BinarySearch(m.open, seq)
	if !found {
		return // of an earlier life
	}
	m.open = slices.Delete(m.open, i, i+1)
	m.Executed, m.ExecutedAt = m.accepted, now
	if len(m.open) > 0 {
		m.Executed = m.open[0] - 1
	}
}

// members are the clients that have joined, and what users have done.
type members struct {
	list  []*member // in the order of their coming
	nodes line.Directory[mechanism.NodeID, member]
	users line.Directory[world.User, member]
	last  line.Directory[world.User, uint32] // the latest action carried out here
	slots int
}

func (m *members) settle(u world.User, seq uint32, now world.Tick) {
	if x := m.users.Get(u); x != nil {
		x.settle(seq, now)
	}
}

// acted notes that a user's action was carried out here.
func (m *members) acted(u world.User, seq uint32) {
	if last := m.last.Get(u); last != nil {
		*last = max(*last, seq)
	} else {
		first := seq
		m.last.Set(u, &first)
	}
}

// latest is the last action of a user that was carried out here, zero if none was.
func (m *members) latest(u world.User) uint32 {
	if last := m.last.Get(u); last != nil {
		return *last
	}
	return 0
}

func (m *members) add(x *member) {
	x.slot = m.slots
	m.slots++
	m.list = append(m.list, x)
	m.nodes.Set(x.Node, x)
	m.users.Set(x.User, x)
}

func (m *members) remove(x *member) {
	m.list = slices.DeleteFunc(m.list, func(y *member) bool { return y == x })
	m.nodes.Set(x.Node, nil)
	m.users.Set(x.User, nil)
}

// receiveLine takes a message of a client's line.
func (n *server) receiveLine(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case line.KindJoin:
		return n.receiveJoin(now, m.From, &r, out)
	case line.KindLeave:
		e := line.ReadEpoch(&r)
		if r.Done() != nil {
			return false
		}
		if x := n.members.nodes.Get(m.From); x != nil && x.Epoch == e {
			n.dismiss(now, x, out)
		}
		return true
	case line.KindInput:
		return n.receiveInput(now, m.From, &r, out)
	}
	return false
}

// receiveInput takes what a client has received and what its user does.
func (n *server) receiveInput(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	line.ReadInput(r, &n.in)
	if r.Done() != nil {
		return false
	}
	m := n.members.nodes.Get(from)
	if m == nil {
		return true // from somebody who has yet to join
	}
	fresh, sound := m.Take(now, &n.in, n.session.World.Schema())
	for i := range fresh {
		n.order = order{action: fresh[i], origin: n.area, drop: !m.Allow(n.tick, n.config.Actions)}
		if n.order.drop {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: m.User, Seq: fresh[i].Seq})
		}
		m.accepted = fresh[i].Seq
		m.open = append(m.open, m.accepted)
		n.route(now, out)
	}
	return sound
}

// refused is the event of a client that wants to join but may not: Value is its node.
const refused = "refused"

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *server) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	e, u := line.ReadJoin(r)
	if r.Done() != nil {
		return false
	}
	was := n.members.nodes.Get(from)
	switch {
	case was != nil && was.Epoch == e:
		was.Again()
		return true
	case was != nil && !e.After(was.Epoch):
		return true // of an earlier life
	case !n.welcome(from, u):
		out.Report(mechanism.Event{Name: refused, User: u, Value: int64(from)})
		return true
	case was != nil:
		n.forget(was)
	}
	m := &member{Member: line.NewMember(from, u, e, update.NewPrompt(n.audience.table, update.Nobody), now, n.tick)}
	n.members.add(m)
	if n.config.home(u) == n.area && !n.roster.Present(u) {
		n.turn(now, u, world.Enter, out)
	}
	n.audience.join(now, m, out)
	return true
}

// welcome says whether a node may join as a user: each user has one place, and so each node one user. Users beyond those
// that the world begins with are welcome where the world can take them in.
func (n *server) welcome(from mechanism.NodeID, u world.User) bool {
	return u != 0 && from == n.config.Admit(u).ID && (n.inhabited() || u <= n.session.World.Users())
}

func (n *server) inhabited() bool {
	_, ok := n.session.World.(world.Inhabited)
	return ok
}

// dismiss forgets a client. At home, its user leaves the world.
func (n *server) dismiss(now world.Time, m *member, out *mechanism.Outbox) {
	n.forget(m)
	if n.config.home(m.User) == n.area && n.roster.Present(m.User) {
		n.turn(now, m.User, world.Leave, out)
	}
}

func (n *server) forget(m *member) {
	n.audience.leave(m)
	n.members.remove(m)
}

// turn lets a user into the world or out of it, and tells the other servers.
func (n *server) turn(now world.Time, u world.User, verb world.VerbID, out *mechanism.Outbox) {
	if !n.inhabited() {
		return
	}
	stay := n.roster.Turn(u)
	n.banish(u)
	n.replica.Window.Look(n.state)
	n.do(&world.Action{User: u, Verb: verb})
	n.buf = appendStay(n.buf[:0], u, stay)
	n.layer.SendAll(now, n.others(), mechanism.Control, n.buf, link.Ordered, out)
}

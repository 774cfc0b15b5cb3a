package interest

import (
	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	input.Member
	slot int // says in which ticks it is served
}

// members are the clients that have joined, and what users have done.
type members struct {
	membership.Members[*member]
	last  membership.ByUser[uint32] // the latest action carried out here
	slots int
}

func (m *members) settle(u world.User, seq uint32, now world.Tick) {
	if x := m.Of(u); x != nil {
		x.Settle(seq, now)
	}
}

// acted notes that a user's action was carried out here.
func (m *members) acted(u world.User, seq uint32) { m.last.Set(u, max(m.last.Get(u), seq)) }

// latest is the last action of a user that was carried out here, zero if none was.
func (m *members) latest(u world.User) uint32 { return m.last.Get(u) }

// receiveClient takes a client's message.
func (n *server) receiveClient(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case input.KindJoin:
		return n.receiveJoin(now, m.From, &r, out)
	case input.KindLeave:
		who := membership.ReadIdentity(&r)
		if r.Done() != nil {
			return false
		}
		if x := n.members.Leaver(now, m.From, who); x != nil {
			n.dismiss(now, x, out)
		}
		n.disown(m.From, who.Tag(), out)
		return true
	case input.KindInput:
		return n.receiveInput(now, m.From, &r, out)
	}
	return false
}

// receiveInput takes what a client has received and what its user does.
func (n *server) receiveInput(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	input.ReadInput(r, &n.in)
	if r.Done() != nil {
		return false
	}
	m := n.members.At(from)
	if m == nil {
		n.disown(from, n.in.Tag, out)
		return true
	}
	fresh, sound := m.Take(now, &n.in, n.session.World.Schema())
	for i := range fresh {
		n.order = order{action: fresh[i], origin: n.area, drop: !m.Allow(n.tick, n.config.Actions)}
		if n.order.drop {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: m.User, Seq: fresh[i].Seq})
		}
		m.Open(fresh[i].Seq)
		n.route(now, out)
	}
	return sound
}

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *server) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, was, welcome, sound := input.ReceiveJoin(&n.members.Members, n.Full(), now, from, r, out)
	if !welcome {
		return sound
	}
	if was != nil {
		n.forget(now, was)
	}
	n.admit(now, who, out)
	return true
}

// admit makes a client a member. At home, its user enters the world.
func (n *server) admit(now world.Time, who membership.Member, out *mechanism.Outbox) {
	m := &member{Member: input.NewMember(who, update.NewPrompt(n.audience.table, update.Nobody), &n.pace), slot: n.members.slots}
	n.members.slots++
	n.members.Add(m)
	if n.config.home(m.User) == n.area && !n.roster.Present(m.User) {
		n.turn(now, m.User, world.Enter, out)
	}
	n.audience.join(now, m, out)
}

// disown tells somebody that it is no member.
func (n *server) disown(to mechanism.NodeID, tag uint16, out *mechanism.Outbox) {
	if n.members.Seats().User(to) == 0 {
		return
	}
	n.buf = input.AppendUnknown(n.buf[:0], tag)
	out.Send(to, mechanism.Control, n.buf)
}

func (n *server) inhabited() bool {
	_, ok := n.session.World.(world.Inhabited)
	return ok
}

// dismiss forgets a client. At home, its user leaves the world.
func (n *server) dismiss(now world.Time, m *member, out *mechanism.Outbox) {
	n.forget(now, m)
	if n.config.home(m.User) == n.area && n.roster.Present(m.User) {
		n.turn(now, m.User, world.Leave, out)
	}
}

func (n *server) forget(now world.Time, m *member) {
	n.audience.leave(m)
	n.members.Remove(now, m)
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

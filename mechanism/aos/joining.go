package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// admit takes a datagram from a node that is not known: it may want to join.
func (n *server) admit(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	for part := range link.Parts(n.config.Link, m.Payload) {
		r := wire.NewReader(part.Payload)
		if r.Byte() != kindJoin {
			return
		}
		epoch, u := readJoin(&r)
		if r.Done() != nil || n.config.Admit(u).ID != m.From || !n.welcome(u) {
			return
		}
		n.welcomeMember(now, n.members.add(m.From, u, epoch), out)
		n.rest(now, out)
		return
	}
}

// welcome says whether a user may be in the world: beyond those that it begins with only where it can take them in.
func (n *server) welcome(u world.User) bool {
	_, inhabited := n.session.World.(world.Inhabited)
	return u != 0 && (inhabited || u <= n.session.World.Users())
}

// takeJoin takes that a client's place has a new holder, or that one has not heard of its welcome.
func (n *server) takeJoin(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch, u := readJoin(r)
	if r.Done() != nil || u != x.user {
		return false
	}
	if epoch > x.epoch {
		n.dismiss(now, x, out)
		number := x.told.number
		x = n.members.add(x.node, u, epoch)
		x.told.number = number
		n.welcomeMember(now, x, out)
	}
	return true
}

// welcomeMember greets a client, whose user enters the world if the user is not in it.
func (n *server) welcomeMember(now world.Time, x *member, out *mechanism.Outbox) {
	n.links.Meet(x.node, x.epoch)
	x.joined = true
	n.send(now, x.node, mechanism.Control, append(n.buf[:0], kindWelcome), out)
	if n.home(x.user) && !n.roster.Present(x.user) {
		n.stay(now, x.user, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.user, Verb: world.Enter})
	}
}

// home reports whether this server keeps the roster for a user.
func (n *server) home(u world.User) bool { return int(u)%n.config.Len() == n.area }

// stay begins a user's stay in the world or ends it, and tells all servers.
func (n *server) stay(now world.Time, u world.User, out *mechanism.Outbox) {
	number := n.roster.Turn(u)
	n.buf = wire.AppendUint(append(n.buf[:0], kindStay), uint64(u))
	n.buf = wire.AppendUint(n.buf, uint64(number))
	for i := range n.config.Len() {
		if i != n.area {
			n.links.Send(now, n.servers.Of(i), mechanism.Control, n.buf, link.Ordered, out)
		}
	}
}

// takeStay takes that a user has come or gone. What is here of one who has gone goes too.
func (n *server) takeStay(r *wire.Reader) (sound bool) {
	u, number := world.User(readUint32(r)), readUint32(r)
	if r.Done() != nil || !n.welcome(u) {
		return false
	}
	if n.roster.Learn(u, number) {
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: u, Verb: world.Leave})
	}
	return true
}

// takeLeave lets a client go.
func (n *server) takeLeave(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch := readUint32(r)
	if r.Done() != nil {
		return false
	}
	if epoch != x.epoch || !x.joined {
		return true
	}
	n.dismiss(now, x, out)
	x.joined = false
	if n.home(x.user) && n.roster.Present(x.user) {
		n.stay(now, x.user, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.user, Verb: world.Leave})
	}
	return true
}

// dismiss ends all that is under way with a client.
func (n *server) dismiss(now world.Time, x *member, out *mechanism.Outbox) {
	n.abandon(x)
	for _, s := range x.also {
		n.publisher.cover(x.user, s.area-1, false)
	}
	x.also = nil
	if x.simulates {
		n.demote(now, x, answerGranted, out)
	}
	if x.told.node != 0 {
		n.tell(now, x, 0, out)
	}
}

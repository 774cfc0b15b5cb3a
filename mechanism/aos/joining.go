package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// takeJoin lets a client in. One that was there in an earlier life begins anew.
func (n *server) takeJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, u := readJoin(r)
	if r.Done() != nil {
		return false
	}
	switch was, verdict := n.members.Judge(now, from, u, who); verdict {
	case membership.Refused:
		return false
	case membership.Known:
		n.greet(now, was, out)
	case membership.Welcome:
		if was != nil {
			n.dismiss(now, was, out)
		}
		n.admit(now, membership.Member{Node: from, User: u, Identity: who, Heard: now}, out)
	}
	return true
}

// admit makes a client a member. At home its user enters the world, if the user is not in it.
func (n *server) admit(now world.Time, who membership.Member, out *mechanism.Outbox) {
	x := &member{Member: who}
	x.told.number = n.members.tellings
	n.members.Add(x)
	n.links.Meet(x.Node, who.Identity.Epoch)
	n.greet(now, x, out)
	if n.home(x.User) && !n.roster.Present(x.User) {
		n.stay(now, x.User, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.User, Verb: world.Enter})
	}
}

// greet tells a client that it is a member, and of whom.
func (n *server) greet(now world.Time, x *member, out *mechanism.Outbox) {
	n.buf = appendStanding(n.buf[:0], kindWelcome, x.Identity, n.session.Epoch)
	n.links.Send(now, x.Node, mechanism.Control, n.buf, link.Unreliable, out)
}

// disown tells a node that it is no member, in the life that it spoke of if it did.
func (n *server) disown(now world.Time, to mechanism.NodeID, who membership.Identity, out *mechanism.Outbox) {
	n.buf = appendStanding(n.buf[:0], kindGone, who, n.session.Epoch)
	n.links.Send(now, to, mechanism.Control, n.buf, link.Unreliable, out)
}

// home reports whether this server answers for a user.
func (n *server) home(u world.User) bool { return n.config.home(u) == n.area }

// stay begins a user's stay in the world or ends it, and tells all servers.
func (n *server) stay(now world.Time, u world.User, out *mechanism.Outbox) {
	number := n.roster.Turn(u)
	for i := range n.peers {
		if i != n.area {
			n.sayStay(now, i, u, number, out)
		}
	}
}

func (n *server) sayStay(now world.Time, to int, u world.User, number uint32, out *mechanism.Outbox) {
	n.buf = wire.AppendUint(append(n.buf[:0], kindStay), uint64(u))
	n.buf = wire.AppendUint(n.buf, uint64(number))
	n.tellServer(now, to, mechanism.Control, n.buf, out)
}

// takeStay takes that a user has come or gone. What is here of one who has gone goes too.
func (n *server) takeStay(r *wire.Reader) (sound bool) {
	u, number := world.User(readUint32(r)), readUint32(r)
	if r.Done() != nil || u == 0 || u > n.members.Seats().Users() {
		return false
	}
	if n.roster.Learn(u, number) {
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: u, Verb: world.Leave})
	}
	return true
}

// takeLeave lets a client go, and tells it that it has gone.
func (n *server) takeLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who := membership.ReadIdentity(r)
	if r.Done() != nil {
		return false
	}
	if x := n.members.Leaver(now, from, who); x != nil {
		n.part(now, x, out)
	}
	n.disown(now, from, who, out)
	return true
}

// part goes on without a client. At home its user leaves the world.
func (n *server) part(now world.Time, x *member, out *mechanism.Outbox) {
	n.dismiss(now, x, out)
	if n.home(x.User) && n.roster.Present(x.User) {
		n.stay(now, x.User, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.User, Verb: world.Leave})
	}
}

// dismiss ends all that is under way with a client, and forgets it.
func (n *server) dismiss(now world.Time, x *member, out *mechanism.Outbox) {
	n.abandon(x)
	for _, s := range x.also {
		n.publisher.cover(x.User, s.area-1, false)
	}
	x.also = nil
	if x.simulates {
		n.demote(now, x, answerGranted, out)
	}
	if x.told.node != 0 {
		n.tell(now, x, 0, out)
	}
	n.members.tellings = max(n.members.tellings, x.told.number)
	n.members.Remove(now, x)
	n.links.Forget(x.Node)
}

// partSilent goes on without clients that have not been heard of for too long. That is for the server that is home to the
// user to notice, which has the others do the same: they may have nothing to do with a client for hours.
func (n *server) partSilent(now world.Time, out *mechanism.Outbox) {
	if now < n.lookAt {
		return
	}
	if n.lookAt == 0 { // nobody could have been heard of before
		for _, x := range n.members.All() {
			x.Heard = now
		}
	}
	n.lookAt = now + n.config.Timeout/hereShare
	for x := range n.members.Silent(now) {
		switch {
		case n.home(x.User):
			n.buf = wire.AppendUint(x.Identity.Append(append(n.buf[:0], kindParted)), uint64(x.User))
			n.tellServers(now, n.buf, out)
			n.part(now, x, out)
		case n.links.Busy(x.Node) && x.Silent(now, 2*n.config.Timeout): // who is to notice may be gone itself
			n.part(now, x, out)
		}
	}
}

// takeParted takes from the server that is home to a user that the user's client is gone.
func (n *server) takeParted(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, u := membership.ReadIdentity(r), world.User(readUint32(r))
	if r.Done() != nil {
		return false
	}
	if x := n.members.Leaver(now, n.members.Seats().Node(u), who); x != nil {
		n.part(now, x, out)
	}
	return true
}

// hereShare is how many times a client that has nothing else to say says that it is there before it is taken for gone.
const hereShare = 3

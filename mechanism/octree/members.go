package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	input.Member
	slot int // says in which pulses it is served
	set  sight.Set

	budget allowance
	placed placed
}

// standing is whether a user is this server's to let in and out.
type standing uint8

const (
	byDefault standing = iota // as it was at the start
	mine
	others
)

// isMine reports whether a user is this server's.
func (n *server) isMine(u world.User) bool {
	switch n.mine.Get(u) {
	case mine:
		return true
	case others:
		return false
	}
	return !n.late && n.config.home(u) == n.number
}

// pendingClaim is a user whose client has come here from another server: storage nodes are asked what there is of the user.
type pendingClaim struct {
	claim
	replies []int // the storage nodes that have answered
	present bool  // there is something of the user's
	due     world.Time
}

// absence is a user whose client has gone without a word.
type absence struct {
	user  world.User
	until world.Time
}

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
			n.forget(now, x)
			n.pass(x.User, world.Leave)
		}
		n.disown(m.From, who.Tag(), out)
		return true
	case input.KindInput:
		return n.receiveInput(now, m.From, &r, out)
	}
	return false
}

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *server) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, was, welcome, sound := input.ReceiveJoin(&n.members, false, now, from, r, out)
	if !welcome {
		return sound
	}
	if was != nil {
		n.forget(now, was)
	}
	n.admit(now, who)
	return true
}

// admit makes a client a member. Its user enters the world, once it is known not to be there.
func (n *server) admit(now world.Time, who membership.Member) {
	m := &member{Member: input.NewMember(who, update.NewSender(n.table, n.ranker(), who.User), &n.pace), slot: int(who.User), budget: n.newAllowance(now), placed: newPlaced(now)}
	n.resume(who.User, &m.budget)
	n.members.Add(m)
	if n.config.Balancers > 0 {
		n.came = append(n.came, who.User)
	}
	n.absent = slices.DeleteFunc(n.absent, func(a absence) bool { return a.user == who.User })
	if n.isMine(who.User) {
		n.pass(who.User, world.Enter)
		return
	}
	n.drop(who.User)
	n.claims = append(n.claims, pendingClaim{claim: claim{who.User, who.Identity}, due: now})
}

// drop forgets what storage nodes were asked about a user.
func (n *server) drop(u world.User) {
	n.claims = slices.DeleteFunc(n.claims, func(c pendingClaim) bool { return c.user == u })
}

// pending reports whether it is not known yet what there is of a user.
func (n *server) pending(u world.User) bool {
	return slices.ContainsFunc(n.claims, func(c pendingClaim) bool { return c.user == u })
}

// pass lets a user into the world or out of it, where users come and go.
func (n *server) pass(u world.User, verb world.VerbID) {
	n.act = world.Action{User: u, Verb: verb}
	n.replica.Do(&n.act)
}

// disown tells somebody that it is no member.
func (n *server) disown(to mechanism.NodeID, tag uint16, out *mechanism.Outbox) {
	if n.members.Seats().User(to) == 0 {
		return
	}
	n.buf = input.AppendUnknown(n.buf[:0], tag)
	out.Send(to, mechanism.Control, n.buf)
}

func (n *server) forget(now world.Time, m *member) {
	n.members.Remove(now, m)
	n.unplace(m)
	n.drop(m.User)
}

// adopt notes that something of a user's is here, whose client may not be.
func (n *server) adopt(u world.User) {
	n.mine.Set(u, mine)
	m := n.members.Of(u)
	if m == nil {
		if !slices.ContainsFunc(n.absent, func(a absence) bool { return a.user == u }) {
			n.absent = append(n.absent, absence{u, mechanism.TimeOf(n.tick, n.length) + n.config.Absence})
		}
		return
	}
	n.drop(u)
}

// press asks storage nodes again what there is of users who have come, and has users leave whose clients stay away.
func (n *server) press(now world.Time, out *mechanism.Outbox) {
	for i := range n.claims {
		c := &n.claims[i]
		if now < c.due {
			continue
		}
		c.due = now + n.config.beat()
		n.buf = c.append(append(n.buf[:0], kindClaim))
		for j := range n.config.Storage {
			n.tell(now, n.config.storageNode(j), mechanism.Control, n.buf, out)
		}
	}
	for i := len(n.absent) - 1; i >= 0; i-- {
		if a := n.absent[i]; now >= a.until {
			n.absent = slices.Delete(n.absent, i, i+1)
			if n.isMine(a.user) {
				n.pass(a.user, world.Leave)
			}
		}
	}
	n.urge(now, out)
	n.insist(now, out)
	n.bid(now)
}

// takeClaimed takes whether a storage node has something of a user's. A user of whom so many have nothing that there can be nothing
// is this server's, and enters.
func (n *server) takeClaimed(now world.Time, storage int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	said := readClaim(r)
	present := r.UintMax(1) == 1
	if r.Done() != nil {
		return false
	}
	i := slices.IndexFunc(n.claims, func(c pendingClaim) bool { return c.claim == said })
	if i < 0 {
		return true
	}
	c := &n.claims[i]
	if present {
		c.present = true
	}
	if !slices.Contains(c.replies, storage) {
		c.replies = append(c.replies, storage)
	}
	if len(c.replies) >= n.config.Storage-n.config.spare() && !c.present {
		n.claims = slices.Delete(n.claims, i, i+1)
		n.mine.Set(said.user, mine)
		n.pass(said.user, world.Enter)
	}
	return true
}

// takeCede takes that a user's client has gone to another server: what the user has is that server's to answer for.
func (n *server) takeCede(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	c := readClaim(r)
	to := int(r.UintMax(serversMax))
	if r.Done() != nil || to >= n.config.Servers {
		return false
	}
	m := n.members.Of(c.user)
	if to == n.number || m != nil && m.Identity.After(c.who) {
		return true // it has come back since
	}
	if m != nil {
		n.forget(now, m)
	}
	n.mine.Set(c.user, others)
	n.absent = slices.DeleteFunc(n.absent, func(a absence) bool { return a.user == c.user })
	n.writer.gather()
	n.ids = append(n.ids[:0], n.field.Owned(c.user)...)
	for o := range n.replica.State.All() {
		if o.User == c.user && !slices.Contains(n.ids, o.ID) {
			n.ids = append(n.ids, o.ID)
		}
	}
	for _, id := range n.ids {
		if o := n.replica.State.Get(id); o != nil && n.owns(id) {
			n.hand(o, to, out)
		}
	}
	return true
}

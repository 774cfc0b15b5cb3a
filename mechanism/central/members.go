package central

import (
	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	input.Member
	slot    int
	strayed int // how often in a row it was heard from long before its slot
	set     sight.Set
	reach   fixed.F // how far away those are of whom it gets previews in a crowd
	near    int     // how many they are
	looked  int     // objects that might have been looked at since the set was brought up to date
	budget  update.Budget
}

// executed is the last action of a user that was carried out, zero if the user is not there.
func (n *authority) executed(u world.User) uint32 {
	if x := n.members.Of(u); x != nil {
		return x.Executed
	}
	return 0
}

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *authority) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, was, welcome, sound := input.ReceiveJoin(&n.members, n.Full(), now, from, r, out)
	if !welcome {
		return sound
	}
	if was != nil {
		n.forget(now, was)
	}
	n.admit(now, who)
	return true
}

// admit makes a client a member. Its user enters the world.
func (n *authority) admit(now world.Time, who membership.Member) {
	m := &member{Member: input.NewMember(who, update.NewSender(n.table, n.ranker(), who.User), &n.pace)}
	m.budget = update.NewBudget(n.config.Budget, n.share(), now)
	m.budget.Slow(n.rate())
	n.members.Add(m)
	n.schedule.add(m)
	n.do(&world.Action{User: who.User, Verb: world.Enter})
}

// share is what the budget may save up: what an update gets of it, or enough for any datagram.
func (n *authority) share() int {
	return max(int(int64(n.config.Budget)*int64(n.schedule.interval)/int64(world.Second)), n.config.Datagram)
}

// receiveLeave lets a client go, and tells it that it has gone.
func (n *authority) receiveLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who := membership.ReadIdentity(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.Leaver(now, from, who); m != nil {
		n.dismiss(now, m)
	}
	n.disown(from, who.Tag(), out)
	return true
}

// disown tells somebody that it is no member.
func (n *authority) disown(to mechanism.NodeID, tag uint16, out *mechanism.Outbox) {
	if n.members.Seats().User(to) == 0 {
		return
	}
	n.buf = input.AppendUnknown(n.buf[:0], tag)
	out.Send(to, mechanism.Control, n.buf)
}

// dismiss takes a client's user out of the world and forgets it.
func (n *authority) dismiss(now world.Time, m *member) {
	n.do(&world.Action{User: m.User, Verb: world.Leave})
	n.forget(now, m)
}

func (n *authority) forget(now world.Time, m *member) {
	n.members.Remove(now, m)
	n.schedule.remove(m)
	for i := range n.queue {
		if n.queue[i].member == m {
			n.queue[i].drop = true
		}
	}
}

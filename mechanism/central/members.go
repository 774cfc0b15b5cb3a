package central

import (
	"throng/mechanism"
	"throng/mechanism/parts/line"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	line.Member
	slot    int
	strayed int // how often in a row it was heard from long before its slot
	set     sight.Set
	reach   fixed.F // how far away those are of whom it gets previews in a crowd
	near    int     // how many they are
	looked  int     // objects that might have been looked at since the set was brought up to date
	budget  update.Budget
}

// members are the clients that have joined, by node and by user.
type members struct {
	nodes line.Directory[mechanism.NodeID, member]
	users line.Directory[world.User, member]
	count int
}

// executed is the last action of a user that was carried out, zero if the user is not there.
func (m *members) executed(u world.User) uint32 {
	if x := m.users.Get(u); x != nil {
		return x.Executed
	}
	return 0
}

func (m *members) add(x *member) {
	m.nodes.Set(x.Node, x)
	m.users.Set(x.User, x)
	m.count++
}

func (m *members) remove(x *member) {
	m.nodes.Set(x.Node, nil)
	m.users.Set(x.User, nil)
	m.count--
}

// refused is the event of a client that wants to join but may not: Value is its node.
const refused = "refused"

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *authority) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	e, u := line.ReadJoin(r)
	if r.Done() != nil {
		return false
	}
	was := n.members.nodes.Get(from)
	if was != nil && was.Epoch == e {
		was.Again()
		return true
	}
	if was != nil && !e.After(was.Epoch) {
		return true // of an earlier life
	}
	if !n.welcome(from, u) || was == nil && n.members.count == n.config.Clients {
		out.Report(mechanism.Event{Name: refused, User: u, Value: int64(from)})
		return true
	}
	if was != nil {
		n.forget(was)
	}
	sender := update.NewSender(n.table, n.ranker(), u)
	m := &member{Member: line.NewMember(from, u, e, sender, now, n.tick)}
	m.budget = update.NewBudget(n.config.Budget, n.share(), now)
	n.members.add(m)
	n.schedule.add(m)
	n.do(&world.Action{User: u, Verb: world.Enter})
	return true
}

// share is what the budget may save up: what an update gets of it, or enough for any datagram.
func (n *authority) share() int {
	return max(int(int64(n.config.Budget)*int64(n.schedule.interval)/int64(world.Second)), n.config.Datagram)
}

// welcome says whether a node may join as a user: each user has one place, and so each node one user. Users beyond those
// that the world begins with are welcome where the world can take them in.
func (n *authority) welcome(from mechanism.NodeID, u world.User) bool {
	_, inhabited := n.session.World.(world.Inhabited)
	return u != 0 && from == n.config.Admit(u).ID && (inhabited || u <= n.session.World.Users())
}

// receiveLeave lets a client go.
func (n *authority) receiveLeave(from mechanism.NodeID, r *wire.Reader) (sound bool) {
	e := line.ReadEpoch(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.nodes.Get(from); m != nil && m.Epoch == e {
		n.dismiss(m)
	}
	return true
}

// dismiss takes a client's user out of the world and forgets it.
func (n *authority) dismiss(m *member) {
	n.do(&world.Action{User: m.User, Verb: world.Leave})
	n.forget(m)
}

func (n *authority) forget(m *member) {
	n.members.remove(m)
	n.schedule.remove(m)
	for i := range n.queue {
		if n.queue[i].member == m {
			n.queue[i].drop = true
		}
	}
}

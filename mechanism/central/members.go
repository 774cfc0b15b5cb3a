package central

import (
	"throng/mechanism"
	"throng/mechanism/sight"
	"throng/mechanism/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// member is a client that has joined.
type member struct {
	node  mechanism.NodeID
	user  world.User
	epoch epoch
	slot  int

	sender   *update.Sender
	set      sight.Set
	reach    fixed.F // how far its user sees objects by themselves
	crowds   []int32 // the handles of crowds in which its user sees all others
	looked   int     // objects that might have been looked at since the set was brought up to date
	budget   update.Budget
	heard    world.Time // when it last said something new
	spoke    world.Time // when it was last sent something
	answered uint32     // the action of which it was last told that it was carried out

	accepted   uint32 // the last of its user's actions that was taken
	executed   uint32 // the last that was carried out
	executedAt world.Tick
	allowance  int        // actions that may be taken now
	allowed    world.Tick // when that was last raised
}

// saved is how many actions' allowance may be saved up: as many as a client repeats, so that nobody's are dropped for
// having been held up.
const saved = actionsMax

// allow reports whether one more action may be carried out.
func (m *member) allow(now world.Tick, perTick int) bool {
	if passed := now - m.allowed; passed > 0 {
		m.allowance = min(m.allowance+int(min(passed, saved))*perTick, max(saved, perTick))
		m.allowed = now
	}
	if m.allowance == 0 {
		return false
	}
	m.allowance--
	return true
}

// members are the clients that have joined, by node and by user.
type members struct {
	nodes directory[mechanism.NodeID]
	users directory[world.User]
	count int
}

func newMembers() members {
	return members{
		nodes: directory[mechanism.NodeID]{high: map[mechanism.NodeID]*member{}},
		users: directory[world.User]{high: map[world.User]*member{}},
	}
}

// executed is the last action of a user that was carried out, zero if the user is not there.
func (m *members) executed(u world.User) uint32 {
	if x := m.users.get(u); x != nil {
		return x.executed
	}
	return 0
}

func (m *members) add(x *member) {
	m.nodes.set(x.node, x)
	m.users.set(x.user, x)
	m.count++
}

func (m *members) remove(x *member) {
	m.nodes.set(x.node, nil)
	m.users.set(x.user, nil)
	m.count--
}

// directory finds members by numbers that are mostly small and dense: those it has in a list, others in a map.
type directory[K ~uint32] struct {
	low  []*member
	high map[K]*member
}

// lowMax is where the map begins.
const lowMax = 1 << 17

func (d *directory[K]) get(k K) *member {
	if int(k) < len(d.low) {
		return d.low[k]
	}
	if k < lowMax {
		return nil
	}
	return d.high[k]
}

func (d *directory[K]) set(k K, m *member) {
	switch {
	case k < lowMax:
		for len(d.low) <= int(k) {
			d.low = append(d.low, nil)
		}
		d.low[k] = m
	case m == nil:
		delete(d.high, k)
	default:
		d.high[k] = m
	}
}

// refused is the event of a client that wants to join but may not: Value is its node.
const refused = "refused"

// receiveJoin lets a client in. One that was there in an earlier life begins anew.
func (n *authority) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	e, u := readJoin(r)
	if r.Done() != nil {
		return false
	}
	was := n.members.nodes.get(from)
	if was != nil && !e.after(was.epoch) {
		return true // repeated, or of an earlier life
	}
	if !n.welcome(from, u) || was == nil && n.members.count == n.config.Clients {
		out.Report(mechanism.Event{Name: refused, User: u, Value: int64(from)})
		return true
	}
	if was != nil {
		n.forget(was)
	}
	m := &member{node: from, user: u, epoch: e, heard: now, spoke: now, allowance: saved, allowed: n.tick, reach: n.field.Sight()}
	m.sender = update.NewSender(n.table, n.ranker(), u)
	m.budget = update.NewBudget(n.config.Budget, n.share(), now)
	n.members.add(m)
	n.rota.add(m)
	n.do(&world.Action{User: u, Verb: world.Enter})
	return true
}

// share is what the budget may save up: what an update gets of it, or enough for any datagram.
func (n *authority) share() int {
	return max(int(int64(n.config.Budget)*int64(n.rota.interval)/int64(world.Second)), n.config.Datagram)
}

// welcome says whether a node may join as a user: each user has one place, and so each node one user. Users beyond those
// that the world begins with are welcome where the world can take them in.
func (n *authority) welcome(from mechanism.NodeID, u world.User) bool {
	_, inhabited := n.session.World.(world.Inhabited)
	return u != 0 && from == n.config.Admit(u).ID && (inhabited || u <= n.session.World.Users())
}

// receiveLeave lets a client go.
func (n *authority) receiveLeave(from mechanism.NodeID, r *wire.Reader) (sound bool) {
	e := readEpoch(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.nodes.get(from); m != nil && m.epoch == e {
		n.dismiss(m)
	}
	return true
}

// dismiss takes a client's user out of the world and forgets it.
func (n *authority) dismiss(m *member) {
	n.do(&world.Action{User: m.user, Verb: world.Leave})
	n.forget(m)
}

func (n *authority) forget(m *member) {
	n.members.remove(m)
	n.rota.remove(m)
	for i := range n.queue {
		if n.queue[i].member == m {
			n.queue[i].drop = true
		}
	}
}

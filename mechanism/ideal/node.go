package ideal

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/world"
)

// node is one peer.
type node struct {
	replica mechanism.Replica
	begin   *world.State   // the world at the beginning of the tick, before any of its actions
	actions []world.Action // those of the tick, in the order in which they are carried out
	tick    world.Tick
	session *mechanism.Session
	peers   []mechanism.NodeID
	buf     []byte
}

func newNode(s *mechanism.Session, p mechanism.Place) *node {
	n := &node{
		replica: mechanism.NewReplica(s.World, s.Start),
		session: s,
		peers:   s.Others(p.ID),
	}
	n.begin = n.replica.State.Clone()
	n.tick = n.begin.Tick()
	return n
}

// View is the world in this tick.
func (n *node) View() *world.State { return n.replica.State }

// Wake brings the next tick.
func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	n.catchUp(now)
	out.Charge(n.replica.Window.TakeWork())
	out.WakeAt(mechanism.TimeOf(n.tick+1, n.length()))
}

// Act carries an action out and tells everybody.
func (n *node) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.catchUp(now)
	n.insert(&a, out)
	n.buf = appendCommand(n.buf[:0], n.tick, &a)
	out.SendAll(n.peers, mechanism.Command, n.buf)
	out.Charge(n.replica.Window.TakeWork())
}

// Receive carries out somebody else's action.
func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if !slices.Contains(n.peers, m.From) {
		return
	}
	tick, a, err := readCommand(m.Payload)
	if err != nil || a.User != n.session.Places[m.From-1].User || n.replica.World.Schema().CheckAction(&a) != nil {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.catchUp(now)
	if tick != n.tick {
		behind := mechanism.TimeOf(n.tick-tick, n.length())
		out.Report(mechanism.Event{Name: mechanism.Late, User: a.User, Seq: a.Seq, Value: int64(behind)})
		return
	}
	n.insert(&a, out)
	out.Charge(n.replica.Window.TakeWork())
}

// catchUp brings the world to the tick of a time. Whatever happens at one instant may reach nodes in any order, so this
// cannot be left to Wake: an action that was taken in the next tick may arrive just before the wake-up that begins it.
func (n *node) catchUp(now world.Time) {
	for target := mechanism.TickAt(now, n.length()); n.tick < target; n.tick++ {
		n.replica.Advance()
		n.begin.CopyFrom(n.replica.State)
		n.actions = n.actions[:0]
	}
}

// insert carries out an action as if it had arrived in its place among the tick's actions.
func (n *node) insert(a *world.Action, out *mechanism.Outbox) {
	i := len(n.actions)
	for i > 0 && a.Before(&n.actions[i-1]) {
		i--
	}
	if i > 0 && n.actions[i-1].User == a.User && n.actions[i-1].Seq == a.Seq {
		return // the network has repeated it
	}
	n.actions = slices.Insert(n.actions, i, *a)
	if i+1 < len(n.actions) {
		n.replica.Restore(n.begin)
		i = 0
	}
	for ; i < len(n.actions); i++ {
		n.replica.Do(&n.actions[i])
	}
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
}

// Bytes is the memory that the node's structures hold.
func (n *node) Bytes() int {
	return n.replica.State.Bytes() + cap(n.actions)*int(unsafe.Sizeof(world.Action{})) + cap(n.buf)
}

func (n *node) length() world.Time { return n.replica.World.Schema().Tick }

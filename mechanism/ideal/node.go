package ideal

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/wire"
)

// node is one peer.
type node struct {
	world   world.World
	replica *memo.Follower
	begin   memo.Follower  // stays where the tick began, before any of its actions
	actions []world.Action // those of the tick, in the order in which they are carried out
	tick    world.Tick
	session *mechanism.Session
	peers   []mechanism.NodeID
	work    world.Work // since the last report
	input   []byte
	action  world.Action // that is being carried out; here, since rules are handed a pointer to it
	buf     []byte
	do      func(*world.Window, []byte)
}

var _ mechanism.Sized = (*node)(nil)

// The inputs of a replica: a tick passes, or an action follows.
const (
	inputAdvance = iota
	inputAct
)

func newNode(s *mechanism.Session, p mechanism.Place) *node {
	n := &node{
		world:   s.World,
		replica: s.Shared.Follow(0, s.Start),
		tick:    s.Start.Tick(),
		session: s,
		peers:   s.Others(p.ID),
	}
	n.do = n.run
	n.begin.Visit(n.replica)
	return n
}

// View is the world in this tick.
func (n *node) View() *world.State { return n.replica.State() }

// Wake brings the next tick.
func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	n.catchUp(now)
	n.charge(out)
	out.WakeAt(mechanism.TimeOf(n.tick+1, n.length()))
}

// Act carries an action out and tells everybody.
func (n *node) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.catchUp(now)
	n.insert(&a, out)
	n.buf = appendCommand(n.buf[:0], n.tick, &a)
	out.SendAll(n.peers, mechanism.Command, n.buf)
	out.Count(mechanism.Command, len(n.peers))
	n.charge(out)
}

// Receive carries out somebody else's action.
func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if !slices.Contains(n.peers, m.From) {
		return
	}
	tick, a, err := readCommand(m.Payload)
	if err != nil || a.User != n.session.Places[m.From-1].User || n.world.Schema().CheckAction(&a) != nil {
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
	n.charge(out)
}

// charge says what was done since it was last said.
func (n *node) charge(out *mechanism.Outbox) {
	out.Charge(n.work)
	n.work = 0
}

// catchUp brings the world to the tick of a time. Whatever happens at one instant may reach nodes in any order, so this
// cannot be left to Wake: an action that was taken in the next tick may arrive just before the wake-up that begins it.
func (n *node) catchUp(now world.Time) {
	for target := mechanism.TickAt(now, n.length()); n.tick < target; n.tick++ {
		n.input = append(n.input[:0], inputAdvance)
		n.work += n.replica.Step(n.input, n.do)
		n.begin.Visit(n.replica)
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
		n.replica.Visit(&n.begin)
		i = 0
	}
	for ; i < len(n.actions); i++ {
		n.input = world.AppendAction(append(n.input[:0], inputAct), &n.actions[i])
		n.work += n.replica.Step(n.input, n.do)
	}
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
}

// run carries out an input of the replica's.
func (n *node) run(w *world.Window, input []byte) {
	if input[0] == inputAdvance {
		w.Advance(n.world)
		return
	}
	r := wire.NewReader(input[1:])
	n.action = world.ReadAction(&r)
	w.Do(n.world, &n.action)
}

// Bytes is the memory that the node's structures hold.
func (n *node) Bytes() int {
	return n.replica.Bytes() + n.begin.Bytes() + cap(n.actions)*int(unsafe.Sizeof(world.Action{})) + cap(n.buf)
}

func (n *node) length() world.Time { return n.world.Schema().Tick }

package replica

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"throng/internal/image"
	"throng/live/replica/batch"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Nodes is the state machine of servers: some of a session's nodes, driven by what a log says that they were handed, and when.
//
// An entry of the log is a batch: a time, and the datagrams that had come by then. Every replica hands them to its nodes in that
// order and then wakes those that are due. Since nodes are functions of what they are handed, replicas stay alike to the
// bit; what the nodes of the leader send leaves it, what the others' send does not.
type Nodes struct {
	mechanism mechanism.Mechanism
	session   *mechanism.Session
	places    []mechanism.Place
	route     func(m mechanism.Message) bool
	report    func(id mechanism.NodeID, e mechanism.Event)

	machines []*mechanism.Machine // by place
	all      []mechanism.Node     // the same
	index    map[mechanism.NodeID]int
	now      world.Time
	out      mechanism.Outbox
	leads    bool // what nodes send may leave
	panicked func(p Panic)
	witness  func(e mechanism.Event)
	order    mechanism.Witness
	text     []byte        // of a node's image, for the next one
	size     int           // of the last snapshot
	unsaid   []batch.Batch // what nodes had to say in the last batches while another replica led; the latest last
}

// Panic is a call that a node did not survive unharmed, as every replica sees it.
type Panic struct {
	Place   mechanism.Place
	Value   any
	Stack   []byte
	Message *mechanism.Message // that it was handed; nil if it was woken
}

// NewNodes builds nodes for some of a session's places, which begin at time zero or, in a run under way, with the first batch.
// What they send is handed to route while the replica leads, and what they report to report, which may be nil; payloads hold
// during the call.
func NewNodes(m mechanism.Mechanism, s *mechanism.Session, places []mechanism.Place, route func(mechanism.Message) bool, report func(mechanism.NodeID, mechanism.Event)) (*Nodes, error) {
	n := &Nodes{mechanism: m, session: s, places: places, route: route, report: report}
	return n, n.build()
}

// OnEvent has somebody be told of everything that nodes report, whether this replica leads or not.
func (n *Nodes) OnEvent(f func(e mechanism.Event)) { n.witness = f }

// OnOrder has somebody be told what servers make of the order of actions, where there is one, whether this replica leads or not. Snapshots can
// only be read where somebody is told as well.
func (n *Nodes) OnOrder(w mechanism.Witness) {
	n.order = w
	n.testify()
}

func (n *Nodes) testify() {
	for _, node := range n.all {
		if o, ok := node.(mechanism.Ordered); ok && n.order != nil {
			o.Testify(n.order)
		}
	}
}

// OnPanic has somebody be told of panics of nodes, which go on: a panic is the same in every replica, and does no more harm in all
// of them than it would in one. Without, the process ends.
func (n *Nodes) OnPanic(f func(p Panic)) { n.panicked = f }

// build makes all nodes anew.
func (n *Nodes) build() error {
	n.machines, n.all, n.index, n.now = nil, nil, map[mechanism.NodeID]int{}, -world.Never
	for i, p := range n.places {
		config, err := mechanism.Build(n.mechanism, n.session, p)
		if err != nil {
			return err
		}
		n.machines = append(n.machines, mechanism.NewMachine(config))
		n.all = append(n.all, config.Node)
		n.index[p.ID] = i
	}
	n.testify()
	return nil
}

// Runs reports whether a node is one of these.
func (n *Nodes) Runs(id mechanism.NodeID) bool {
	_, ok := n.index[id]
	return ok
}

// Node is a node, for looking at, or nil.
func (n *Nodes) Node(id mechanism.NodeID) mechanism.Node {
	if i, ok := n.index[id]; ok {
		return n.machines[i].Node()
	}
	return nil
}

// All are the nodes, for looking at.
func (n *Nodes) All() []mechanism.Node { return n.all }

// Now is the time of the last batch.
func (n *Nodes) Now() world.Time { return n.now }

// Due is when a batch is to be proposed next, though nothing may have come: a node wants to be woken.
func (n *Nodes) Due() world.Time {
	due := world.Never
	for _, m := range n.machines {
		due = min(due, m.Due())
	}
	return due
}

// Pass lets time pass, for a batch that says nothing of it.
func (n *Nodes) Pass(until world.Time) { n.now = max(n.now, until) }

// Apply hands a batch to the nodes. A clock that is behind, as that of a new leader may be, does not turn back time.
func (n *Nodes) Apply(entry []byte, leads bool) {
	n.leads = leads
	n.Pass(batch.Time(entry))
	n.turnUnsaid()
	batch.Read(entry, n.receive)
	for i, m := range n.machines {
		if m.Due() <= n.now {
			n.call(i, nil)
		}
	}
}

func (n *Nodes) receive(m mechanism.Message) {
	if i, ok := n.index[m.To]; ok {
		n.call(i, &m)
	}
}

// call hands a node a datagram, or wakes it if there is none. What it sends leaves as it is sent, if it may.
func (n *Nodes) call(i int, m *mechanism.Message) {
	if n.panicked != nil {
		defer n.rescue(i, m)
	}
	n.out.Carry(n.places[i].ID, n.emit)
	if m != nil {
		n.machines[i].Receive(n.now, *m, &n.out)
	} else {
		n.machines[i].Advance(n.now, &n.out)
	}
	for _, e := range n.out.Events() {
		if n.leads && n.report != nil {
			n.report(n.places[i].ID, e)
		}
		if n.witness != nil {
			n.witness(e)
		}
	}
	n.out.Reset()
}

// emit takes what a node sends.
func (n *Nodes) emit(m mechanism.Message) {
	switch {
	case n.leads:
		n.route(m)
	case len(n.unsaid) > 0:
		n.unsaid[len(n.unsaid)-1].Add(m)
	}
}

// unsaidBatches is of how many batches what nodes had to say is kept: a leader has said all of it before it proposes the next but one.
const unsaidBatches = 3

// KeepUnsaid has what nodes have to say while another replica leads be kept for a while, for SayAgain.
func (n *Nodes) KeepUnsaid() {
	n.unsaid = make([]batch.Batch, unsaidBatches)
	for i := range n.unsaid {
		n.unsaid[i].Reset(0)
	}
}

// turnUnsaid makes room for what nodes will have to say, in place of the oldest.
func (n *Nodes) turnUnsaid() {
	if len(n.unsaid) == 0 {
		return
	}
	oldest := n.unsaid[0]
	copy(n.unsaid, n.unsaid[1:])
	oldest.Reset(n.now)
	n.unsaid[len(n.unsaid)-1] = oldest
}

// SayAgain says what nodes had to say in the last batches, unless that was before a time: the replica that led may have died
// over it. What it had said is said twice, as on any network.
func (n *Nodes) SayAgain(since world.Time) {
	for i := range n.unsaid {
		if entry := n.unsaid[i].Entry(); batch.Time(entry) >= since {
			batch.Read(entry, func(m mechanism.Message) { n.route(m) })
		}
		n.unsaid[i].Reset(0)
	}
}

// rescue has a node go on after a panic.
func (n *Nodes) rescue(i int, m *mechanism.Message) {
	value := recover()
	if value == nil {
		return
	}
	n.out.Reset()
	n.machines[i].Recover(n.now)
	p := Panic{Place: n.places[i], Value: value, Stack: debug.Stack()}
	if m != nil {
		copied := *m
		copied.Payload = bytes.Clone(m.Payload)
		p.Message = &copied
	}
	n.panicked(p)
}

// roots are what nodes share with their surroundings.
func (n *Nodes) roots() []any {
	list := []any{n.mechanism, n.session, n.session.World, n.session.Start, n.session.World.Schema()}
	if n.order != nil {
		list = append(list, n.order)
	}
	return list
}

// AppendSnapshot writes the time and an image of every node.
func (n *Nodes) AppendSnapshot(dst []byte) []byte {
	before := len(dst)
	dst = slices.Grow(dst, n.size+n.size/8)
	dst = wire.AppendUint(dst, uint64(max(n.now, 0)))
	for _, m := range n.machines {
		text, err := image.Append(n.text[:0], m, n.roots()...)
		if err != nil {
			panic(fmt.Sprintf("replica: node %d cannot be saved: %v", m.Place().ID, err)) // a test saves every kind of node
		}
		dst, n.text = wire.AppendBytes(dst, text), text
	}
	n.size = len(dst) - before
	return dst
}

// Restore puts the nodes into the state of a snapshot.
func (n *Nodes) Restore(snapshot []byte) error {
	if err := n.build(); err != nil {
		return err
	}
	r := wire.NewReader(snapshot)
	now := world.Time(r.UintMax(uint64(world.Never)))
	for _, m := range n.machines {
		text := r.Bytes()
		if r.Failed() {
			break
		}
		if err := image.Load(text, m, nil, n.roots()...); err != nil {
			return fmt.Errorf("node %d: %w", m.Place().ID, err)
		}
	}
	if r.Done() != nil {
		return errors.New("the snapshot does not hold these nodes")
	}
	n.now = now
	return nil
}

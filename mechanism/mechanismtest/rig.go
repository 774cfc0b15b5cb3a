package mechanismtest

import (
	"fmt"
	"slices"
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// callsMax is how many calls may follow one another at one instant. Beyond it nodes are taken to keep each other busy.
const callsMax = 100_000

// Rig holds the nodes of one run and the messages between them, and does only what it is told. Its own bookkeeping
// allocates nothing once it has seen the most messages in flight.
type Rig struct {
	Mechanism mechanism.Mechanism
	World     world.World
	Session   *mechanism.Session

	// Network says how long a message travels, or that it is lost. Where it is nil, messages stay in flight until
	// Deliver or Drop.
	Network func(m mechanism.Message) (delay world.Time, lost bool)

	// Tardy says how much later than asked for a node is woken. Where it is nil, nodes are woken in time.
	Tardy func(id mechanism.NodeID) world.Time

	// Observe is told of every call of a node while its outbox is still full. The call holds until Observe returns.
	Observe func(c *Call)

	now     world.Time
	members []member
	flight  []Flight
	spare   [][]byte // payloads of messages that have landed
	out     *mechanism.Outbox
	call    Call
}

// Call is one call of a node and what came of it.
type Call struct {
	Node    mechanism.NodeID
	Kind    CallKind
	Message mechanism.Message // what it received, if so
	Action  world.Action      // what its user did, if so
	Out     *mechanism.Outbox
}

// CallKind tells a node's calls apart.
type CallKind uint8

// The calls of a node.
const (
	Wake CallKind = iota
	Receive
	Act
	Goodbye
)

// Flight is a message on its way.
type Flight struct {
	mechanism.Message
	Arrives world.Time // world.Never if it waits to be delivered by hand
}

// member is a place and who holds it.
type member struct {
	place   mechanism.Place
	epoch   uint32
	machine *mechanism.Machine // nil if it has left
	wake    world.Time         // when it is woken, which may be later than it asked for
	wakes   int
	record  []byte // what its last node wrote down, which outlives it
}

// NewRig builds all nodes of a run. Nothing happens before Start.
func NewRig(m mechanism.Mechanism, w world.World, seed uint64) (*Rig, error) {
	start := world.NewState(w.Schema(), seed)
	w.Populate(start)
	r := &Rig{
		Mechanism: m,
		World:     w,
		Session:   &mechanism.Session{World: w, Start: start, Places: m.Places(w)},
		out:       &mechanism.Outbox{},
	}
	for i, p := range r.Session.Places {
		if p.ID != mechanism.NodeID(i+1) {
			return nil, fmt.Errorf("place %d has ID %d: IDs count from one", i+1, p.ID)
		}
		r.members = append(r.members, member{place: p})
		if err := r.build(&r.members[i], r.Session); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// StartRig builds a run on a network on which every message takes the same time, and starts it.
func StartRig(t testing.TB, m mechanism.Mechanism, w world.World, delay world.Time) *Rig {
	t.Helper()
	r, err := NewRig(m, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Network = Constant(delay)
	r.Start()
	return r
}

// build makes the node of a place. It starts when Start or Join wakes it.
func (r *Rig) build(m *member, s *mechanism.Session) error {
	config, err := mechanism.Build(r.Mechanism, s, m.place)
	if err != nil {
		return err
	}
	config.Start = r.now
	if u := m.place.User; u != 0 {
		config.Player = r.World.Player(u, random.New(r.Session.Start.Seed(), "player", uint64(u)))
	}
	m.machine, m.wake = mechanism.NewMachine(config), world.Never
	return nil
}

// Start gives every node its first wake-up, at time zero.
func (r *Rig) Start() {
	for i := range r.members {
		r.wake(&r.members[i])
	}
	r.Advance(0)
}

// Leave takes a node out of the run without a word. What is for it from now on is lost.
func (r *Rig) Leave(id mechanism.NodeID) {
	m := &r.members[id-1]
	if m.machine != nil {
		if n, ok := m.machine.Node().(mechanism.Recorded); ok {
			m.record = n.Record(nil)
		}
	}
	m.machine, m.wake = nil, world.Never
}

// Bid has a node say goodbye, if it is one that does. Leave then takes it out.
func (r *Rig) Bid(id mechanism.NodeID) {
	if m := &r.members[id-1]; m.machine != nil && m.machine.Leave(r.now, r.out) {
		r.settle(m, Call{Kind: Goodbye})
	}
}

// Join puts a new node into a place, whether or not somebody still holds it, and starts it. It knows nothing of the run so far.
func (r *Rig) Join(id mechanism.NodeID) error {
	r.Leave(id)
	m := &r.members[id-1]
	m.epoch++
	session := r.Session.Join(m.place, m.epoch)
	session.Record = m.record
	if err := r.build(m, session); err != nil {
		return err
	}
	r.wake(m)
	r.Advance(0)
	return nil
}

// present reports whether a user has a node.
func (r *Rig) present(u world.User) bool {
	return slices.ContainsFunc(r.members, func(m member) bool { return m.place.User == u && m.machine != nil })
}

// Ready reports whether somebody takes part in a place.
func (r *Rig) Ready(id mechanism.NodeID) bool {
	m := r.members[id-1].machine
	return m != nil && m.Ready()
}

// Now is the time.
func (r *Rig) Now() world.Time { return r.now }

// Node returns a node by its ID, or nil if it has left.
func (r *Rig) Node(id mechanism.NodeID) mechanism.Node {
	if m := r.members[id-1].machine; m != nil {
		return m.Node()
	}
	return nil
}

// Client returns a node by its ID as a client, or nil if it is none or has left.
func (r *Rig) Client(id mechanism.NodeID) mechanism.Client {
	if m := r.members[id-1].machine; m != nil {
		return m.Client()
	}
	return nil
}

// View is what a client sees now.
func (r *Rig) View(id mechanism.NodeID) *world.State { return r.members[id-1].machine.View() }

// Wakes is how often a node was woken.
func (r *Rig) Wakes(id mechanism.NodeID) int { return r.members[id-1].wakes }

// Flights are the messages in flight in the order in which they were sent. They hold until the next call.
func (r *Rig) Flights() []Flight { return r.flight }

// Act lets a user do something now and returns the action with its number, which is zero if the node does not take actions
// yet. Users must have a node.
func (r *Rig) Act(u world.User, a world.Action) world.Action {
	for i := range r.members {
		m := &r.members[i]
		if m.place.User != u || m.machine == nil {
			continue
		}
		if m.machine.Issue(&a) {
			r.act(m, a)
		}
		return a
	}
	panic(fmt.Sprintf("user %d has no node", u))
}

func (r *Rig) act(m *member, a world.Action) {
	m.machine.Act(r.now, a, r.out)
	r.settle(m, Call{Kind: Act, Action: a})
}

// Advance lets time pass: nodes are woken when they asked for it, and messages that have a delay arrive. What falls on one
// instant happens in a fixed order: messages as they were sent, then nodes by their IDs.
func (r *Rig) Advance(span world.Time) {
	end := r.now + span
	for calls := 0; ; calls++ {
		message, member, at := r.next()
		if at > end {
			break
		}
		if at > r.now {
			r.now, calls = at, 0
		}
		if calls == callsMax {
			panic(fmt.Sprintf("%d calls at %v: the nodes keep each other busy", calls, r.now))
		}
		if message >= 0 {
			r.Deliver(message)
			continue
		}
		r.wake(&r.members[member])
	}
	r.now = end
}

// wake wakes a node, which may have put it off while the rig was tardy.
func (r *Rig) wake(m *member) {
	m.wake = world.Never
	if m.machine.Wake(r.now, r.out) {
		m.wakes++
		r.settle(m, Call{Kind: Wake})
	}
}

// next finds what happens first: a message, or a node's wake-up.
func (r *Rig) next() (message, member int, at world.Time) {
	message, at = -1, world.Never
	for i := range r.members {
		if t := max(r.members[i].wake, r.now); r.members[i].wake != world.Never && t < at {
			member, at = i, t
		}
	}
	for i := range r.flight {
		if t := r.flight[i].Arrives; t != world.Never && t <= at && (message < 0 || t < at) {
			message, at = i, t
		}
	}
	return message, member, at
}

// Play advances by whole ticks and lets the world's artificial players act after each, those whose nodes take part.
func (r *Rig) Play(ticks int) {
	for range ticks {
		r.Advance(r.World.Schema().Tick)
		for i := range r.members {
			m := &r.members[i]
			if m.machine == nil {
				continue
			}
			for _, a := range m.machine.Play(r.now) {
				r.act(m, a)
			}
		}
		r.Advance(0) // messages without delay land before the next tick
	}
}

// Deliver hands a message in flight to its receiver now.
func (r *Rig) Deliver(i int) {
	m := r.flight[i].Message
	r.land(i)
	r.Give(m)
	r.spare = append(r.spare, m.Payload)
}

// Drop loses a message in flight.
func (r *Rig) Drop(i int) {
	r.spare = append(r.spare, r.flight[i].Payload)
	r.land(i)
}

func (r *Rig) land(i int) { r.flight = append(r.flight[:i], r.flight[i+1:]...) }

// Give hands any message to its receiver now, whether or not somebody sent it. What is for nobody is lost.
func (r *Rig) Give(m mechanism.Message) {
	if m.To < 1 || int(m.To) > len(r.members) {
		return
	}
	if to := &r.members[m.To-1]; to.machine != nil && to.machine.Receive(r.now, m, r.out) {
		r.settle(to, Call{Kind: Receive, Message: m})
	}
}

// settle does what a node left in its outbox.
func (r *Rig) settle(m *member, c Call) {
	c.Node, c.Out = m.place.ID, r.out
	r.call = c
	if t, asked := r.out.Wake(); asked {
		m.wake = t
		if r.Tardy != nil && t != world.Never {
			m.wake += r.Tardy(m.place.ID)
		}
	}
	for i := range r.out.Sends() {
		r.post(r.out.Message(i, m.place.ID))
	}
	if r.Observe != nil {
		r.Observe(&r.call)
	}
	r.out.Reset()
}

func (r *Rig) post(m mechanism.Message) {
	f := Flight{Message: m, Arrives: world.Never}
	if r.Network != nil {
		delay, lost := r.Network(m)
		if lost {
			return
		}
		f.Arrives = r.now + delay
	}
	var buf []byte
	if n := len(r.spare); n > 0 {
		buf, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	f.Payload = append(buf[:0], m.Payload...)
	r.flight = append(r.flight, f)
}

// Constant is a network on which every message takes the same time.
func Constant(delay world.Time) func(mechanism.Message) (world.Time, bool) {
	return func(mechanism.Message) (world.Time, bool) { return delay, false }
}

// Unsteady is a network on which a message takes any time below the longest, and of which some percent are lost.
func Unsteady(seed uint64, longest world.Time, loss uint64) func(mechanism.Message) (world.Time, bool) {
	stream := random.New(seed, "network")
	return func(mechanism.Message) (world.Time, bool) {
		return world.Time(stream.Below(uint64(longest))), stream.Below(100) < loss
	}
}

package loose

import (
	"bytes"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/world"
	"throng/world/fixed"
)

const (
	// removalRepeats is how many full updates say that an object was removed, against loss.
	removalRepeats = 3

	// doubtIntervals is for how many intervals an object is kept that this host's rules have made, that somebody else
	// answers for, and that no update has named: then it was an error of prediction.
	doubtIntervals = 3

	// memory is for how long objects that are gone are remembered, so that updates sent before do not bring them back.
	memory = 10 * world.Second
)

// node is one peer.
type node struct {
	replica    mechanism.Replica
	schema     *world.Schema
	id         mechanism.NodeID
	user       world.User
	peers      []mechanism.NodeID // all others, who are numbered from one
	clocks     []clock            // of everybody, by number
	heard      []world.Time       // when they last said something, by number; never, of those whose user has left for it
	patience   world.Time         // with those who do not; zero for any
	thresholds []fixed.F          // by kind

	interval world.Time
	due      world.Time // when the next full update is
	reviewed world.Tick // when ghosts were last compared

	ledger ledger
	ghosts ghosts
	out    writer
	in     update
	doubt  []world.ID   // objects to be given up
	action world.Action // where the rules may point to it without its moving to the heap

	newcomer *latejoin.Newcomer // while the host has no world
	cover    *world.State       // what the view shows instead, until the host is ready
	guide    latejoin.Guide
	buf      []byte
}

var (
	_ mechanism.Arriving = (*node)(nil)
	_ mechanism.Sized    = (*node)(nil)
)

func newNode(c *Config, s *mechanism.Session, p mechanism.Place, thresholds []fixed.F) *node {
	n := &node{
		replica:    mechanism.NewReplica(s.World, s.Start),
		schema:     s.World.Schema(),
		id:         p.ID,
		user:       p.User,
		peers:      s.Others(p.ID),
		clocks:     make([]clock, len(s.Places)),
		heard:      make([]world.Time, len(s.Places)),
		thresholds: thresholds,
		interval:   c.Interval,
		due:        c.Interval,
		ghosts:     ghosts{rules: s.World},
	}
	if _, inhabited := s.World.(world.Inhabited); inhabited {
		n.patience = c.Patience
	}
	n.replica.State.SetDice(uint64(p.ID)) // what this host decides, nobody else can foresee
	if c.Phase == Spread {
		n.due = c.Interval * world.Time(p.ID) / world.Time(len(s.Places))
	}
	n.ledger.keep = world.TicksIn(memory, n.schema.Tick)
	for o := range s.Start.All() {
		n.ledger.entries = append(n.ledger.entries, entry{id: o.ID, heard: -1, told: true})
	}
	if s.Late {
		n.newcomer = latejoin.NewNewcomer(p.ID, s.Epoch, n.peers)
		n.cover = n.replica.State.Clone()
	}
	return n
}

// View is the world as this host believes it to be, or as it began for one that has yet to learn of it.
func (n *node) View() *world.State {
	if !n.Ready() {
		return n.cover
	}
	return n.replica.State
}

// Act applies the user's action to the host's own view, and only there: others learn of it by the updates that follow for
// the objects that this host answers for.
func (n *node) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.catchUp(now)
	n.action = a
	n.replica.Do(&n.action)
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq, Value: int64(n.tick())})
	out.Charge(n.replica.Window.TakeWork())
}

// Wake lets a tick pass and sends what is due at its end.
func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	if !n.Ready() {
		if n.arrive(now, out); !n.Ready() {
			return
		}
	}
	n.guide.Tidy(now)
	n.catchUp(now)
	n.dismissSilent(now)
	work := n.review(n.fullDue(now))
	start := 0
	for _, end := range n.out.ends {
		out.SendAll(n.peers, mechanism.Update, n.out.buf[start:end])
		start = end
	}
	out.Count(mechanism.Update, n.out.items*len(n.peers))
	out.Charge(n.replica.Window.TakeWork() + work)
	out.WakeAt(mechanism.TimeOf(n.tick()+1, n.schema.Tick))
}

// catchUp brings the world to the tick of a time: by its rules, for all objects alike. For those of others that is a
// prediction, which stands until they say otherwise.
func (n *node) catchUp(now world.Time) {
	for target := mechanism.TickAt(now, n.schema.Tick); n.tick() < target; {
		n.replica.Advance()
	}
}

// dismissSilent has the users leave whose hosts have sent nothing for too long. Whoever it was that fell silent, they are back
// with the next update for what they have.
func (n *node) dismissSilent(now world.Time) {
	if n.patience == 0 {
		return
	}
	for i, heard := range n.heard {
		if u := world.User(i + 1); u != n.user && now-heard > n.patience {
			n.heard[i] = world.Never
			n.action = world.Action{User: u, Verb: world.Leave}
			n.replica.Do(&n.action)
		}
	}
}

// fullDue reports whether a full update is due, and if so when the next one is. Updates keep to their times on average
// although they wait for a tick; those that were missed altogether are left out.
func (n *node) fullDue(now world.Time) bool {
	if now < n.due {
		return false
	}
	n.due += n.interval * (1 + (now-n.due)/n.interval)
	return true
}

// review goes through all objects and writes the updates that are due at this tick. It returns the work done.
func (n *node) review(full bool) world.Work {
	state, tick := n.replica.State, n.tick()
	var work world.Work
	n.out.begin(tick)
	n.doubt = n.doubt[:0]
	n.ledger.begin(tick)
	n.ghosts.begin(mechanism.TimeOf(tick-n.reviewed, n.schema.Tick))
	n.reviewed = tick
	for o := range state.All() {
		e := n.ledger.at(o.ID)
		if e.mine = n.answersFor(o); !e.mine {
			if !e.told && tick-e.since > doubtIntervals*world.TicksIn(n.interval, n.schema.Tick) {
				n.doubt = append(n.doubt, o.ID)
			}
			continue
		}
		ghost := n.ghosts.of(o)
		work++
		if full || !e.told || strayed(o, ghost, n.thresholds[o.Kind]) {
			n.out.put(n.schema, o)
			*ghost = *o
			e.told, e.heard = true, tick
			work++
		}
	}
	n.ghosts.end()
	n.ledger.end()
	for _, id := range n.doubt {
		state.Remove(id)
	}
	if full {
		work += n.tellRemovals()
	}
	n.out.end()
	return work
}

// tellRemovals writes which objects are gone.
func (n *node) tellRemovals() (work world.Work) {
	for i := range n.ledger.entries {
		if e := &n.ledger.entries[i]; e.again > 0 {
			n.out.remove(e.id)
			e.again--
			work++
		}
	}
	return work
}

// Receive takes an update, or a message from or to somebody who joins.
func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From == n.id || m.From == 0 || int(m.From) > len(n.peers)+1 {
		return
	}
	sound := true
	if message, ok := bytes.CutPrefix(m.Payload, joinMark); ok {
		sound = n.receiveJoin(now, m.From, message, out)
	} else if n.Ready() {
		sound = n.receiveUpdate(now, m.From, m.Payload, out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
}

// receiveUpdate overwrites what others answer for.
func (n *node) receiveUpdate(now world.Time, from mechanism.NodeID, payload []byte, out *mechanism.Outbox) (sound bool) {
	if err := n.in.read(n.schema, n.replica.World.Users(), payload); err != nil || !n.sameKinds() {
		return false
	}
	n.catchUp(now)
	n.heard[from-1] = now
	told := n.in.stamp // by the sender's clock
	n.in.stamp = n.clocks[from-1].here(told, n.tick(), n.schema.Tick)
	var late world.Tick
	for i := range n.in.objects {
		late = max(late, n.take(&n.in.objects[i], told, out))
	}
	for _, id := range n.in.removed {
		late = max(late, n.lose(id))
	}
	n.replica.Window.Look(n.replica.State)
	out.Charge(n.replica.Window.TakeWork() + world.Work(len(n.in.objects)+len(n.in.removed)))
	if late > 0 {
		out.Report(mechanism.Event{Name: mechanism.Late, Value: int64(mechanism.TimeOf(late, n.schema.Tick))})
	}
	return true
}

// sameKinds reports whether all objects of an update that are known here are known as the same kind of thing.
func (n *node) sameKinds() bool {
	for i := range n.in.objects {
		if known := n.replica.State.Get(n.in.objects[i].ID); known != nil && known.Kind != n.in.objects[i].Kind {
			return false
		}
	}
	return true
}

// take overwrites an object by its state in an update, moved on from the time of sending to now. Like lose it returns by
// how many ticks the update was out of date, if it was.
func (n *node) take(o *world.Object, told world.Tick, out *mechanism.Outbox) (late world.Tick) {
	state := n.replica.State
	known := state.Get(o.ID)
	if known == nil {
		known = o
	}
	if n.answersFor(known) {
		return 0
	}
	e := n.ledger.find(o.ID, n.tick())
	if e.heard >= n.in.stamp {
		return e.heard - n.in.stamp
	}
	e.heard, e.told, e.again = n.in.stamp, true, 0
	age := max(0, n.tick()-n.in.stamp)
	n.replica.World.Extrapolate(o, mechanism.TimeOf(age, n.schema.Tick))
	n.schema.Confine(o)
	state.Put(*o)
	if o.User != 0 {
		out.Report(mechanism.Event{Name: mechanism.Shown, User: o.User, Object: o.ID, Value: int64(told)})
	}
	return 0
}

// lose removes an object because the host that answers for it did.
func (n *node) lose(id world.ID) (late world.Tick) {
	state := n.replica.State
	if known := state.Get(id); known != nil && n.answersFor(known) {
		return 0
	}
	e := n.ledger.find(id, n.tick())
	if e.heard >= n.in.stamp {
		return e.heard - n.in.stamp
	}
	e.heard, e.mine = n.in.stamp, false
	state.Remove(id)
	return 0
}

// answersFor reports whether this host decides about an object, as far as it can tell from its own view.
func (n *node) answersFor(o *world.Object) bool {
	return world.Answers(n.replica.World, n.replica.State, o) == n.user
}

// Bytes is the memory that the node's structures hold.
func (n *node) Bytes() int {
	return n.replica.State.Bytes() +
		(cap(n.ledger.entries)+cap(n.ledger.next))*int(unsafe.Sizeof(entry{})) +
		(cap(n.ghosts.list)+cap(n.ghosts.next)+cap(n.in.objects))*int(unsafe.Sizeof(world.Object{})) +
		cap(n.out.buf) + cap(n.out.object) + n.guide.Bytes()
}

func (n *node) tick() world.Tick { return n.replica.State.Tick() }

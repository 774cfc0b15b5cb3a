package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// turns is how a server gets from turn to turn: who is waited for, and what is to happen in which turn.
type turns struct {
	config   *Config
	advances turn.Advances // of clients that simulate the area, and of neighbours
	queue    []queued
	due      []queued // of the turn that begins
	batch    turn.Batch
	reader   turn.Reader
	sent     [sentMax]world.Time // when the orders of the latest turns were sent
	began    world.Time          // when the latest turn did
	blocked  world.Time          // since when the next turn could have begun but for somebody, or never
	waited   world.Time          // how long the area stood still for somebody, since it was last abreast of the time
	late     []mechanism.NodeID
	print    world.Footprint
	trail    *area.Trail
	pack     area.Packer
	packed   []byte
	text     []byte
}

// sentMax is for how many turns it is remembered when their orders were sent.
const sentMax = 64

// queued is an action that waits for its turn.
type queued struct {
	turn   turn.Number
	hops   int
	action world.Action
}

func (t *turns) begin(c *Config) {
	t.config = c
	t.advances.Begin(0)
	t.trail = area.NewTrail()
	t.blocked = world.Never
}

// next is the turn that begins next.
func (t *turns) next() turn.Number {
	n, _ := t.advances.Next()
	return n
}

// enqueue has an action carried out in a turn.
func (t *turns) enqueue(n turn.Number, hops int, a *world.Action) {
	t.queue = append(t.queue, queued{max(n, t.next()), hops, *a})
}

// beginTurn gives the turn that begins its orders, if nobody is waited for and nothing stands in the way.
func (n *server) beginTurn(now world.Time, target world.Tick, out *mechanism.Outbox) bool {
	number, complete := n.turns.advances.Next()
	if !complete && !n.lose(now, target, out) || !n.promoteAll(now, number, out) {
		return false
	}
	n.unblock(now, out)
	n.turns.began = now
	n.choose(now)
	n.relax(now)
	n.orders.reset()
	n.gather(now, number, out)
	n.announce(now, number, out)
	n.turns.advances.Close()
	n.ordered = true
	return true
}

// lose sees to those who keep the area waiting. Who has used up all patience is relieved of it at once, and so is the slowest when
// the patience with all is used up or the area has fallen behind for as long as patience lasts; then the next, if that was not
// enough. That is for those who may be at fault: where messages get lost now and then everybody is late for once, and it would
// help nobody to send them away. Then delays become longer; only when it gets much worse does fault no longer count. That the
// server itself is slow is not theirs: were they relieved of the area for that, it would have to tell all of them what they see,
// and be slower still.
func (n *server) lose(now world.Time, target world.Tick, out *mechanism.Outbox) (free bool) {
	t := &n.turns
	if n.replica.tick() >= target {
		return false // it is too early for the turn anyway
	}
	if t.blocked == world.Never {
		t.blocked = now
	}
	behind := now - mechanism.TimeOf(n.replica.tick()+1, n.pace.Tick)
	waited := min(behind, t.waited+now-n.still())
	over, hopeless := waited >= n.config.Patience, waited >= hopelessShare*n.config.Patience
	t.late = t.advances.Late(t.late[:0])
	n.stalling.blame(now, t.late)
	slowest := n.stalling.slowest(now, t.late)
	if over && slowest == 0 && n.config.Demote {
		n.stretch(now, out)
	}
	for _, id := range t.late {
		switch x := n.members.At(id); {
		case x == nil && over:
			t.advances.Remove(id)
		case x != nil && n.config.Demote && (hopeless || n.stalling.exhausted(now, id) || id == slowest && (over || n.stalling.spent(now, id))):
			n.relieve(now, x, out)
		}
	}
	_, complete := t.advances.Next()
	return complete
}

// hopelessShare is how many times as long as patience lasts an area may be behind for those who are hardly at fault.
const hopelessShare = 3

// relieve goes on without a client that does not keep up. There is a limit to how many are relieved of the area within a window,
// since they have to be told what they see from then on; beyond it the area only ceases to wait for them.
func (n *server) relieve(now world.Time, x *member, out *mechanism.Outbox) {
	if !n.desk.down.take(now, n.config.Window) {
		n.turns.advances.Remove(x.Node)
		return
	}
	n.stalling.dismiss(now, x.Node)
	n.demote(now, x, answerForced, out)
}

// still is since when an area that is blocked stands still. One that keeps a turn's distance from its last turn does not, late
// as it may be.
func (n *server) still() world.Time { return max(n.turns.blocked, n.turns.began+n.pace.Length()) }

// unblock ends a time of standing still.
func (n *server) unblock(now world.Time, out *mechanism.Outbox) {
	if t := &n.turns; t.blocked != world.Never {
		if since := n.still(); now > since {
			t.waited += now - since
			out.Report(mechanism.Event{Name: mechanism.Stalled, Value: int64(now - since)})
		}
		t.blocked = world.Never
	}
}

// gather puts together what happens in a turn.
func (n *server) gather(now world.Time, number turn.Number, out *mechanism.Outbox) {
	t := &n.turns
	n.hearBorders(number)
	n.commits.publish(now, &n.borders.news, out)
	full := n.config.Borders == fullBorders
	n.borders.news.settle()
	n.orders.border = n.borders.news.append(n.orders.border[:0], n.replica.state(), full, nil)
	t.batch.Reset()
	t.due = t.due[:0]
	t.queue = slices.DeleteFunc(t.queue, func(q queued) bool {
		if q.turn <= number {
			t.due = append(t.due, q)
		}
		return q.turn <= number
	})
	for i := range t.due {
		q := &t.due[i]
		switch {
		case n.commits.waits(&q.action) || n.comes(&q.action):
			t.enqueue(number+1, q.hops, &q.action)
		case n.pass(now, q.hops, &q.action, out):
		case n.commits.coordinate(now, q.hops, &q.action, out):
		case !t.batch.Add(&q.action):
			n.answer(now, &q.action, false, out)
		}
	}
	n.orders.held = appendHeld(n.orders.held[:0], n.commits.held)
	n.orders.batch = t.batch.Append(n.orders.batch[:0])
	t.reader.Open(n.orders.batch)
	for a := t.reader.Next(); a != nil; a = t.reader.Next() {
		n.executed(a, out)
		if x := n.members.Of(a.User); x != nil && !x.simulates { // who does sees it in the orders
			n.answer(now, a, true, out)
		}
	}
}

// executed takes note that an action is carried out.
func (n *server) executed(a *world.Action, out *mechanism.Outbox) {
	n.publisher.executed(a)
	out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.replica.tick())})
}

// answer tells a client what became of what its user did.
func (n *server) answer(now world.Time, a *world.Action, done bool, out *mechanism.Outbox) {
	if x := n.members.Of(a.User); x != nil && a.Seq != 0 {
		n.buf = wire.AppendUint(append(n.buf[:0], kindDone), uint64(a.Seq))
		n.send(now, x.Node, mechanism.Receipt, appendFlag(n.buf, done), out)
	}
}

// announce tells those who simulate the area what happens in a turn. What neighbours have said need not be told to those who
// simulate these as well.
func (n *server) announce(now world.Time, number turn.Number, out *mechanism.Outbox) {
	t := &n.turns
	t.sent[number%sentMax] = now
	if len(n.members.simulating) == 0 {
		return
	}
	n.members.sort()
	all := n.borders.news.told
	for _, g := range n.members.groups {
		text, told := n.orders.border, all
		if len(g.also) > 0 {
			full := n.config.Borders == fullBorders
			t.text = n.borders.news.append(t.text[:0], n.replica.state(), full, g.has)
			text, told = t.text, n.borders.news.told
		}
		n.announceTo(now, number, g.nodes, text, out)
		out.Count(mechanism.Border, told*len(g.nodes))
	}
	out.Count(mechanism.Command, t.batch.Len()*len(n.members.simulating))
}

// announceTo tells some of them. What happens to objects goes with the orders as far as there is room in the datagram, and
// before them in as many others as it takes.
func (n *server) announceTo(now world.Time, number turn.Number, to []mechanism.NodeID, text []byte, out *mechanism.Outbox) {
	t := &n.turns
	if len(text) > 0 && n.config.Borders == area.Encodings[area.Compressed] {
		t.packed = t.pack.Append(t.packed[:0], text)
		text = t.packed
	}
	room := n.config.Datagram - chunkRoom
	for left := room - len(n.orders.held) - len(n.orders.batch); len(text) > max(left, 0); {
		part := text[:min(len(text), room)]
		text = text[len(part):]
		n.buf = append(append(n.buf[:0], kindNews), part...)
		n.links.SendAll(now, to, mechanism.Border, n.buf, link.Ordered, out)
	}
	class := mechanism.Command
	if len(text) > 0 {
		class = mechanism.Bundle
		n.buf = wire.AppendBytes(append(n.buf[:0], kindBoth), text)
	} else {
		n.buf = append(n.buf[:0], kindOrders)
	}
	n.buf = appendTurn(n.buf, number)
	n.buf = append(n.buf, n.orders.held...)
	n.buf = append(n.buf, n.orders.batch...)
	n.links.SendAll(now, to, class, n.buf, link.Ordered, out)
}

// pass passes an action on to the server that has what it is done to, and reports whether it did. Where that is not known
// the action goes from server to server.
func (n *server) pass(now world.Time, hops int, a *world.Action, out *mechanism.Outbox) bool {
	to := n.whose(a)
	if to == n.area || hops >= n.config.Len()+hopsMax {
		return false
	}
	if n.buf = appendForward(n.buf[:0], hops+1, a); n.tellServer(now, to, mechanism.Command, n.buf, out) {
		out.Count(mechanism.Command, 1)
	} else {
		n.answer(now, a, false, out)
	}
	return true
}

// hopsMax is how often an action may follow its object from server to server, beyond looking for it once everywhere.
const hopsMax = 4

// comes reports whether what an action is done to is on its way to this server.
func (n *server) comes(a *world.Action) bool {
	return len(n.borders.coming) > 0 && n.borders.coming[area.Target(n.session.World, n.replica.state(), a, &n.turns.print)]
}

// whose is the area that has what an action is done to. What changes hands is its old server's until that has said so, and from
// then on its new one's: the two would pass the action to and fro otherwise.
func (n *server) whose(a *world.Action) int {
	if a.Verb == world.Enter || a.Verb == world.Leave {
		return n.area
	}
	state := n.replica.state()
	id := area.Target(n.session.World, state, a, &n.turns.print)
	if id == 0 || n.borders.coming[id] || slices.Contains(n.borders.leaving, id) {
		return n.area
	}
	if o := state.Get(id); o != nil {
		return n.plan.AreaOf(o)
	}
	if to, ok := n.turns.trail.Find(id); ok {
		return to
	}
	return (n.area + 1) % n.config.Len()
}

// takeForward takes an action that another server has passed on. It has waited long enough.
func (n *server) takeForward(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	hops := int(r.UintMax(1 << 20))
	n.command = command{action: world.ReadAction(r)}
	a := &n.command.action
	if r.Done() != nil || n.session.World.Schema().CheckAction(a) != nil {
		return false
	}
	if !n.pass(now, hops, a, out) {
		n.turns.enqueue(n.turns.next(), hops, a)
	}
	return true
}

// notice takes note of how an object has changed in a tick: one that has left the area is handed over at the end of the turn.
func (n *server) notice(c world.Change, out *mechanism.Outbox) {
	if c.New == nil || n.replica.owns(c.New) {
		return
	}
	was := c.Old != nil && n.replica.owns(c.Old)
	made := c.Old == nil && n.borders.claims[c.New.ID] == 0
	if !was && !made && !slices.Contains(n.borders.arrived, c.New.ID) {
		return // a neighbour's
	}
	if !slices.Contains(n.borders.leaving, c.New.ID) {
		n.borders.leaving = append(n.borders.leaving, c.New.ID)
	}
	n.turns.trail.Note(c.New.ID, n.plan.AreaOf(c.New))
	out.Report(mechanism.Event{Name: mechanism.Handed})
}

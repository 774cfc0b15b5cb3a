package central

import (
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/predict"
	"throng/mechanism/update"
	"throng/world"
	"throng/world/wire"
)

// client is a user's node: it shows what the server tells, and what its user does.
type client struct {
	line
	world  world.World
	length world.Time // of a tick
	tick   world.Tick
	view   *world.State
	ghost  *world.State // scratch for Ghost
	action world.Action // what the user does; here, since rules are handed a pointer to it

	// What is forgotten when a life ends.
	others   others
	self     *predict.Self  // nil where nothing is predicted
	answer   predict.Answer // the server's last
	observed map[world.User]uint32
}

func newClient(c *Config, s *mechanism.Session, p mechanism.Place) *client {
	return &client{
		line:   newLine(c, s, p),
		world:  s.World,
		length: s.World.Schema().Tick,
		view:   world.NewState(s.World.Schema(), s.Start.Seed()),
	}
}

// begin starts a life, in which nothing is known yet.
func (n *client) begin(now world.Time, out *mechanism.Outbox) {
	n.join(now, out)
	n.view.Release()
	n.others = newOthers(n.config, n.world, n.view)
	n.answer = predict.Answer{Tick: -1}
	n.observed = map[world.User]uint32{}
	if n.config.Predict {
		n.self = predict.NewSelf(n.world, n.user, n.view, n.from.Holds, n.config.Reconcile == Smooth)
	}
}

// View is what the user sees.
func (n *client) View() *world.State { return n.view }

// Holds reports whether the view has an object.
func (n *client) Holds(id world.ID) bool { return n.view.Get(id) != nil }

// Ghost is what the server last said of what the user sees, with nothing added: for showing how the two differ.
func (n *client) Ghost() *world.State {
	if !n.Ready() {
		return nil
	}
	if n.ghost == nil {
		n.ghost = world.NewState(n.schema, n.view.Seed())
	}
	n.from.Latest(n.ghost)
	n.ghost.SetTick(max(n.answer.Tick, 0))
	return n.ghost
}

// Wake brings the next tick.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	if n.presence == asleep || n.lost(now) {
		n.begin(now, out)
	}
	n.catchUp(now)
	n.speak(now, out)
	n.charge(out)
	out.WakeAt(mechanism.TimeOf(mechanism.TickAt(now, n.length)+1, n.length))
}

// catchUp shows everything as it is at a time, if a tick has passed.
func (n *client) catchUp(now world.Time) {
	tick := mechanism.TickAt(now, n.length)
	if tick == n.tick {
		return
	}
	n.tick = tick
	if n.Ready() {
		n.others.show(now)
		if n.self != nil {
			n.self.Advance(tick)
		}
	}
	n.view.SetTick(tick)
}

// Act shows what the user does and tells the server.
func (n *client) Act(now world.Time, action world.Action, out *mechanism.Outbox) {
	n.catchUp(now)
	n.action = action
	switch a := &n.action; {
	case a.Verb == world.Leave:
		n.Leave(now, out)
		n.view.Release()
		n.report(mechanism.Applied, a, out)
	case a.Verb == world.Enter:
		if n.presence == left {
			n.begin(now, out) // who joins enters
		}
		n.report(mechanism.Applied, a, out)
	case n.presence == left || n.pending.full() || n.schema.CheckAction(a) != nil:
		n.report(mechanism.Dropped, a, out)
	default:
		n.act(now, a, out)
	}
	n.charge(out)
}

func (n *client) act(now world.Time, a *world.Action, out *mechanism.Outbox) {
	n.acted = now
	predicted := n.self != nil && n.Ready()
	shown := predicted && n.self.Shows(a)
	n.pending.add(a, n.tick, shown)
	if predicted {
		n.self.Act(a, n.tick)
	}
	if shown {
		n.report(mechanism.Applied, a, out)
	}
	if n.Ready() {
		n.sayInput(now, out)
	}
}

// Receive takes an update.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From != server || n.presence == asleep || n.presence == left {
		return
	}
	r := wire.NewReader(m.Payload)
	if r.Byte() != kindUpdate {
		r.Fail()
	}
	p := readPreface(&r)
	verdict := update.Impossible
	if !r.Failed() {
		if p.tag != n.epoch.tag() {
			return // it was for an earlier life
		}
		if verdict = n.from.Judge(p.header); verdict == update.Good {
			verdict = n.from.Read(&r, p.header)
		}
	}
	switch verdict {
	case update.Impossible:
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	case update.Good:
		n.catchUp(now)
		n.take(now, &p, out)
		n.charge(out)
	}
}

// take takes over what an update says.
func (n *client) take(now world.Time, p *preface, out *mechanism.Outbox) {
	if n.presence == joining {
		n.pending.renew(n.tick)
	}
	n.hear(now)
	moment := mechanism.TimeOf(p.tick, n.length)
	changes := n.from.Accept(p.header)
	n.others.begin(now, moment, p, n.from)
	for i := range changes {
		n.change(now, moment, &changes[i], out)
	}
	n.confirm(p, out)
	n.view.SetTick(n.tick)
}

// change takes over what happened to one object.
func (n *client) change(now, moment world.Time, c *update.Change, out *mechanism.Outbox) {
	id := c.Object.ID
	own := c.Object.User == n.user
	switch {
	case c.What == update.Left:
		n.others.leave(c.Place)
		n.view.Remove(id)
		if n.self != nil {
			n.self.Untell(id)
		}
	case own && n.self != nil:
		n.others.leave(c.Place)
		n.self.Tell(&c.Object)
	default:
		if n.self != nil {
			n.self.Untell(id)
		}
		n.others.hear(now, moment, c)
	}
	if c.What != update.Left && !own && c.Object.User != 0 {
		n.observe(c, out)
	}
}

// observe reports others' actions whose effects have arrived with an object. Of those that were taken before the object came
// into sight it is not known when they would have been seen.
func (n *client) observe(c *update.Change, out *mechanism.Outbox) {
	u := c.Object.User
	last, known := n.observed[u]
	if c.What == update.Entered || !known || c.Action < last {
		n.observed[u] = max(last, c.Action)
		return
	}
	n.observed[u] = c.Action
	for seq := max(last+1, c.Action-min(c.Action, actionsMax)); seq <= c.Action && seq != 0; seq++ {
		out.Report(mechanism.Event{Name: mechanism.Applied, User: u, Seq: seq})
	}
}

// confirm takes the server's answer to what the user did.
func (n *client) confirm(p *preface, out *mechanism.Outbox) {
	a := predict.Answer{Tick: p.tick, Seq: p.seq, Done: p.done}
	if a.Tick < n.answer.Tick || a.Tick == n.answer.Tick && a.Seq < n.answer.Seq {
		return // a late one
	}
	n.answer = a
	if n.self != nil {
		if ticks := n.self.Confirm(a, n.pending.actions, n.tick); ticks > 0 {
			out.Report(mechanism.Event{Name: mechanism.Rollback, Value: int64(ticks)})
		}
	}
	for n.pending.answered(a.Seq) {
		x, shown := n.pending.take()
		if !shown {
			n.report(mechanism.Applied, &x, out)
		}
		n.report(mechanism.Confirmed, &x, out)
	}
}

func (n *client) report(name string, a *world.Action, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: name, User: a.User, Seq: a.Seq})
}

func (n *client) charge(out *mechanism.Outbox) {
	out.Charge(n.others.takeWork())
	if n.self != nil {
		out.Charge(n.self.TakeWork())
	}
}

// Bytes is the memory that the node's structures hold.
func (n *client) Bytes() int {
	sum := int(unsafe.Sizeof(*n)) + n.view.Bytes() + n.pending.bytes() + n.others.bytes() + cap(n.buf) + 16*len(n.observed)
	if n.from != nil {
		sum += n.from.Bytes()
	}
	if n.self != nil {
		sum += n.self.Bytes()
	}
	return sum
}

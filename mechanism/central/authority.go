package central

import (
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// authority is the server: it has the world and decides what happens in it.
type authority struct {
	config  *Config
	session *mechanism.Session
	replica mechanism.Replica
	tick    world.Tick
	length  world.Time // of a tick

	members  membership.Members[*member]
	schedule schedule
	pace     pace.Pace
	alarm    world.Time // when the node is to be woken
	queue    []order    // actions for the next tick

	begun    bool
	shown    *world.State // the world as the table has it
	dirty    bool         // whether the world has changed since
	moved    bool         // whether ticks have passed since
	times    input.Times
	table    *update.Table
	field    *sight.Field
	nearness sight.Nearness
	crowded  bool // whether what is not near is sent in crowds

	in   input.Packet
	buf  []byte
	work world.Work
}

var (
	_ mechanism.Authority = (*authority)(nil)
	_ mechanism.Sized     = (*authority)(nil)
	_ mechanism.Slowing   = (*authority)(nil)
)

// Held is the world: for reading, until the next call.
func (n *authority) Held() *world.State { return n.replica.State }

// Owns reports whether there is such an object: it decides about all of them.
func (n *authority) Owns(id world.ID) bool { return n.replica.State.Get(id) != nil }

// order is an action that waits for the next tick. One that is to be dropped waits as well, to be answered in its turn.
type order struct {
	member *member
	action world.Action
	drop   bool
}

func newAuthority(c *Config, s *mechanism.Session) *authority {
	n := &authority{
		config:   c,
		session:  s,
		replica:  mechanism.NewReplica(s.World, s.Start),
		length:   s.World.Schema().Tick,
		schedule: newSchedule(c.interval(s.World.Schema().Tick), c.Slots),
		table:    update.NewTable(s.World.Schema()),
		times:    c.times(),
		pace:     pace.New(c.Overload),
		members:  membership.NewMembers[*member](star.Seats(s.World), c.Timeout),
		dirty:    true,
		moved:    true,
	}
	n.tick = n.replica.State.Tick()
	n.shown = n.replica.State.Clone()
	n.shown.Release()
	n.field = sight.NewField(s.World, n.replica.State, c.Margin)
	n.nearness = sight.NewNearness(n.field)
	n.table.Group(c.Datagram - input.HeaderMax)
	return n
}

// atOnce is how many clients are served in one go where slots are overdue: those who have something to say should not have to
// wait for all of them.
const atOnce = 128

// Wake lets ticks pass and serves the clients whose turn it is.
func (n *authority) Wake(now world.Time, out *mechanism.Outbox) {
	if n.session.Late && !n.begun { // the world was lost with the server before: it begins again, now
		n.tick = mechanism.TickAt(now, n.length)
		n.replica.State.SetTick(n.tick)
		out.Report(mechanism.Event{Name: mechanism.Restarted})
	}
	if n.begun {
		n.mind(now, out)
	}
	n.begun = true
	n.catchUp(now, out)
	for served := 0; served < atOnce; {
		slot := n.schedule.take(now)
		if slot == nil {
			break
		}
		for i := len(slot) - 1; i >= 0; i-- { // backwards, since who has timed out is taken off
			if n.serve(slot[i], now, out) {
				served++
			}
		}
	}
	n.charge(out)
	n.alarm = min(mechanism.TimeOf(n.tick+1, n.length), n.schedule.next())
	out.WakeAt(n.alarm)
}

// mind takes note of how late the node is woken, and slows down or speeds up where that is called for.
func (n *authority) mind(now world.Time, out *mechanism.Outbox) {
	if !input.Mind(&n.members, &n.pace, now, now-n.alarm, n.schedule.interval, out) {
		return
	}
	n.times.Resend = n.pace.Stretch(n.config.Resend)
	for _, m := range n.members.All() {
		m.budget.Slow(n.rate())
	}
}

// rate is what a client may be sent per second for the time being.
func (n *authority) rate() int { return n.config.Budget * 100 / n.Slowed() }

// Slowed is how long it is between two updates, in hundredths of how long it ought to be.
func (n *authority) Slowed() int { return n.pace.Slowed() }

// Full reports whether newcomers are refused.
func (n *authority) Full() bool { return n.pace.Full() || n.members.Len() >= n.config.Clients }

// Receive takes a client's message.
func (n *authority) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From == 0 || m.From == server {
		return
	}
	n.catchUp(now, out)
	r := wire.NewReader(m.Payload)
	sound := false
	switch r.Byte() {
	case input.KindJoin:
		sound = n.receiveJoin(now, m.From, &r, out)
	case input.KindLeave:
		sound = n.receiveLeave(now, m.From, &r, out)
	case input.KindInput:
		sound = n.receiveInput(now, m.From, &r, out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	n.charge(out)
	// Somebody may have joined. To ask again for what is asked for already would put it off behind all that waits.
	if next := n.schedule.next(); next < n.alarm {
		n.alarm = next
		out.WakeAt(next)
	}
}

// receiveInput takes what a client has received and what its user does. All of it is checked before any of it counts.
func (n *authority) receiveInput(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	input.ReadInput(r, &n.in)
	if r.Done() != nil {
		return false
	}
	m := n.members.At(from)
	if m == nil {
		n.disown(from, n.in.Tag, out)
		return true
	}
	n.schedule.follow(m, now)
	fresh, sound := m.Take(now, &n.in, n.replica.World.Schema())
	for i := range fresh {
		n.accept(m, &fresh[i], out)
	}
	return sound
}

// accept takes an action that is new.
func (n *authority) accept(m *member, a *world.Action, out *mechanism.Outbox) {
	drop := !m.Allow(n.tick, n.config.Actions)
	if drop {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
	}
	if n.config.Execute == AtTick {
		n.queue = append(n.queue, order{m, *a, drop})
		return
	}
	n.execute(m, a, drop, out)
}

// execute carries an action out, or not, and notes what to answer.
func (n *authority) execute(m *member, a *world.Action, drop bool, out *mechanism.Outbox) {
	m.Executed, m.ExecutedAt = a.Seq, n.tick
	if !drop {
		n.do(a)
		out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.tick)})
	}
}

func (n *authority) do(a *world.Action) {
	n.replica.Do(a)
	n.dirty = true
}

// catchUp brings the world to the tick of a time.
func (n *authority) catchUp(now world.Time, out *mechanism.Outbox) {
	for target := mechanism.TickAt(now, n.length); n.tick < target; n.tick++ {
		for i := range n.queue {
			n.execute(n.queue[i].member, &n.queue[i].action, n.queue[i].drop, out)
		}
		clear(n.queue) // it holds members, who may leave
		n.queue = n.queue[:0]
		n.replica.Advance()
		n.dirty, n.moved = true, true
	}
}

// publish has the table and the field know the world as it is now.
func (n *authority) publish() {
	if !n.dirty {
		return
	}
	n.dirty = false
	if n.moved {
		n.table.Renew()
	}
	for c := range world.Diff(n.shown, n.replica.State) {
		n.work++
		n.field.Change(c)
		if c.New == nil {
			n.table.Remove(c.Old.ID)
			continue
		}
		n.table.Put(c.New, n.executed(c.New.User))
	}
	n.shown.CopyFrom(n.replica.State)
	if n.moved {
		n.moved = false
		n.field.Sync()
	}
	n.gather()
}

// charge counts the work of a call.
func (n *authority) charge(out *mechanism.Outbox) {
	out.Charge(n.work + n.replica.Window.TakeWork() + n.field.TakeWork())
	n.work = 0
}

// Bytes is the memory that the node's structures hold.
func (n *authority) Bytes() int {
	sum := n.replica.State.Bytes() + n.table.Bytes() + n.field.Bytes() + cap(n.buf)
	for _, slot := range n.schedule.slots {
		for _, m := range slot {
			sum += int(unsafe.Sizeof(*m)) + m.Sender.Bytes() + m.set.Bytes()
		}
	}
	return sum
}

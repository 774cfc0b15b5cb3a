package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// region is an area as a client has it: simulated, told of, or ignored.
type region struct {
	client *client
	area   int
	server mechanism.NodeID
	epoch  uint32     // of the server
	spoke  world.Time // when the server was last told something
	bytes  int64      // received for it
	work   world.Work // spent on it

	presence membership.Presence // with the server

	// Where it is simulated:
	replica  *replica
	shown    *world.State // the replica as the view has it
	own      int          // how many objects of it are the area's own, when they were last counted
	counted  world.Tick   // that is when
	queue    []orders     // of the turns to come; what has been used is used again
	queued   int          // how many of these count
	last     turn.Number  // that has orders
	news     []byte       // for the next turn, as far as they have come
	unpack   area.Unpacker
	scratch  news
	past     past
	starving world.Time // since when there are no orders for the next tick, or never
	said     world.Time // when the client last said that it is done with a turn, or never
	sent     uint32     // commands so far
	checked  advance    // the latest check, to go with what the client says next
	pool     *publisher // for those whom this client tells of the area, or nil
	reader   turn.Reader

	guess   world.Object // scratch, since rules are handed a pointer to it
	feed    feed         // where it is told of
	fetch   fetching     // on the way from one to the other
	wished  world.Time
	leaving world.Time // when it is no longer to be simulated, or never
}

// simulate begins to simulate the area with a replica, whose next turn is given.
func (x *region) simulate(r *replica, next turn.Number) {
	x.feed.close(x)
	x.replica = r
	x.queued, x.last, x.sent, x.said = 0, next-1, 0, world.Never
	x.news = x.news[:0]
	x.starving, x.leaving, x.checked = world.Never, world.Never, advance{}
	x.past.begin(next)
	x.client.view.change()
	x.client.tellAlso(x.area, next+1)
}

// cease ends that. What was ordered before is carried out as far as it can be: others may need to know how the area was then.
func (x *region) cease(now world.Time, out *mechanism.Outbox) {
	for x.queued > 0 && x.step(now, out) {
	}
	if x.replica == nil {
		return // it had to be given up on the way
	}
	for i := range x.queued {
		x.tellOf(&x.queue[i], out)
	}
	x.replica.close()
	x.replica, x.pool = nil, nil
	x.client.view.change()
	x.client.tellAlso(x.area, 0)
}

// size is how many objects the area moves. They are counted once a second.
func (x *region) size() int {
	if x.replica == nil {
		return 0
	}
	tick := x.replica.tick()
	if x.own > 0 && tick-x.counted < world.TicksIn(world.Second, x.client.pace.Tick) {
		return x.own
	}
	x.own, x.counted = 0, tick
	for o := range x.replica.state().All() {
		if x.replica.owns(o) {
			x.own++
		}
	}
	return x.own
}

// command tells the server what the user does.
func (x *region) command(now world.Time, a *world.Action, out *mechanism.Outbox) {
	c := command{action: *a}
	if x.replica != nil {
		x.sent++
		c.count, c.turn = x.sent, max(x.last, 0)
	}
	n := x.client
	n.buf = appendCommand(n.buf[:0], &c)
	n.links.Send(now, x.server, mechanism.Command, n.buf, link.Ordered, out)
	out.Count(mechanism.Command, 1)
}

// takeOrders takes what happens in a turn. With it the turn before is over: what the user does from now on belongs to this
// one, and the server is told so.
func (x *region) takeOrders(now world.Time, news []byte, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := readTurn(r)
	text := r.Rest()
	check := wire.NewReader(text)
	readHeld(&check, nil)
	held := len(text) - check.Len()
	if r.Failed() || check.Failed() || turn.Check(x.client.session.World.Schema(), text[held:]) != nil {
		return false
	}
	if x.replica == nil || number != x.last+1 {
		x.news = x.news[:0]
		return x.replica == nil || number <= x.last
	}
	before := len(x.news)
	border, there, ok := x.takeBorder(news)
	if !ok {
		x.news = x.news[:before] // the message counts as not received
		return false
	}
	if x.queued == len(x.queue) {
		x.queue = append(x.queue, orders{})
	}
	o := &x.queue[x.queued]
	x.queued++
	o.there = there
	o.copyFrom(&orders{border: border, held: text[:held], batch: text[held:]})
	x.news = x.news[:0]
	x.last = number
	x.sayAdvance(now, out)
	return true
}

// takeNews keeps a part of what happens to objects until the orders come.
func (x *region) takeNews(part []byte) (sound bool) {
	if len(x.news)+len(part) > newsMax {
		return false
	}
	x.news = append(x.news, part...)
	return true
}

// takeBorder puts together what happens to objects, of which the last part has come with the orders.
func (x *region) takeBorder(last []byte) (border []byte, there, sound bool) {
	if !x.takeNews(last) {
		return nil, false, false
	}
	border, sound = x.news, true
	if len(border) > 0 && x.client.config.Borders == area.Encodings[area.Compressed] {
		if border, sound = x.unpack.Open(border); !sound {
			return nil, false, false
		}
	}
	there, sound = x.scratch.read(x.client.session.World.Schema(), border, nil)
	return border, there, sound
}

// newsMax bounds what a server can make a client hold for the next turn.
const newsMax = 1 << 22

// sayAdvance tells the server which turn the client is done with.
func (x *region) sayAdvance(now world.Time, out *mechanism.Outbox) {
	x.said = now
	if x.last == 0 {
		return
	}
	a := advance{turn: x.last - 1, count: x.sent, reached: x.replica.tick(), checked: x.checked.checked, hash: x.checked.hash}
	x.checked = advance{}
	n := x.client
	n.buf = appendAdvance(n.buf[:0], &a)
	n.links.Send(now, x.server, mechanism.Control, n.buf, link.Unreliable, out)
}

// proceed lets a tick pass in the area.
func (x *region) proceed(now world.Time, tick world.Tick, out *mechanism.Outbox) {
	if x.replica == nil {
		x.feed.proceed(x, now, tick, out)
		return
	}
	if now >= x.leaving {
		x.leaving = world.Never
		x.sayWish(now, wishCease, out)
	}
	if x.queued == 0 && x.said != world.Never && now-x.said > x.client.pace.Length() {
		x.sayAdvance(now, out) // the server may be waiting for one that was lost
	}
	steps := world.Tick(1)
	if ahead := x.client.pace.First(x.last+1) - x.replica.tick(); ahead > x.client.pace.Ticks {
		steps += (ahead - x.client.pace.Ticks + 3) / 4 // it has fallen behind
	}
	for range min(steps, ticksMax) {
		if !x.step(now, out) {
			break
		}
	}
}

// step lets a tick pass if there are orders for it.
func (x *region) step(now world.Time, out *mechanism.Outbox) bool {
	pace := x.client.pace
	first := pace.Begins(x.replica.tick())
	if x.queued == 0 || first && !x.complete(now, out) {
		if x.replica != nil && x.starving == world.Never && x.replica.tick() > 0 {
			x.starving = now
		}
		return false
	}
	if x.starving != world.Never {
		out.Report(mechanism.Event{Name: mechanism.Stalled, Value: int64(now - x.starving)})
		x.starving = world.Never
	}
	o := &x.queue[0]
	work := x.replica.step(o)
	x.work += work
	out.Charge(work)
	x.client.view.stale = true
	if first {
		x.tellOf(o, out)
	}
	if pace.Begins(x.replica.tick()) {
		x.remember()
		if next := pace.Of(x.replica.tick()); next%checkTurns == 0 {
			x.checked = advance{checked: next, hash: x.replica.state().Hash()}
		}
		used := x.queue[0]
		copy(x.queue, x.queue[1:x.queued])
		x.queued--
		x.queue[x.queued] = used
	}
	x.share(now, out)
	return true
}

// tellOf reports the actions that have just been carried out.
func (x *region) tellOf(o *orders, out *mechanism.Outbox) {
	x.reader.Open(o.batch)
	for a := x.reader.Next(); a != nil; a = x.reader.Next() {
		if x.pool != nil {
			x.pool.executed(a)
		}
		switch {
		case a.Seq == 0: // somebody entered or left
		case a.User == x.client.place.User:
			x.client.conclude(a.Seq, true, out)
		default:
			x.client.report(mechanism.Applied, a, out)
		}
	}
}

// share tells others of the area, if the server has asked for it.
func (x *region) share(now world.Time, out *mechanism.Outbox) {
	p := x.pool
	if p == nil || len(p.readers) == 0 {
		return
	}
	p.refresh(nil)
	if x.client.pace.Begins(x.replica.tick()) {
		p.look()
	}
	p.serve(now, func(to mechanism.NodeID, datagram []byte, items int) {
		x.client.links.Send(now, to, mechanism.Update, datagram, link.Unreliable, out)
		out.Count(mechanism.Update, items)
	})
	out.Charge(p.takeWork())
}

// takeServe takes whom to tell of the area from now on, or no longer.
func (x *region) takeServe(r *wire.Reader) (sound bool) {
	t := readTelling(r)
	u := x.client.userOf(t.node)
	if r.Done() != nil || u == 0 {
		return false
	}
	if x.replica == nil {
		return true
	}
	if x.pool == nil {
		x.pool = newPublisher(x.client.config, x.replica)
		x.pool.refresh(nil)
		x.pool.look()
	}
	if t.number == 0 {
		x.pool.dismiss(u)
		return true
	}
	x.pool.admit(t.node, u, t.number)
	return true
}

// serves reports whether this client tells a node of the area.
func (x *region) serves(id mechanism.NodeID) bool {
	u := x.client.userOf(id)
	return u != 0 && x.pool != nil && x.pool.reader(u) != nil
}

func (x *region) takeReceipt(from mechanism.NodeID, number uint32, receipt update.Receipt) (sound bool) {
	return x.pool == nil || x.pool.confirm(x.client.userOf(from), number, receipt)
}

// What a client wishes for.
const (
	wishCease = iota
	wishBegin
	wishResign // as the first, and it cannot wait
	wishes
)

// wish asks the server to let the client begin to simulate the area, or cease to. Those who rely on it for their borders hear
// of the latter some time before it happens.
func (x *region) wish(now world.Time, begin bool, out *mechanism.Outbox) {
	has := x.replica != nil || x.fetch.under
	switch {
	case begin && x.leaving != world.Never:
		x.leaving = world.Never
		x.client.tellAlso(x.area, x.last+2)
	case begin == has || x.leaving != world.Never:
	case begin:
		x.fetch = fetching{under: true}
		x.wished = now
		x.sayWish(now, wishBegin, out)
	case x.client.view.areas > 1 && x.replica != nil:
		x.leaving = now + noticeTime
		x.client.tellAlso(x.area, 0)
	default:
		x.fetch = fetching{}
		x.sayWish(now, wishCease, out)
	}
}

// noticeTime is how long before an area is no longer simulated the servers of others hear of it.
const noticeTime = world.Second

func (x *region) sayWish(now world.Time, what byte, out *mechanism.Outbox) {
	n := x.client
	n.buf = append(n.buf[:0], kindWish, what)
	n.links.Send(now, x.server, mechanism.Control, n.buf, link.Ordered, out)
}

// takeAnswer takes what the server says about the client's part in the area.
func (x *region) takeAnswer(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	why := r.Byte()
	if r.Done() != nil || why >= answers {
		return false
	}
	if x.fetch.under {
		x.fetch = fetching{}
	}
	if why == answerLater || x.replica == nil {
		return true
	}
	x.cease(now, out)
	forced := int64(0)
	switch why {
	case answerForced:
		forced = 1
		x.client.manager.bar(now, x.area)
	case answerWrong:
		x.wish(now, true, out)
	}
	out.Report(mechanism.Event{Name: mechanism.Demoted, Value: forced})
	return true
}

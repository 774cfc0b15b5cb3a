package action

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// news is a message from the server, read and checked.
type news struct {
	serial byte
	floor  uint64 // nothing at or before this position is yet to come; values are so after it
	items  []item
}

// item is one piece of news.
type item struct {
	kind     byte
	who      membership.Identity
	position uint64
	number   uint32
	object   world.Object // without an ID if it does not exist
	id       world.ID
	entry    mechanism.Entry
}

// next returns memory for one more item.
func (x *news) next(kind byte) *item {
	if len(x.items) < cap(x.items) {
		x.items = x.items[:len(x.items)+1]
	} else {
		x.items = append(x.items, item{})
	}
	it := &x.items[len(x.items)-1]
	if it.kind = kind; kind == newsEntry && it.entry.Footprint.Reads == nil {
		reserve(&it.entry.Footprint)
	}
	return it
}

// read reads what follows the kind of a message with news.
func (x *news) read(r *wire.Reader, start *world.State) error {
	x.items = x.items[:0]
	x.serial = r.Byte()
	x.floor = r.UintMax(positionMax)
	last := x.floor
	for r.Len() > 0 && !r.Failed() {
		it := x.next(r.Byte())
		switch it.kind {
		case newsWelcome:
			it.who = membership.ReadIdentity(r)
		case newsValue:
			it.id = world.ID(r.Uint())
			it.object = readValue(r, start, it.id)
		case newsEntry, newsOwn:
			last += uint64(r.Int())
			it.position = last
			if last == 0 || last > positionMax {
				r.Fail()
			} else if it.kind == newsOwn {
				it.number = uint32(r.UintMax(numberMax))
			} else {
				readEntry(r, start.Schema(), &it.entry)
			}
		case newsDropped:
			it.number = uint32(r.UintMax(numberMax))
		case newsClaim:
			it.position = r.UintMax(positionMax)
		default:
			r.Fail()
		}
	}
	return r.Done()
}

// takeNews takes a message from the server.
func (n *client) takeNews(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	x := &n.news
	if x.read(r, n.session.Start) != nil {
		return false
	}
	if n.presence.Joining() && len(x.items) > 0 && x.items[0].kind == newsWelcome && x.items[0].who == n.presence.Identity {
		n.enter(now)
	}
	switch {
	case !n.presence.Member():
		return true // it is for somebody who was here before
	case x.serial != n.in:
		n.beginAnew() // something was lost for good
		return true
	case n.presence.Lost(now):
		n.beginAnew() // it had so much to do that it finds out only now
		return true
	}
	n.in++
	n.stable.install(x.floor)
	for i := range x.items {
		n.learn(now, &x.items[i], out)
	}
	n.flush(now, out)
	return true
}

// learn takes one piece of news.
func (n *client) learn(now world.Time, it *item, out *mechanism.Outbox) {
	switch it.kind {
	case newsValue:
		n.hold(it.id, n.news.floor, &it.object)
	case newsEntry:
		n.follow(now, it, out)
	case newsOwn:
		if d := n.pending.remove(it.number); d != nil {
			n.settle(now, d, it.position, out)
			n.pending.give(d)
		}
	case newsDropped:
		if d := n.pending.remove(it.number); d != nil {
			n.reconcile(d, out)
			n.pending.give(d)
		}
	case newsClaim:
		n.recall(now, it.position, out)
	}
}

// hold notes that an object is so after a position. The view shows it, unless the user has done something to it that has not
// returned yet.
func (n *client) hold(id world.ID, position uint64, o *world.Object) {
	if o.ID == 0 {
		o = nil
	}
	n.witness.Held(position, id, o)
	if n.stable.put(id, position, o) && !n.pending.written(id) {
		n.set(id, o)
	}
}

// execute carries out an entry at its position, for certain.
func (n *client) execute(d *mechanism.Entry, position uint64) []world.Object {
	n.results = n.scene.perform(d, func(id world.ID) *world.Object { return n.stable.before(id, position) }, n.results[:0])
	for i, id := range d.Footprint.Writes {
		n.hold(id, position, &n.results[i])
	}
	n.stable.latest.SetTick(max(n.stable.latest.Tick(), d.Tick+world.Tick(d.Steps)))
	return n.results
}

// follow carries out somebody else's entry.
func (n *client) follow(now world.Time, it *item, out *mechanism.Outbox) {
	d := &it.entry
	results := n.execute(d, it.position)
	if d.Steps == 0 && d.Action.Seq != 0 {
		out.Report(mechanism.Event{Name: mechanism.Applied, User: d.Action.User, Seq: d.Action.Seq})
	}
	if n.config.Completion == All {
		n.complete(now, it.position, d.Footprint.Writes, results, out)
	}
}

// settle carries out an own entry that has its place in the order, and tells the server what has become of it. Where others
// were faster, that is known already.
func (n *client) settle(now world.Time, d *own, position uint64, out *mechanism.Outbox) {
	if position > n.stable.installed {
		results := n.execute(&d.Entry, position)
		n.complete(now, position, d.Footprint.Writes, results, out)
		n.returned(d, results, out)
	} else {
		n.reconcile(d, out)
	}
	if d.Steps == 0 && d.Action.Seq != 0 { // else no user took it
		out.Report(mechanism.Event{Name: mechanism.Confirmed, User: d.Action.User, Seq: d.Action.Seq})
	}
}

// complete adds what has become of an entry to what is to be sent.
func (n *client) complete(now world.Time, position uint64, ids world.Set, results []world.Object, out *mechanism.Outbox) {
	n.buf = n.buf[:0]
	for i, id := range ids {
		n.buf = appendValue(n.buf, n.session.Start, id, &results[i])
	}
	if len(n.done) == 0 {
		n.done = append(n.done, kindComplete, byte(n.presence.Identity.Life), 0)
	}
	n.done = wire.AppendBytes(wire.AppendUint(n.done, position), n.buf)
	out.Count(mechanism.Update, len(ids))
	if len(n.done) >= newsBytes {
		n.flush(now, out)
	}
}

// flush sends completions.
func (n *client) flush(now world.Time, out *mechanism.Outbox) {
	if len(n.done) > 0 {
		n.done[2] = n.out
		n.send(now, mechanism.Update, n.done, out)
		n.done = n.done[:0]
	}
}

// recall tells the server what has become of an entry whose client has failed.
func (n *client) recall(now world.Time, position uint64, out *mechanism.Outbox) {
	v := &n.stable
	if position <= v.installed {
		return // it has found out otherwise
	}
	first, _ := slices.BinarySearchFunc(v.writes[v.first:], position, func(w write, p uint64) int {
		if w.position < p {
			return -1
		}
		return 1
	})
	n.recalled = n.recalled[:0]
	n.results = n.results[:0]
	for _, w := range v.writes[v.first+first:] {
		if w.position != position {
			break
		}
		n.recalled = append(n.recalled, w.id)
		n.results = append(n.results, world.Object{})
		if o := v.after(w.id, position); o != nil {
			n.results[len(n.results)-1] = *o
		}
	}
	n.complete(now, position, n.recalled, n.results, out)
}

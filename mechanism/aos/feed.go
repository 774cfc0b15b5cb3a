package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// feed is what a client is told of an area.
type feed struct {
	number   uint32           // of the reader that the client is to whoever tells
	from     mechanism.NodeID // who tells, or nobody
	receiver *update.Receiver
	known    *world.State // what has been told
	former   world.Set    // what somebody else has told of, and who tells now not yet
	grace    world.Tick   // for how much longer that is still shown
	owed     bool         // a receipt
	observed map[world.User]uint32
}

// takeSource takes who tells of the area from now on.
func (x *region) takeSource(r *wire.Reader) (sound bool) {
	t := readTelling(r)
	if r.Done() != nil {
		return false
	}
	f := &x.feed
	if t.number <= f.number || x.replica != nil {
		f.number = max(f.number, t.number)
		return true
	}
	n := x.client
	f.number = t.number
	if t.node == 0 {
		f.close(x)
		return true
	}
	f.from, f.owed = t.node, false
	if f.receiver != nil { // what is seen is seen on until the next one has had time to tell all
		for o := range f.known.All() {
			f.former.Add(o.ID)
		}
		f.grace = world.TicksIn(succeeds, n.pace.Tick)
	}
	f.receiver = update.NewReceiver(n.session.World.Schema(), n.place.User)
	if f.known == nil {
		f.known = world.NewState(n.session.World.Schema(), n.session.Start.Seed())
		f.observed = map[world.User]uint32{}
	}
	return true
}

// succeeds is how long somebody who takes over to tell a client of an area may take until it has told all.
const succeeds = world.Second

// expire forgets, after a while, what somebody else has told of, who does not tell any more, and who tells now has not.
func (f *feed) expire(x *region) {
	if f.grace--; len(f.former) == 0 || f.grace > 0 {
		return
	}
	for _, id := range f.former {
		f.known.Remove(id)
		x.client.view.lose(id)
	}
	f.former = f.former[:0]
}

// close forgets all that was told.
func (f *feed) close(x *region) {
	f.from, f.owed, f.former = 0, false, f.former[:0]
	if f.receiver == nil {
		return
	}
	f.receiver = nil
	gone := make([]world.ID, 0, f.known.Len())
	for o := range f.known.All() {
		gone = append(gone, o.ID)
	}
	f.known.Release()
	for _, id := range gone {
		x.client.view.lose(id)
	}
}

// takeUpdate takes states.
func (x *region) takeUpdate(now world.Time, m mechanism.Message, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := readUint32(r)
	header := update.ReadHeader(r)
	f := &x.feed
	if r.Failed() {
		return false
	}
	if f.receiver == nil || number != f.number || m.From != f.from {
		return true // it is of another time
	}
	verdict := f.receiver.Judge(header)
	if verdict == update.Good {
		verdict = f.receiver.Read(r, header)
	}
	if verdict != update.Good {
		return verdict == update.Stale
	}
	x.bytes += int64(len(m.Payload))
	f.owed = true
	for _, c := range f.receiver.Accept(header) {
		x.work++
		out.Charge(1)
		x.hear(&c, out)
	}
	return true
}

// hear takes over what happened to one object.
func (x *region) hear(c *update.Change, out *mechanism.Outbox) {
	f, v := &x.feed, &x.client.view
	f.former.Remove(c.Object.ID)
	if c.What == update.Left {
		f.known.Remove(c.Object.ID)
		v.lose(c.Object.ID)
		return
	}
	f.known.Put(c.Object)
	v.hear(&c.Object)
	if u := c.Object.User; u != 0 && u != x.client.place.User && c.Action != 0 {
		if c.What == update.Changed && c.Action > f.observed[u] {
			out.Report(mechanism.Event{Name: mechanism.Applied, User: u, Seq: c.Action})
		}
		f.observed[u] = max(f.observed[u], c.Action)
	}
}

// reckon lets a tick pass for what is told only now and then, or only if it is otherwise: as the rules guess.
func (f *feed) reckon(x *region) {
	n := x.client
	for o := range f.known.All() {
		x.guess = *o
		n.session.World.Extrapolate(&x.guess, n.pace.Tick)
		if x.guess != *o {
			*f.known.Edit(o.ID) = x.guess
			n.view.hear(&x.guess)
		}
	}
}

// proceed says what has arrived, once a turn.
func (f *feed) proceed(x *region, now world.Time, tick world.Tick, out *mechanism.Outbox) {
	n := x.client
	f.expire(x)
	if f.receiver != nil && (n.config.Detail || n.config.Updates == Reckoned) {
		f.reckon(x)
	}
	if !f.owed || !n.pace.Begins(tick) {
		return
	}
	f.owed = false
	n.buf = appendReceipt(n.buf[:0], x.area, f.number, f.receiver.Receipt())
	n.links.Send(now, f.from, mechanism.Receipt, n.buf, link.Unreliable, out)
}

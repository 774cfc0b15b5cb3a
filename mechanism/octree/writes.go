package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/world"
	"throng/world/wire"
)

// writer tells storage nodes what becomes of what a server answers for, and clients of it once enough of them have it.
type writer struct {
	server  *server
	told    *world.State // as storage nodes were told
	number  uint64       // of the last write
	streams []stream     // by storage node
	queue   []effect     // what clients are to be told once it is stored, in the order of writes
	acts    []act        // actions carried out since the last write
	log     []moment     // and lately
	order   []uint64     // scratch
	states  []byte       // scratch
}

// stream is what one storage node is told.
type stream struct {
	write
	encoder *area.Encoder
	acked   uint64
	wrote   world.Time
}

// effect is something that has happened and waits to be stored: an object has changed or is gone, or a user's action has been
// carried out.
type effect struct {
	number uint64
	object world.Object
	gone   bool
	action uint32 // the last of the object's user's
	tick   world.Tick

	user   world.User // whose action it was, if so
	origin int        // the server that is to be told
}

// unsent is the number of what has yet to be written.
const unsent = ^uint64(0)

func newWriter(n *server) writer {
	w := writer{server: n, told: n.replica.State.Clone(), number: n.writer.number, streams: make([]stream, n.config.Storage)}
	w.told.Release()
	for i := range w.streams {
		w.streams[i].encoder = area.NewEncoder(n.session.World.Schema(), area.Delta)
		w.streams[i].acked = w.number
	}
	return w
}

// begins has everything be told anew to a storage node.
func (w *writer) begins(storage int) {
	s, n := &w.streams[storage], w.server
	s.reset()
	s.encoder = area.NewEncoder(n.session.World.Schema(), area.Delta)
	for o := range n.replica.State.All() {
		if epoch, ok := n.own.Get(o.ID); ok && n.ring.holds(storage, n.ring.first(o.ID)) {
			s.held = append(s.held, deed{id: o.ID, epoch: epoch})
			s.encoder.Put(o)
			if seq := n.last.Get(o.User); o.User != 0 && seq > 0 {
				s.acts = append(s.acts, act{o.User, seq, o.ID})
			}
		}
	}
	for _, m := range w.log {
		if n.owns(m.target) && n.ring.holds(storage, n.ring.first(m.target)) {
			s.acts = append(s.acts, m.act)
		}
	}
	s.wrote = -world.Never
}

// each calls f for the streams of the storage nodes that hold an object.
func (w *writer) each(id world.ID, f func(*stream)) {
	first := w.server.ring.first(id)
	for k := range w.server.ring.copies {
		f(&w.streams[w.server.ring.at(first, k)])
	}
}

// hold says that the server answers for an object from now on, to which some actions were done lately.
func (w *writer) hold(o *world.Object, epoch uint32, acts []act) {
	for _, a := range acts {
		w.remember(a)
	}
	w.each(o.ID, func(s *stream) {
		s.held = append(s.held, deed{id: o.ID, epoch: epoch})
		s.acts = append(s.acts, acts...)
		s.encoder.Put(o)
	})
}

// hand says that another server is to answer for an object.
func (w *writer) hand(id world.ID, to int, epoch uint32) {
	w.each(id, func(s *stream) {
		s.handed = append(s.handed, deed{id, epoch, to}) // its last state goes before
	})
}

// leave says that the server does not answer for an object, whatever it has said: another one has, in an epoch.
func (w *writer) leave(id world.ID, epoch uint32) {
	w.hand(id, w.server.config.Servers, epoch)
	w.each(id, func(s *stream) { s.encoder.Remove(id) })
}

// gather notes what has changed since the last write.
func (w *writer) gather() {
	n := w.server
	for c := range world.Diff(w.told, n.replica.State) {
		switch {
		case c.New == nil:
			w.lose(c.Old)
		case n.open(c.New):
			w.change(c.New)
		}
	}
	w.told.CopyFrom(n.replica.State)
}

// lose notes that an object is no longer in the world, unless it is somebody else's business.
func (w *writer) lose(o *world.Object) {
	n := w.server
	epoch, ok := n.own.Get(o.ID)
	if !ok {
		return
	}
	n.own.Delete(o.ID)
	n.watcher.drop(o.ID)
	w.each(o.ID, func(s *stream) {
		s.gone = append(s.gone, deed{id: o.ID, epoch: epoch})
		s.encoder.Remove(o.ID)
	})
	w.queue = append(w.queue, effect{number: unsent, object: *o, gone: true, tick: n.tick})
}

// change notes that an object has changed, or has come to be.
func (w *writer) change(o *world.Object) {
	n := w.server
	if _, ok := n.own.Get(o.ID); !ok {
		epoch := uint32(n.tick) + 2 // later than any before, should there have been one of that name
		n.own.Set(o.ID, epoch)
		w.each(o.ID, func(s *stream) { s.held = append(s.held, deed{id: o.ID, epoch: epoch}) })
	}
	n.watcher.move(o)
	w.each(o.ID, func(s *stream) { s.encoder.Put(o) })
	w.queue = append(w.queue, effect{number: unsent, object: *o, action: n.last.Get(o.User), tick: n.tick})
	n.work++
}

// acted notes that an action has been carried out here. Its origin is told once that is stored.
func (w *writer) acted(a act, origin int) {
	w.acts = append(w.acts, a)
	w.remember(a)
	w.queue = append(w.queue, effect{number: unsent, user: a.user, action: a.seq, object: world.Object{ID: a.target}, origin: origin, tick: w.server.tick})
}

// remember notes what was carried out, for as long as a client may repeat it until it has found another server.
func (w *writer) remember(a act) {
	now, old := mechanism.TimeOf(w.server.tick, w.server.length), 0
	for old < len(w.log) && now > w.log[old].at+w.server.config.memory() {
		old++
	}
	w.log = append(w.log[:copy(w.log, w.log[old:])], moment{a, now})
}

// outcomeOf is what came of a request, if it has been dealt with.
func (w *writer) outcomeOf(q *request) (done act, known bool) {
	for _, m := range w.log {
		if m.act == q.outcome(true) || m.act == q.outcome(false) {
			return m.act, true
		}
	}
	return done, false
}

// unlearn forgets what was done to an object: what is in its state is told anew.
func (w *writer) unlearn(id world.ID) {
	w.log = slices.DeleteFunc(w.log, func(m moment) bool { return m.target == id })
}

// lately is what was done to an object.
func (w *writer) lately(id world.ID) (acts []act) {
	for _, m := range w.log {
		if m.target == id {
			acts = append(acts, m.act)
		}
	}
	return acts
}

// revoke takes back what was done to an object and is not known to be stored. Who did it has to do it again. That it is gone stays so.
func (w *writer) revoke(now world.Time, id world.ID, out *mechanism.Outbox) {
	n := w.server
	w.acts = slices.DeleteFunc(w.acts, func(a act) bool { return a.target == id })
	w.unlearn(id)
	w.queue = slices.DeleteFunc(w.queue, func(e effect) bool {
		if e.object.ID != id || e.gone {
			return false
		}
		if is, _ := requested(e.user); e.user != 0 && !is { // requests are made again
			did := n.did.Get(e.user)
			did.take(e.action)
			n.did.Set(e.user, did)
			if m := n.members.Of(e.user); m != nil && e.origin == n.number {
				n.forget(now, m)
				n.disown(m.Node, m.Identity.Tag(), out)
			}
		}
		return true
	})
}

// flush writes what is new.
func (w *writer) flush(now world.Time, out *mechanism.Outbox) {
	n := w.server
	w.number = max(w.number+1, uint64(max(now, 0)))
	w.gather()
	for i := len(w.queue) - 1; i >= 0 && w.queue[i].number == unsent; i-- {
		w.queue[i].number = w.number
	}
	n.handOver(now, out)
	if len(w.queue) == 0 {
		n.shownAt = n.tick
	}
	for i := range w.streams {
		w.say(now, i, out)
	}
	w.acts = w.acts[:0]
}

// say tells one storage node.
func (w *writer) say(now world.Time, storage int, out *mechanism.Outbox) {
	n, s := w.server, &w.streams[storage]
	to := n.config.storageNode(storage)
	if !n.inTouch(to) {
		s.reset()
		return
	}
	s.acts = append(s.acts, w.acts...)
	for first, more := true, true; more; first = false {
		w.states, more = s.encoder.Append(w.states[:0], max(n.config.Datagram-linkMargin-16*len(s.held), bodyMin))
		if first && len(w.states) == 0 && s.empty() && now < s.wrote+n.config.beat() {
			return
		}
		// What has become of objects is said after their states, which may take several messages.
		part := write{number: w.number, more: more, held: s.held}
		if !more {
			part = s.write
			part.number, part.more = w.number, false
		}
		n.buf = append(part.append(n.buf[:0]), w.states...)
		n.tell(now, to, mechanism.Update, n.buf, out)
		s.held = s.held[:0]
	}
	for _, d := range s.handed {
		if d.to != n.number {
			s.encoder.Remove(d.id)
		}
	}
	s.reset()
	s.wrote = now
	out.Count(mechanism.Update, s.encoder.TakeItems())
}

// bodyMin is the least room that states get in a write, however much else it says.
const bodyMin = 256

// takeAck takes that a storage node has something.
func (n *server) takeAck(now world.Time, storage int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	var number uint64
	number, n.deeds = readAck(r, n.deeds[:0])
	s := &n.writer.streams[storage]
	if r.Done() != nil || number > n.writer.number {
		return false
	}
	for _, d := range n.deeds {
		n.refused(now, d, out)
	}
	s.acked = max(s.acked, number)
	n.writer.settle(now, out)
	return true
}

// settle tells clients of what enough storage nodes have.
func (w *writer) settle(now world.Time, out *mechanism.Outbox) {
	n := w.server
	w.order = w.order[:0]
	for i := range w.streams {
		w.order = append(w.order, w.streams[i].acked)
	}
	slices.Sort(w.order)
	settled := w.order[min(n.config.spare(), len(w.order)-1)]
	done := 0
	for ; done < len(w.queue) && w.queue[done].number <= settled; done++ {
		n.shownAt = max(n.shownAt, w.queue[done].tick)
		n.disclose(now, &w.queue[done], out)
	}
	w.queue = w.queue[:copy(w.queue, w.queue[done:])]
}

func (w *writer) bytes() int {
	sum := cap(w.queue) * 200
	for i := range w.streams {
		sum += w.streams[i].encoder.Bytes()
	}
	return sum
}

package action

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// takeCompletions takes what has become of entries. All of it is checked before any of it counts.
func (n *server) takeCompletions(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	life, serial := r.Byte(), r.Byte()
	m := n.members.At(from)
	if m == nil || byte(m.Identity.Life) != life {
		return true
	}
	check := *r
	for check.Len() > 0 {
		if !n.complete(m, &check, false, out) {
			return false
		}
	}
	if check.Failed() {
		return false
	}
	if !n.inTurn(now, m, serial, out) {
		return true
	}
	for r.Len() > 0 {
		n.complete(m, r, true, out)
	}
	n.install(now, out)
	return true
}

// complete reads one completion, and takes note of it if it counts.
func (n *server) complete(m *member, r *wire.Reader, counts bool, out *mechanism.Outbox) (sound bool) {
	position := r.UintMax(positionMax)
	values := wire.NewReader(r.Bytes())
	if r.Failed() || position == 0 || position >= n.order.next {
		return false
	}
	if position <= n.order.installed {
		return true // somebody else was faster
	}
	e := n.order.at(position)
	if !e.sent.has(m.slot) {
		return false
	}
	n.values = n.values[:0]
	for _, id := range e.Footprint.Writes {
		n.values = append(n.values, readValue(&values, n.order.start, id))
	}
	if values.Done() != nil {
		return false
	}
	if counts {
		n.record(m, e, position, out)
	}
	return true
}

// record keeps the values just read, unless those of somebody else are there; these should be the same.
func (n *server) record(m *member, e *entry, position uint64, out *mechanism.Outbox) {
	if !e.done {
		e.done, e.by = true, m.slot
		e.results = append(e.results[:0], n.values...)
		return
	}
	if m.slot == e.by {
		return
	}
	e.agreed = true
	for i := range n.values {
		if e.results[i] != n.values[i] {
			e.agreed, e.disputed, e.rival = false, true, m.slot
			out.Report(mechanism.Event{Name: mechanism.Differed, User: e.Action.User, Seq: e.Action.Seq, Value: int64(position)})
			return
		}
	}
}

// install puts into the authoritative state what is completed without a gap, and lets those try again who wait for it.
func (n *server) install(now world.Time, out *mechanism.Outbox) {
	o := &n.order
	before := o.installed
	for o.installed+1 < o.next {
		e := o.at(o.installed + 1)
		if !e.void && (!e.done || n.doubts(now, e)) {
			break
		}
		if !e.void {
			n.audit(e, o.installed+1)
			for i, id := range e.Footprint.Writes {
				put(n.state, id, &e.results[i])
			}
			n.state.SetTick(max(n.state.Tick(), e.Tick))
		}
		if e.owner != none {
			n.members.slots[e.owner].settled(e)
		}
		if e.Steps == 0 && e.Action.Verb == world.Leave {
			n.parted(e)
		}
		o.settle(n.exists)
		for _, id := range e.Footprint.Writes {
			n.witness.Held(o.installed, id, n.state.Get(id))
		}
	}
	if o.installed == before {
		return
	}
	n.witness.Settled(o.installed)
	o.discard(n.protocol.keep())
	n.announce(now, out)
	n.retry(now, out)
	n.cutLiars(now, out)
}

func (n *server) exists(id world.ID) bool { return n.state.Get(id) != nil }

// retry gives those entries a place that have waited for it, and may now have it.
func (n *server) retry(now world.Time, out *mechanism.Outbox) {
	left := n.waiters[:0]
	for _, m := range n.waiters {
		for len(m.waiting) > 0 && !m.gone {
			e := n.order.slot()
			e.take(&m.waiting[0])
			n.order.link(e)
			if !n.protocol.admits(e) {
				break
			}
			m.unhold()
			n.place(now, m, e, out)
		}
		if len(m.waiting) > 0 && !m.gone {
			left = append(left, m)
		}
	}
	n.waiters = left
}

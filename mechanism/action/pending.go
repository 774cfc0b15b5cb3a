package action

import (
	"throng/mechanism"
	"throng/world"
)

// own is an entry of the client's own that has not returned from the server.
type own struct {
	mechanism.Entry
	number  uint32
	results []world.Object // what it does in the view
}

// pending are these, the oldest first, and how many of them write each object.
type pending struct {
	entries []*own
	writes  map[world.ID]int
	spare   []*own
}

// pendingMax is how many there may be. What the user does beyond that is dropped.
const pendingMax = 256

func newPending() pending { return pending{writes: map[world.ID]int{}} }

func (p *pending) full() bool { return len(p.entries) >= pendingMax }

// take returns memory for an entry.
func (p *pending) take() *own {
	if n := len(p.spare); n > 0 {
		d := p.spare[n-1]
		p.spare = p.spare[:n-1]
		d.Footprint.Reset()
		return d
	}
	return &own{}
}

// give takes back memory.
func (p *pending) give(d *own) { p.spare = append(p.spare, d) }

func (p *pending) add(d *own) {
	p.entries = append(p.entries, d)
	for _, id := range d.Footprint.Writes {
		p.writes[id]++
	}
}

// remove takes the entry with a number out, or returns nil.
func (p *pending) remove(number uint32) *own {
	for i, d := range p.entries {
		if d.number != number {
			continue
		}
		p.entries = append(p.entries[:i], p.entries[i+1:]...)
		for _, id := range d.Footprint.Writes {
			if p.writes[id]--; p.writes[id] == 0 {
				delete(p.writes, id)
			}
		}
		return d
	}
	return nil
}

// written reports whether an entry that has not returned writes an object.
func (p *pending) written(id world.ID) bool { return p.writes[id] > 0 }

func (p *pending) clear() {
	p.spare = append(p.spare, p.entries...)
	p.entries = p.entries[:0]
	clear(p.writes)
}

// show makes the view show what an entry does.
func (n *client) show(d *own) {
	for i, id := range d.Footprint.Writes {
		n.set(id, &d.results[i])
	}
}

// set makes an object of the view so.
func (n *client) set(id world.ID, o *world.Object) {
	if o != nil && o.ID == 0 {
		o = nil
	}
	n.known.note(n, id, n.view.Get(id), o)
	put(n.view, id, o)
}

// returned compares what an own entry does in the order with what it did in the view. Where that was right, and nothing
// pending is in the way, the view shows from now on what is certain.
func (n *client) returned(d *own, results []world.Object, out *mechanism.Outbox) {
	for i := range results {
		if results[i] != d.results[i] {
			n.reconcile(d, out)
			return
		}
	}
	n.trust(d.Footprint.Writes)
}

// trust makes the view show what is certain of some objects, as far as no pending entry writes them.
func (n *client) trust(ids world.Set) {
	for _, id := range ids {
		if !n.pending.written(id) {
			n.set(id, n.stable.latest.Get(id))
		}
	}
}

// reconcile starts the view again from what is certain, after an entry that is no longer pending has turned out otherwise, and
// carries out once more what is pending.
func (n *client) reconcile(d *own, out *mechanism.Outbox) {
	n.trust(d.Footprint.Writes)
	for _, p := range n.pending.entries {
		for _, id := range p.Footprint.Writes {
			n.set(id, n.stable.latest.Get(id))
		}
	}
	for _, p := range n.pending.entries {
		p.results = n.scene.perform(&p.Entry, n.view.Get, p.results[:0])
		n.show(p)
	}
	out.Report(mechanism.Event{Name: mechanism.Reconciled, User: d.Action.User, Seq: d.Action.Seq, Value: int64(len(n.pending.entries))})
}

package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

// declare finds what the entry of an action sees and writes in the view, and carries it out on the scene. What an action
// creates, the rules need not say that it writes; but those who carry it out later must know, as must those whose entries
// depend on it. So it is found by trying.
func (n *client) declare(d *own) {
	f := &d.Footprint
	if d.Action.Verb == world.Enter || d.Action.Verb == world.Leave {
		explore(n.world, n.view, &d.Action, f) // of these the rules do not say anything
	} else {
		n.world.Reach(n.view, &d.Action, f)
	}
	for n.scene.set(&d.Entry, n.view.Get); n.discover(f); {
		n.scene.set(&d.Entry, n.view.Get)
	}
}

// discover adds what was created on the scene to a footprint. It returns true where that would replace something which the
// scene did not show: then the entry has to be tried again, with that in sight.
func (n *client) discover(f *world.Footprint) (again bool) {
	for o := range n.scene.state.All() {
		switch {
		case f.Reads.Has(o.ID):
		case n.view.Get(o.ID) != nil:
			f.Read(o.ID)
			again = true
		default:
			f.Write(o.ID)
		}
	}
	return again
}

// pass lets a tick pass for the objects that the user answers for, if it changes anything: by an entry like any other, for as
// many ticks as a stride has.
func (n *client) pass(now world.Time, out *mechanism.Outbox) {
	stride := world.Tick(n.config.Stride)
	if n.still || n.tick%stride != stride-1 || n.pending.full() {
		return
	}
	d := n.pending.take()
	d.Entry = mechanism.Entry{
		Action: world.Action{User: n.place.User}, Tick: n.tick - stride + 1, Steps: n.config.Stride, Footprint: d.Footprint,
	}
	n.answered(&d.Footprint)
	all := len(d.Footprint.Writes)
	if all > 0 {
		n.surround(&d.Footprint)
		n.scene.set(&d.Entry, n.view.Get)
		n.narrow(d)
	}
	if len(d.Footprint.Writes) == 0 {
		n.pending.give(d)
		return
	}
	if len(d.Footprint.Writes) < all {
		n.surround(&d.Footprint)
		n.scene.set(&d.Entry, n.view.Get)
	}
	for n.discover(&d.Footprint) {
		n.scene.set(&d.Entry, n.view.Get)
	}
	n.submit(now, d, out)
}

// answered makes what the user answers for the footprint's writes.
func (n *client) answered(f *world.Footprint) {
	if n.answers == nil {
		f.Writes = append(f.Writes, n.known.mine...)
		return
	}
	for o := range n.view.All() {
		if world.Answers(n.world, n.view, o) == n.place.User {
			f.Writes = append(f.Writes, o.ID)
		}
	}
}

// surround makes the footprint's reads what is within reach of its writes: everything, where the world does not say how far
// steps reach.
func (n *client) surround(f *world.Footprint) {
	f.Reads = append(f.Reads[:0], f.Writes...)
	if !n.geometry.limited {
		f.Reads = f.Reads[:0]
		for o := range n.view.All() {
			f.Reads = append(f.Reads, o.ID)
		}
		return
	}
	n.known.sync(n)
	for _, id := range f.Writes {
		if o := n.view.Get(id); !n.geometry.placeless[o.Kind] {
			f.Reads = append(f.Reads, n.known.index.Near(o.Pos, n.geometry.effect.MulInt(int64(n.config.Stride)))...)
		}
	}
	slices.Sort(f.Reads)
	f.Reads = slices.Compact(f.Reads)
}

// narrow leaves in the footprint what the step on the scene has changed, or what it has created something by: where things
// were created, all of it.
func (n *client) narrow(d *own) {
	if !n.scene.within(d.Footprint.Reads) {
		return
	}
	changed := d.Footprint.Writes[:0]
	for _, id := range d.Footprint.Writes {
		if o := n.scene.state.Get(id); o == nil || *o != *n.view.Get(id) {
			changed = append(changed, id)
		}
	}
	d.Footprint.Writes = changed
}

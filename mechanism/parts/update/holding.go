package update

import (
	"slices"

	"throng/world"
)

// holding is what a handle stands for: an object, or nothing.
type holding struct {
	left  uint32 // the datagram in which what it stood for last left
	place int32  // the object's, if there is one
	heard history
}

// thing is what is known of an object.
type thing struct {
	id    world.ID
	user  world.User
	kind  world.KindID
	units units
}

// history is what has arrived of an object, in the order of datagrams: of what the same receipt reports, the latest.
type history []heard

// heard is an object as it arrived.
type heard struct {
	seq      uint32 // the datagram
	reported uint32 // the first receipt that reports it
	thing    thing
}

// base is what a difference builds on, in a datagram that names a receipt: see the package comment.
func (h history) base(echo uint32) *thing {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].reported <= echo {
			return &h[i].thing
		}
	}
	return nil
}

// newest is the latest that has arrived, and in which datagram. There is one.
func (h history) newest() (*thing, uint32) {
	last := &h[len(h)-1]
	return &last.thing, last.seq
}

// is reports whether it is the history of a certain object.
func (h history) is(id world.ID) bool { return len(h) > 0 && h[len(h)-1].thing.id == id }

// add takes in what the next receipt reports, and reports whether it is the newest. Otherwise it is not needed: whatever
// reports it reports also what is newer.
func (h *history) add(seq, reported uint32, t *thing) bool {
	n := len(*h)
	if n > 0 && (*h)[n-1].seq > seq {
		return false
	}
	if n == 0 || (*h)[n-1].reported < reported {
		*h = append(*h, heard{})
		n++
	}
	(*h)[n-1] = heard{seq, reported, *t}
	return true
}

// prune forgets what can no longer be a base for those who may be overtaken.
func (h *history) prune(echo uint32) {
	for i := len(*h) - 1; i > 0; i-- {
		if (*h)[i].reported+overtaken <= echo {
			*h = slices.Delete(*h, 0, i)
			return
		}
	}
}

// place is an object that is held, by a handle of its own, in a crowd, or both. Then what is heard by its own handle counts.
type place struct {
	id     world.ID
	handle int32  // plus one, or zero
	crowds int32  // how many hold it
	crowd  int32  // the number of the one that told of it last, plus one
	member int32  // its place there
	heard  uint32 // the datagram in which that was
	told   uint32 // the datagram that last changed the object
}

// enter finds an object's place, or gives it one.
func (v *Receiver) enter(id world.ID) (at int32, what What) {
	if at, ok := v.where.Get(id); ok {
		return at, Changed
	}
	if n := len(v.vacant); n > 0 {
		at = v.vacant[n-1]
		v.vacant = v.vacant[:n-1]
	} else {
		at = int32(len(v.places))
		v.places = append(v.places, place{})
	}
	v.places[at] = place{id: id}
	v.where.Set(id, at)
	return at, Entered
}

// exit gives an object's place up if nothing holds it any more.
func (v *Receiver) exit(at int32) {
	p := &v.places[at]
	switch {
	case p.handle != 0:
	case p.crowds == 0:
		v.where.Delete(p.id)
		v.vacant = append(v.vacant, at)
		v.changes = append(v.changes, Change{What: Left, Place: at, Object: world.Object{ID: p.id}})
		*p = place{}
	default:
		// What its crowd says of it may be news, now that it counts.
		many := &v.crowds[p.crowd-1]
		if t := &many.things[p.member]; t.id == p.id {
			v.tell(at, Changed, t, many.seq)
		}
	}
}

// tell adds what a crowd says of an object to the changes, unless something later is known.
func (v *Receiver) tell(at int32, what What, t *thing, seq uint32) {
	if v.places[at].told > seq {
		return
	}
	v.places[at].told = seq
	v.changes = append(v.changes, Change{What: what, Place: at, Action: uint32(t.units[0])})
	v.restore(t, &v.changes[len(v.changes)-1].Object)
}

// Latest fills a state with all that is held, as it was last told: own objects rounded like others.
func (v *Receiver) Latest(s *world.State) {
	s.Release()
	var o world.Object
	for i := range v.places {
		if v.latest(&v.places[i], &o) {
			s.Put(o)
		}
	}
}

// latest sets an object to what was last told of it, and reports whether anything was.
func (v *Receiver) latest(p *place, o *world.Object) bool {
	switch {
	case p.id == 0:
		return false
	case p.handle != 0:
		t, _ := v.held[p.handle-1].heard.newest()
		v.restore(t, o)
	default:
		v.restore(&v.crowds[p.crowd-1].things[p.member], o)
	}
	return o.ID == p.id
}

// take takes over one object.
func (v *Receiver) take(x *reading, seq uint32) {
	hold := &v.held[x.handle]
	if seq < hold.left {
		return // it has left since
	}
	what := Changed
	if !hold.heard.is(x.thing.id) {
		if v.outdated(x, seq) {
			return
		}
		v.drop(x.handle)
		hold.place, what = v.enter(x.thing.id)
		p := &v.places[hold.place]
		if p.handle != 0 {
			// It left and came back, and the news of its leaving is still to come.
			old := &v.held[p.handle-1]
			old.heard = old.heard[:0]
		}
		p.handle = x.handle + 1
	}
	if hold.heard.add(seq, v.receipt+1, &x.thing) {
		v.places[hold.place].told = seq
		v.changes = append(v.changes, Change{What: what, Place: hold.place, Object: x.object, Action: uint32(x.thing.units[0])})
	}
	hold.heard.prune(v.echo)
}

// outdated reports whether a late datagram speaks of an object by a handle that stands for another since, or that has got
// another handle.
func (v *Receiver) outdated(x *reading, seq uint32) bool {
	if hold := &v.held[x.handle]; len(hold.heard) > 0 {
		if _, newest := hold.heard.newest(); seq < newest {
			return true
		}
	}
	at, ok := v.where.Get(x.thing.id)
	if !ok || v.places[at].handle == 0 {
		return false
	}
	_, newest := v.held[v.places[at].handle-1].heard.newest()
	return seq < newest
}

// leave notes that what a handle stands for has left.
func (v *Receiver) leave(handle int32, seq uint32) {
	h := &v.held[handle]
	if len(h.heard) > 0 {
		if _, newest := h.heard.newest(); seq < newest {
			return // its handle stands for another by now
		}
	}
	h.left = max(h.left, seq)
	v.drop(handle)
}

// drop lets go of what a handle stands for, if anything.
func (v *Receiver) drop(handle int32) {
	if h := &v.held[handle]; len(h.heard) > 0 {
		h.heard = h.heard[:0]
		v.places[h.place].handle = 0
		v.exit(h.place)
	}
}

package action

import (
	"throng/mechanism"
	"throng/world"
)

// What a client may declare is bounded by what exists and by what its user may touch: see permits.
const (
	inventedMax   = 64      // objects in a footprint that do not exist, or no longer
	enteredMax    = 4096    // the same, of a user who enters the world with all they bring along
	openReadsMax  = 1 << 18 // objects that a client's entries may see, of those that are not installed
	openWritesMax = 1 << 13 // and that they may write
	aheadMax      = 10 * world.Second
)

// permits reports whether a client may put an entry into the order. Where the server knows the rules, it may write what its user has, what the rules say that the
// action may touch, and what it creates; where time passes, also what nobody has. All that is judged by the authoritative
// state, which is a little older than what the client has seen: for objects that change hands meanwhile an honest client is
// refused, and tries again.
func (n *server) permits(now world.Time, m *member, e *entry) bool {
	f := &e.Footprint
	if m.reads+len(f.Reads) > openReadsMax || m.writes+len(f.Writes) > openWritesMax || !n.timely(now, m, e) {
		return false
	}
	invented := inventedMax
	if e.Steps == 0 && e.Action.Verb == world.Enter {
		invented = enteredMax
	}
	if len(f.Reads) > invented && n.unknown(f.Reads) > invented {
		return false
	}
	if n.config.Audit == 0 {
		return true // the server knows no rules
	}
	reached := false
	for _, id := range f.Writes {
		if n.owns(m.User, e, id) {
			continue
		}
		if !reached {
			reached = true
			n.reach(e)
		}
		if !n.reached.Writes.Has(id) {
			return false
		}
	}
	return true
}

// timely reports whether an entry is for a time that has come, and lets no tick pass twice.
func (n *server) timely(now world.Time, m *member, e *entry) bool {
	length := n.world.Schema().Tick
	if e.Tick+world.Tick(e.Steps) > mechanism.TickAt(now+aheadMax, length) {
		return false
	}
	return e.Steps == 0 || e.Tick >= m.stepped
}

// unknown counts the objects of a set that do not exist and that nothing under way creates.
func (n *server) unknown(ids world.Set) (count int) {
	for _, id := range ids {
		if n.state.Get(id) == nil && n.order.objects[id] == nil {
			count++
		}
	}
	return count
}

// owns reports whether a user needs nobody's leave to write an object: it is theirs, or new, or where time passes nobody's, or
// the rules have them answer for it.
func (n *server) owns(u world.User, e *entry, id world.ID) bool {
	if o := n.state.Get(id); o != nil {
		return o.User == u || e.Steps > 0 && (o.User == 0 || world.Answers(n.world, n.state, o) == u)
	}
	r := n.order.objects[id]
	if r == nil {
		return true
	}
	w := n.order.writer(id, r.last)
	return w == 0 || id == e.Action.Target || n.order.at(w).Action.User == u || e.Steps > 0
}

// reach finds what the rules say that an action may touch.
func (n *server) reach(e *entry) {
	n.reached.Reset()
	switch {
	case e.Steps > 0:
	case e.Action.Verb == world.Enter || e.Action.Verb == world.Leave:
		n.action = e.Action
		explore(n.world, n.state, &n.action, &n.reached)
	default:
		n.action = e.Action
		n.world.Reach(n.state, &n.action, &n.reached)
	}
}

// explore lets a user come or go in a copy of a state, and takes what that changes for the footprint.
func explore(w world.World, s *world.State, a *world.Action, f *world.Footprint) {
	after := s.Clone()
	world.NewWindow(after).Do(w, a)
	for c := range world.Diff(s, after) {
		if c.Old != nil {
			f.Write(c.Old.ID)
		} else {
			f.Write(c.New.ID)
		}
	}
	after.Release()
}

// declare counts what a client has declared for an entry that is taken.
func (m *member) declare(e *entry) {
	m.reads += len(e.Footprint.Reads)
	m.writes += len(e.Footprint.Writes)
	if e.Steps > 0 {
		m.stepped = e.Tick + world.Tick(e.Steps)
	}
}

// settled is called when one of its entries is installed.
func (m *member) settled(e *entry) {
	m.open--
	if e.number != 0 {
		m.reads -= len(e.Footprint.Reads)
		m.writes -= len(e.Footprint.Writes)
	}
}

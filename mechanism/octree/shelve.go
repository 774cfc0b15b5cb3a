package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/wire"
)

// takeWrite takes what a server has to say of what it answers for. All of it is read before any of it counts.
func (n *storage) takeWrite(now world.Time, server int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	w := &n.in
	w.read(r)
	if r.Failed() || !n.servers[server].sound(w) {
		return false
	}
	s := &n.servers[server]
	changes, ok := s.in.Read(r.Rest())
	if !ok {
		return false
	}
	s.held = append(s.held, w.held...)
	for i := range changes {
		if c := &changes[i]; !c.Gone && n.schema.CheckObject(&c.Object) == nil {
			s.states = append(s.states, c.Object)
		}
	}
	n.work += recordWork * world.Work(len(changes))
	if w.more {
		return true
	}
	n.shelve(now, server, w, out)
	return true
}

// shelve stores a write all of which has come. Before, none of it counts: states without the actions that they come from would have
// these be done twice, should the server fail.
func (n *storage) shelve(now world.Time, server int, w *write, out *mechanism.Outbox) {
	s := &n.servers[server]
	s.refused = s.refused[:0]
	for _, d := range s.held {
		n.hold(server, d)
	}
	for i := range s.states {
		n.store(now, server, &s.states[i])
	}
	s.held, s.states = s.held[:0], s.states[:0]
	for _, a := range w.acts {
		n.acted(now, server, a)
	}
	for _, d := range w.gone {
		if x, at := n.get(d.id); x != nil && x.holder == server {
			n.drop(at)
		}
		n.bury(d.id)
	}
	for _, d := range w.handed {
		n.hand(now, server, d, out)
	}
	s.number, s.owes = w.number, true
	n.ack(now, server, out)
}

// hand takes that a server does not answer for an object any more, or that it would like to: whom some storage nodes have given
// something asks the others to agree.
func (n *storage) hand(now world.Time, server int, d deed, out *mechanism.Outbox) {
	x, at := n.get(d.id)
	switch {
	case x == nil || d.to > n.config.Servers:
	case d.to == server:
		if n.trusts(now) && (d.epoch > x.epoch && n.vacant(now, x, server) || d.epoch == x.epoch && x.holder == server) {
			n.give(now, at, server, d.epoch, out)
		}
	case x.holder != server:
	case d.to == n.config.Servers:
		x.epoch, x.granted = max(x.epoch, d.epoch), now-2*n.config.Lease // whoever comes next
	case d.epoch > x.epoch:
		n.give(now, at, d.to, d.epoch, out)
	}
}

// vacant reports whether a server may be given an object: it is the server's anyway, nobody's, or that of one who has been given it and
// does not answer.
func (n *storage) vacant(now world.Time, x *record, server int) bool {
	return x.holder == server || n.servers[x.holder].dead || x.granted != world.Never && now >= x.granted+n.config.beat()
}

// sound reports whether a write is one that can follow the last.
func (s *subscriber) sound(w *write) bool { return w.number > s.number }

// hold takes that a server answers for an object, unless another has been given it since.
func (n *storage) hold(server int, d deed) {
	x, at := n.get(d.id)
	switch {
	case x == nil:
		if first := n.ring.first(d.id); n.ring.holds(n.number, first) {
			n.pending = append(n.pending, d)
		}
	case d.epoch > x.epoch || d.epoch == x.epoch && x.holder == server:
		if d.epoch > x.epoch {
			x.acts = x.acts[:0] // the new holder says which of them are in its state
		}
		x.epoch, x.held = d.epoch, d.epoch
		n.confirm(at)
		n.setHolder(at, server)
	default:
		n.refuse(server, d.id, x.epoch)
	}
}

func (n *storage) refuse(server int, id world.ID, epoch uint32) {
	s := &n.servers[server]
	s.refused = append(s.refused, deed{id: id, epoch: epoch})
}

// store takes the state of an object.
func (n *storage) store(now world.Time, server int, o *world.Object) {
	x, at := n.get(o.ID)
	moved := true // to another node of the tree
	switch {
	case x == nil:
		d, ok := n.takePending(o.ID)
		if !ok {
			n.refuse(server, o.ID, 0)
			return
		}
		_, at = n.add(record{object: *o, holder: server, epoch: d.epoch, held: d.epoch, first: n.ring.first(o.ID), granted: world.Never})
		n.note(at)
	case x.holder != server || x.held == 0:
		n.refuse(server, o.ID, x.epoch)
		return
	default:
		n.confirm(at)
		kind, code := x.object.Kind, x.code
		n.put(at, o)
		moved = x.object.Kind != kind || x.code != code
	}
	n.all[at].version, n.all[at].stated = n.in.number, n.all[at].held
	if moved {
		n.refresh(at)
	} else {
		n.announce(&n.all[at])
	}
}

// takePending returns what was said of an object that is about to be created.
func (n *storage) takePending(id world.ID) (deed, bool) {
	for i, d := range n.pending {
		if d.id == id {
			n.pending[i] = n.pending[len(n.pending)-1]
			n.pending = n.pending[:len(n.pending)-1]
			return d, true
		}
	}
	return deed{}, false
}

func (n *storage) confirm(at int32) { n.all[at].granted = world.Never }

// acted takes how many of a user's actions have been carried out.
func (n *storage) acted(now world.Time, server int, a act) {
	for _, id := range n.owned[a.user] {
		if x, at := n.get(id); x.holder == server && x.action < a.seq {
			x.action = a.seq
			n.note(at)
		}
	}
	if x, _ := n.get(a.target); x != nil && x.holder == server {
		x.remember(now, a, n.config.memory())
	}
}

// actsMax is how many of the actions that were done to an object are remembered, at most.
const actsMax = 512

// remember notes what was done to an object, for as long as a client may repeat it until it has found another server.
func (x *record) remember(now world.Time, a act, span world.Time) {
	if slices.ContainsFunc(x.acts, func(m moment) bool { return m.act == a }) {
		return
	}
	old := 0
	for old < len(x.acts) && (now > x.acts[old].at+span || len(x.acts)-old >= actsMax) {
		old++
	}
	x.acts = append(x.acts[:copy(x.acts, x.acts[old:])], moment{a, now})
}

// note has watchers be told who answers for an object and what its user has done.
func (n *storage) note(at int32) {
	if x := &n.all[at]; !x.noted {
		x.noted = true
		n.noted = append(n.noted, at)
	}
}

func (n *storage) setHolder(at int32, server int) {
	if x := &n.all[at]; x.holder != server {
		x.holder = server
		n.note(at)
		n.refresh(at)
	}
}

// give has another server answer for an object, and tells it so.
func (n *storage) give(now world.Time, at int32, server int, epoch uint32, out *mechanism.Outbox) {
	x := &n.all[at]
	x.epoch, x.granted = epoch, now
	if x.holder != server {
		x.held = 0 // what it writes counts when it has said that it has it in this epoch
	}
	n.setHolder(at, server)
	g := x.grant()
	n.buf = g.append(append(n.buf[:0], kindGrant), n.schema)
	n.tell(now, n.config.serverNode(server), mechanism.Control, n.buf, out)
}

// grant is what is known of an object, for whoever is to answer for it.
func (x *record) grant() grant {
	g := grant{id: x.object.ID, epoch: x.epoch, stated: x.stated, version: x.version, action: x.action, object: x.object}
	for _, m := range x.acts {
		g.acts = append(g.acts, m.act)
	}
	return g
}

// drop has an object be no longer in the world.
func (n *storage) drop(at int32) {
	for _, i := range n.all[at].listeners {
		n.servers[i].out.Remove(n.all[at].object.ID)
	}
	n.remove(at)
}

// ack acknowledges what a server has written.
func (n *storage) ack(now world.Time, server int, out *mechanism.Outbox) {
	s := &n.servers[server]
	n.buf = appendAck(n.buf[:0], s.number, s.refused)
	n.tell(now, n.config.serverNode(server), mechanism.Control, n.buf, out)
	s.refused, s.owes, s.told = s.refused[:0], false, now
}

// takeWatch takes what a server watches: what it hears of from here, what is new, and what no longer is.
func (n *storage) takeWatch(server int, r *wire.Reader) (sound bool) {
	reads := r.Bytes()
	n.codes = readCodes(r, n.codes[:0])
	added := len(n.codes)
	n.codes = readCodes(r, n.codes)
	if r.Done() != nil || len(reads) != n.config.Storage {
		return false
	}
	s := &n.servers[server]
	changed := false
	for i, b := range reads {
		changed = changed || s.reads[i] != (b != 0)
		s.reads[i] = b != 0
	}
	n.met = n.met[:0]
	for i, c := range n.codes {
		if i < added {
			if n.watches.Add(c, int32(server)) {
				s.codes = append(s.codes, c)
			}
		} else if n.watches.Remove(c, int32(server)) {
			s.codes = without(s.codes, c)
		}
		n.records.in(c, n.meet)
	}
	if changed {
		n.met = n.met[:0]
		for at := range n.all {
			if n.all[at].object.ID != 0 {
				n.met = append(n.met, int32(at))
			}
		}
	}
	for _, at := range n.met {
		n.refresh(at)
	}
	s.initial++
	return true
}

func without(codes []octree.Code, c octree.Code) []octree.Code {
	for i := range codes {
		if codes[i] == c {
			codes[i] = codes[len(codes)-1]
			return codes[:len(codes)-1]
		}
	}
	return codes
}

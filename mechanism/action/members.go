package action

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// member is a client that takes part.
type member struct {
	membership.Member
	slot    int // its number in sets
	gone    bool
	shunned bool       // it is no longer listened to, and will have failed when its patience is over
	lookAt  world.Time // when it may next be told what its user sees
	open    int        // its entries that are not installed
	reads   int        // how many objects these see, in all
	writes  int        // and write
	stepped world.Tick // up to where it has let time pass
	in, out byte       // the serial numbers of the next messages from and to it
	number  uint32     // of its last entry

	base     uint64     // it knows how everything was that was installed up to here
	sent     uint64     // basic: it was sent everything up to here
	pushes   []uint64   // first bound: what it is to be sent with the next push
	due      bool       // there will be one
	placedAt world.Time // when it was last said where its user is
	waiting  []entry    // information bound: its entries that wait for a place
}

func newMember(id mechanism.NodeID, u world.User) *member {
	return &member{Member: membership.Member{Node: id, User: u}}
}

const (
	waitingMax = 64             // how many of a client's entries may wait
	openMax    = 4 * pendingMax // how many may be in the order and not installed
)

// verdict is what becomes of an entry.
type verdict uint8

const (
	placed verdict = iota
	waits
	dropped
)

// hold keeps an entry until there is a place for it.
func (m *member) hold(e *entry) {
	n := len(m.waiting)
	m.waiting = slices.Grow(m.waiting, 1)[:n+1]
	m.waiting[n].take(e)
}

// unhold lets go of the entry that has waited longest. Its memory serves for another one.
func (m *member) unhold() {
	first, last := m.waiting[0], len(m.waiting)-1
	copy(m.waiting, m.waiting[1:])
	m.waiting[last] = first
	m.waiting = m.waiting[:last]
}

// take copies what is to be done, and whose it is, from another entry.
func (e *entry) take(o *entry) {
	f := e.Footprint
	f.Reads = append(f.Reads[:0], o.Footprint.Reads...)
	f.Writes = append(f.Writes[:0], o.Footprint.Writes...)
	e.Entry = o.Entry
	e.Footprint = f
	e.number, e.owner, e.place = o.number, o.owner, o.place
}

// members are the clients that take part, also by slot.
type members struct {
	membership.Members[*member]
	slots []*member
}

// add gives a member the lowest slot that is free.
func (x *members) add(m *member) {
	m.slot = 0
	for m.slot < len(x.slots) && x.slots[m.slot] != nil {
		m.slot++
	}
	if m.slot == len(x.slots) {
		x.slots = append(x.slots, nil)
	}
	x.slots[m.slot] = m
	x.Add(m)
}

func (x *members) remove(now world.Time, m *member) {
	x.slots[m.slot] = nil
	x.Remove(now, m)
}

// anybody is a member that is listened to, or nil.
func (x *members) anybody() *member {
	for _, m := range x.slots {
		if m != nil && !m.shunned {
			return m
		}
	}
	return nil
}

// findPlaces notes where users are who have not said so themselves: where their objects are.
func (n *server) findPlaces() {
	owned := map[world.User][]world.ID{}
	for o := range n.state.All() {
		if o.User != 0 {
			owned[o.User] = append(owned[o.User], o.ID)
		}
	}
	for _, m := range n.members.slots {
		if m != nil && m.placedAt == 0 {
			p := n.geometry.around(owned[m.User], n.state.Get)
			n.protocol.stands(0, m, &p)
		}
	}
}

// shunIdle stops listening to who holds everybody up: what it should have completed is older than all patience. It is not
// dismissed at once, since it may have carried out what nobody else knows of. Left without an answer, it gives itself up.
func (n *server) shunIdle(now world.Time) {
	o := &n.order
	if o.installed+1 == o.next {
		return
	}
	e := o.at(o.installed + 1)
	if m := n.members.slots[e.from]; m != nil && now-e.at > n.config.Patience {
		m.shunned = true
	}
}

// dismissSilent takes those for failed who have not been heard of for too long.
func (n *server) dismissSilent(now world.Time, out *mechanism.Outbox) {
	for _, m := range n.members.slots {
		if m != nil && m.Silent(now, n.config.Patience) {
			n.part(m.User)
			n.fail(now, m, out)
		}
	}
}

// fail takes a client out. What it was to complete, somebody else does who knows of it. Entries that nobody is left to know of
// count as never done.
func (n *server) fail(now world.Time, m *member, out *mechanism.Outbox) {
	m.gone = true
	n.members.remove(now, m)
	n.link.Forget(m.Node)
	n.protocol.left(m)
	n.order.forget(m.slot)
	for p := n.order.installed + 1; p < n.order.next; p++ {
		e := n.order.at(p)
		for _, slot := range [...]*int{&e.owner, &e.by, &e.rival} {
			if *slot == m.slot {
				*slot = none
			}
		}
		n.order.doubt(e)
		switch {
		case e.void || e.done:
		case e.owner == none && e.sent.lowest() == none:
			e.void, e.doubtful = true, true
			n.witness.Voided(p)
		case e.from != e.owner && !e.sent.has(e.from):
			n.reassign(now, p, out)
		}
		if e.doubtful {
			e.at = now
		}
	}
	n.install(now, out)
}

// none is the slot of nobody.
const none = -1

// reassign has somebody else complete what a client was to complete.
func (n *server) reassign(now world.Time, position uint64, out *mechanism.Outbox) {
	e := n.order.at(position)
	e.at = now
	if e.from = e.sent.lowest(); e.from == none {
		e.from = e.owner // who has yet to be told of it
		return
	}
	if n.config.Completion == All {
		return // they do it anyway
	}
	w := n.write(n.members.slots[e.from])
	w.buf = wire.AppendUint(append(w.buf, newsClaim), position)
	w.flush(now, out)
}

// takeJoin lets a newcomer in, who has a snapshot. One who was there in an earlier life begins anew.
func (n *server) takeJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, u := membership.ReadIdentity(r), star.UserOf(n.world, from)
	position := r.UintMax(positionMax)
	if r.Done() != nil {
		return false
	}
	if was := n.members.At(from); was != nil && was.shunned && !who.After(was.Identity) {
		return true // it must not be taken for one that is heard of
	}
	was, verdict := n.members.Judge(now, from, u, who)
	if verdict != membership.Welcome {
		return true
	}
	if position > n.order.installed || position < n.order.forgotten {
		n.refuse(now, from, who, out) // the snapshot is from before the world began again, or too old
		return true
	}
	if n.auditor.bans(from, who.Epoch) {
		return true
	}
	if was != nil {
		n.fail(now, was, out)
	}
	if !n.returns(u) {
		return true // it will ask again when its user has left the world
	}
	n.link.Meet(from, who.Epoch)
	m := newMember(from, u)
	m.Identity, m.Heard = who, now
	m.base, m.sent = n.order.installed, n.order.installed
	n.members.add(m)
	n.findPlaces()
	n.welcome(now, m, position, out)
	return true
}

// welcome tells a newcomer what has changed since its snapshot was taken.
func (n *server) welcome(now world.Time, m *member, since uint64, out *mechanism.Outbox) {
	w := n.write(m)
	w.buf = m.Identity.Append(append(w.buf, newsWelcome))
	for _, r := range n.order.records {
		if r.id != 0 && r.version > since {
			w.value(now, r.id, out)
		}
	}
	for _, x := range n.order.gone {
		if x.position > since && n.order.objects[x.id] == nil {
			w.value(now, x.id, out)
		}
	}
	w.flush(now, out)
}

// takeAsk sends a newcomer parts of a snapshot.
func (n *server) takeAsk(now world.Time, to mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	return n.guide.Answer(now, to, r.Rest(), n.appendSnapshot, func(chunk []byte) {
		n.buf = append(append(n.buf[:0], kindChunk), chunk...)
		n.link.Send(now, to, mechanism.Snapshot, n.buf, link.Unreliable, out)
	})
}

// appendSnapshot writes the authoritative state and its position.
func (n *server) appendSnapshot(dst []byte) []byte {
	return n.state.Append(wire.AppendUint(dst, n.order.installed))
}

package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// peer is another server: whether this one is in touch with it.
type peer struct {
	membership.Peer
	epoch uint32 // of the server
}

// meetServers makes the other servers known.
func (n *server) meetServers() {
	n.peers = make([]peer, n.config.Len())
	for i := range n.peers {
		n.peers[i].Peer = membership.NewPeer(n.session.Epoch, n.session.Late)
	}
}

// tellServer tells another server something that must arrive, after all that was told before, and reports whether that can be:
// nothing is told to one that has been given up.
func (n *server) tellServer(now world.Time, to int, class mechanism.Class, msg []byte, out *mechanism.Outbox) bool {
	if !n.peers[to].InTouch() {
		return false
	}
	n.links.Send(now, n.servers.Of(to), class, msg, link.Ordered, out)
	return true
}

// tellServers tells all other servers the same.
func (n *server) tellServers(now world.Time, msg []byte, out *mechanism.Outbox) {
	for i := range n.peers {
		if i != n.area {
			n.tellServer(now, i, mechanism.Control, msg, out)
		}
	}
}

// keepInTouch gives up servers that are gone, and asks them whether they are back.
func (n *server) keepInTouch(now world.Time, out *mechanism.Outbox) {
	if id := registryID; n.links.Busy(id) && now >= n.heardRegistry+n.config.Timeout {
		n.links.Forget(id)
	}
	for i := range n.peers {
		if i == n.area {
			continue
		}
		p, id := &n.peers[i], n.servers.Of(i)
		if p.GiveUp(now, n.config.Timeout, n.links.Busy(id)) {
			n.links.Forget(id)
			n.turns.advances.Remove(id)
		}
		if p.Poll(now) {
			n.sayMeeting(now, i, false, out)
		}
	}
}

func (n *server) sayMeeting(now world.Time, to int, answer bool, out *mechanism.Outbox) {
	m := membership.Meeting{Epoch: n.session.Epoch, Talk: n.peers[to].Talk, Answer: answer}
	n.buf = m.Append(append(n.buf[:0], kindMeeting))
	n.links.Send(now, n.servers.Of(to), mechanism.Control, n.buf, link.Unreliable, out)
}

// hearStray takes a datagram of a server that has been given up: only what it says to meet counts, since the rest belongs to a
// talk that is over or has yet to begin.
func (n *server) hearStray(now world.Time, from int, m mechanism.Message, out *mechanism.Outbox) {
	for part := range link.Parts(n.config.Link, m.Payload) {
		if r := wire.NewReader(part.Payload); r.Byte() == kindMeeting {
			n.takeMeeting(now, from, &r, out)
		}
	}
}

// takeMeeting takes that another server wants to begin a talk.
func (n *server) takeMeeting(now world.Time, from int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	m := membership.ReadMeeting(r)
	if r.Done() != nil {
		return false
	}
	if n.peers[from].Meet(now, &m) {
		n.beginTalk(now, from, m.Epoch, out)
	}
	if !m.Answer {
		n.sayMeeting(now, from, true, out)
	}
	return true
}

// beginTalk begins to talk with a server of which nothing is known: everything that concerns it is told anew. One that has taken
// another's place knows nothing of what was agreed on.
func (n *server) beginTalk(now world.Time, i int, epoch uint32, out *mechanism.Outbox) {
	n.links.Meet(n.servers.Of(i), epoch)
	n.turns.advances.Remove(n.servers.Of(i))
	if n.neighbours(i) || n.borders.sides[i] != nil {
		n.renew(i)
	}
	if epoch != n.peers[i].epoch {
		n.peers[i].epoch = epoch
		n.commits.askAgain(i)
	}
	for u, stay := range n.roster.All() {
		n.sayStay(now, i, u, stay, out)
	}
}

// renew forgets what was said over a border, and has it said again. What has been handed over to this side stays here; what was
// on its way to the other side goes once more.
func (n *server) renew(i int) {
	b := &n.borders
	old := b.side(i)
	s := &side{border: area.NewBorder(b.schema, b.encoding), knows: map[world.ID]bool{}}
	b.sides[i] = s
	for k := range old.inbox {
		if h := &old.inbox[k]; h.what == heardHanded {
			h.turn = n.turns.next()
			s.inbox = append(s.inbox, *h)
		}
	}
	s.fresh = len(s.inbox)
	for o := range old.border.Seen.All() {
		if old.knows[o.ID] {
			b.disclaim(o.ID)
			b.lapsed = append(b.lapsed, o.ID)
		}
	}
	for _, id := range old.border.InFlight() {
		if o := n.replica.state().Get(id); o != nil && !n.replica.owns(o) {
			s.border.Hand(o, n.roster.Stay(o.User))
		}
	}
	for o := range b.told.All() {
		if n.replica.owns(o) && n.plan.Concerns(i, o) {
			s.border.Band.Put(o)
		}
	}
}

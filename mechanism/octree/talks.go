package octree

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// talks are a node's links to the servers, storage nodes and balancers, and whether it is in touch with each.
type talks struct {
	config *Config
	self   mechanism.NodeID
	epoch  uint32
	layer  *link.Layer
	peers  []membership.Peer // by node, from the first on
	epochs []uint32          // in which they are, as far as is known
	buf    []byte
	node   talker
}

// talker is the node whose talks they are.
type talker interface {
	link.Handler
	// begins has a talk begin in which nothing is known on either side: with the same node as before, or with its successor.
	begins(now world.Time, with mechanism.NodeID, successor bool, out *mechanism.Outbox)
	// loses has a node be out of touch.
	loses(now world.Time, with mechanism.NodeID, out *mechanism.Outbox)
}

func newTalks(c *Config, s *mechanism.Session, self mechanism.NodeID, node talker) talks {
	t := talks{config: c, self: self, epoch: s.Epoch, layer: link.New(c.Link, self, s.Epoch), node: node}
	t.peers = make([]membership.Peer, c.nodes())
	t.epochs = make([]uint32, len(t.peers))
	for i := range t.peers {
		t.peers[i] = membership.NewPeer(s.Epoch, s.Late)
	}
	t.layer.Expect(func(id mechanism.NodeID) bool { return t.knows(id) })
	return t
}

// knows reports whether a node is another server, storage node or balancer.
func (t *talks) knows(id mechanism.NodeID) bool {
	return id != t.self && id > 0 && int(id) <= len(t.peers)
}

func (t *talks) inTouch(id mechanism.NodeID) bool { return t.peers[id-1].InTouch() }

// tell tells a node something that must arrive, after all that was told before, unless it is out of touch: then everything will be
// told anew.
func (t *talks) tell(now world.Time, to mechanism.NodeID, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	if t.inTouch(to) {
		t.layer.Send(now, to, class, msg, link.Ordered, out)
	}
}

// receive takes a datagram of a node that is known.
func (t *talks) receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if !t.inTouch(m.From) {
		// Only what it says to meet counts: the rest belongs to a talk that is over or has yet to begin.
		for part := range link.Parts(t.config.Link, m.Payload) {
			if r := wire.NewReader(part.Payload); r.Byte() == kindMeeting {
				t.takeMeeting(now, m.From, &r, out)
			}
		}
		return
	}
	t.peers[m.From-1].Hear(now)
	t.layer.Receive(now, m, t.node, out)
}

// keepInTouch gives up nodes that have failed, and asks them whether they are back.
func (t *talks) keepInTouch(now world.Time, out *mechanism.Outbox) {
	for i := range t.peers {
		id := mechanism.NodeID(i + 1)
		if id == t.self {
			continue
		}
		p := &t.peers[i]
		if p.GiveUp(now, t.config.Lease, t.layer.Busy(id)) {
			t.layer.Forget(id)
			t.node.loses(now, id, out)
		}
		if p.Poll(now) {
			t.sayMeeting(now, id, false, out)
		}
	}
}

// hangUp ends all talks. They begin anew as soon as can be, and what was told is told again.
func (t *talks) hangUp(now world.Time) {
	for i := range t.peers {
		if id := mechanism.NodeID(i + 1); id != t.self && t.inTouch(id) {
			t.peers[i].End(now)
			t.layer.Forget(id)
		}
	}
}

func (t *talks) sayMeeting(now world.Time, to mechanism.NodeID, answer bool, out *mechanism.Outbox) {
	m := membership.Meeting{Epoch: t.epoch, Talk: t.peers[to-1].Talk, Answer: answer}
	t.buf = m.Append(append(t.buf[:0], kindMeeting))
	t.layer.Send(now, to, mechanism.Control, t.buf, link.Unreliable, out)
}

// takeMeeting takes that a node wants to begin a talk.
func (t *talks) takeMeeting(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	m := membership.ReadMeeting(r)
	if r.Done() != nil {
		return false
	}
	p := &t.peers[from-1]
	was := p.InTouch()
	anew := p.Meet(now, &m)
	if was && (anew || !p.InTouch()) {
		t.layer.Forget(from)
		t.node.loses(now, from, out)
	}
	if anew {
		t.layer.Meet(from, m.Epoch)
		successor := m.Epoch != t.epochs[from-1]
		t.epochs[from-1] = m.Epoch
		t.node.begins(now, from, successor, out)
	}
	if !m.Answer {
		t.sayMeeting(now, from, true, out)
	}
	return true
}

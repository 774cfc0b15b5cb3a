package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// registry is the registration server: area servers say what they serve, and clients ask who serves what.
type registry struct {
	config *Config
	links  *link.Layer
	late   bool
	serves []mechanism.NodeID // by area; zero for those that nobody has said they serve
	buf    []byte
}

func newRegistry(c *Config, s *mechanism.Session) *registry {
	n := &registry{config: c, late: s.Late, links: link.New(c.Link, registryID, s.Epoch), serves: make([]mechanism.NodeID, c.Len())}
	servers := c.servers()
	n.links.Expect(func(id mechanism.NodeID) bool { _, ok := servers.Area(id); return ok })
	return n
}

// Wake does nothing unless a message is to be repeated. A registration server that takes another's place asks who serves what.
func (n *registry) Wake(now world.Time, out *mechanism.Outbox) {
	n.links.Wake(now, n, out)
	next := n.links.Next()
	if n.late && slices.Contains(n.serves, 0) {
		for i, id := range n.serves {
			if id == 0 {
				n.links.Send(now, n.config.servers().Of(i), mechanism.Control, []byte{kindAsk}, link.Unreliable, out)
			}
		}
		next = min(next, now+patienceAsk)
	}
	out.WakeAt(next)
}

// Receive takes a datagram.
func (n *registry) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From <= registryID {
		return
	}
	n.links.Receive(now, m, n, out)
	out.WakeAt(n.links.Next())
}

// Deliver takes a message.
func (n *registry) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindServes:
		i, ok := n.config.servers().Area(m.From)
		if r.Done() != nil || !ok {
			return false
		}
		n.serves[i] = m.From
		return true
	case kindAsk:
		if r.Done() != nil {
			return false
		}
		n.buf = append(n.buf[:0], kindAreas)
		for _, id := range n.serves {
			n.buf = wire.AppendUint(n.buf, uint64(id))
		}
		n.links.Send(now, m.From, mechanism.Control, n.buf, link.Unreliable, out)
		return true
	}
	return false
}

// readAreas reads who serves which area. It fails where an area has nobody.
func readAreas(r *wire.Reader, areas int) []mechanism.NodeID {
	serves := make([]mechanism.NodeID, areas)
	for i := range serves {
		if serves[i] = mechanism.NodeID(readUint32(r)); serves[i] == 0 {
			r.Fail()
		}
	}
	return serves
}

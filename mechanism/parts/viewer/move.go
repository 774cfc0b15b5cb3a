package viewer

import (
	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// Moves are for clients that get from one server to another otherwise than by losing one.
type Moves struct {
	Balancers []mechanism.NodeID             // who say which server is to let a client in
	Serves    func(id mechanism.NodeID) bool // whether a node is a server that they, and servers, may send a client to
}

func (c *Config) balancers() []mechanism.NodeID {
	if c.Moves == nil {
		return nil
	}
	return c.Moves.Balancers
}

// removal is how a client gets from one server to another.
type removal struct {
	seeking  seeking
	next     *input.Client // what is to become of it with the server that it is to move to, or nil
	lives    uint32        // that it has had, that with the next server included
	heirless world.Time    // when what only its last server told of is given up, or never
	gone     []world.ID    // scratch
	buf      []byte
}

// bytes is the memory that it takes while the client moves.
func (x *removal) bytes() int {
	sum := 8*cap(x.gone) + cap(x.buf)
	if x.next != nil {
		sum += x.next.Bytes()
	}
	return sum
}

// seeking is a client that asks balancers which server is to let it in.
type seeking struct {
	under bool
	whom  int // among the balancers: the one that answered last, or the next
	tries int
	due   world.Time
}

// triesEach is how often each balancer is asked before a client looks for a server by itself.
const triesEach = 2

// seek begins a life: with the server that a balancer names or, where there are none or all are silent, with the one that follows.
func (n *Client) seek(now world.Time, out *mechanism.Outbox) {
	s := &n.seeking
	if !s.under {
		s.under, s.tries, s.due = true, 0, now
	}
	if s.tries >= triesEach*len(n.config.balancers()) && now >= s.due {
		n.begin(now, n.config.Server(n.life().Life), out)
		return
	}
	if now < s.due {
		return
	}
	if s.tries > 0 {
		s.whom++
	}
	s.tries++
	s.due = now + n.config.Times.Resend
	lost := n.Server()
	if n.Idle() {
		lost = 0
	}
	n.buf = input.AppendSeek(n.buf[:0], n.life(), n.user, lost)
	out.Send(n.balancer(), mechanism.Control, n.buf)
}

// balancer is the one that the client asks.
func (n *Client) balancer() mechanism.NodeID {
	all := n.config.balancers()
	return all[(int(n.user)+n.seeking.whom)%len(all)]
}

// receivePlace takes a balancer's answer, or that the client's server wants it to move to another.
func (n *Client) receivePlace(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	tag, server := input.ReadPlace(&r)
	life := n.life()
	switch {
	case r.Done() != nil || !n.config.serves(server):
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	case kind == input.KindPlace:
		if n.seeking.under && tag == life.Tag() {
			n.begin(now, server, out)
		}
	case m.From == n.Server() && tag == n.Identity.Tag() && n.next == nil && n.Client.Ready() && server != n.Server():
		n.next = n.Transfer(now, server, out)
		n.lives = n.next.Identity.Life
	}
}

// serves reports whether a node is a server that clients are sent to.
func (c *Config) serves(id mechanism.NodeID) bool { return c.Moves != nil && c.Moves.Serves(id) }

// transfer goes on with asking another server, while its own still serves the client. If nothing comes of it all stays as it was.
func (n *Client) transfer(now world.Time, out *mechanism.Outbox) {
	if n.next == nil {
		return
	}
	if n.next.Speak(now, out); n.next.Lost(now) {
		n.next = nil
	}
}

// receiveNext takes what the server says that the client is to move to. With the first update it has moved: what the old one told
// stays until the new one has told everything.
func (n *Client) receiveNext(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	p, verdict := n.next.Read(m.Payload)
	switch verdict {
	case update.Impossible:
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	case update.Good:
		n.catchUp(now, out)
		n.Succeed(n.next)
		n.next = nil
		n.Enter(now)
		n.others.Succeed()
		n.heirless = now + 2*n.config.Times.Timeout // a budget may not suffice for telling everything at once
		if n.self != nil {
			n.self.Follow(n.From)
		}
		n.take(now, &p, out)
		out.Report(mechanism.Event{Name: Moved, User: n.user, Value: int64(m.From)})
		n.charge(out)
	}
}

// Leave says goodbye: also to the server that the client was about to move to.
func (n *Client) Leave(now world.Time, out *mechanism.Outbox) {
	if n.next != nil {
		n.next.Leave(now, out)
	}
	n.next, n.seeking.under = nil, false
	n.Client.Leave(now, out)
}

// Moved is the event of a client that goes on with another server without having lost the one before. Value is the node of the new one.
const Moved = "moved"

// disinherit has what only the old server told of be gone, once the new one has told everything, or has had the time to.
func (n *Client) disinherit(now world.Time) {
	if n.heirless == world.Never || n.others.Fresh() == 0 && now < n.heirless {
		return
	}
	n.heirless = world.Never
	n.others.Disinherit()
	n.gone = n.gone[:0]
	for o := range n.view.All() {
		switch {
		case n.From.Holds(o.ID):
		case o.User != n.user:
			n.gone = append(n.gone, o.ID)
		case n.self != nil: // what was made ahead of the server is the prediction's business
			n.self.Untell(o.ID)
		}
	}
	for _, id := range n.gone {
		n.view.Remove(id)
	}
}

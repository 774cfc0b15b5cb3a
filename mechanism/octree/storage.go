package octree

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/wire"
)

// storage is a node that holds part of the world's state: it takes what servers write and publishes it to those who watch.
type storage struct {
	talks
	records
	number int // among the storage nodes
	ring   ring
	schema *world.Schema
	begun  bool
	refilled
	servers []subscriber
	watches octree.Tree[int32] // servers by the nodes that they watch
	silent  [][]bool           // what other storage nodes say of servers, by storage node and server
	users   membership.ByUser[stewardship]
	noted   []int32 // records whose holder or action is news
	next    world.Time
	beaten  world.Time // when other storage nodes were last told something
	judged  world.Time // when it was last asked who has failed

	in       write
	pending  []deed // what is about to be created
	codes    []octree.Code
	wanted   []bool  // scratch: which servers watch an object
	hearing  []int32 // the same, as a list
	watching []octree.Code
	want     func(octree.Code, int32)
	meet     func(octree.Code, int32)
	met      []int32
	buf      []byte
	work     world.Work
}

var _ mechanism.Sized = (*storage)(nil)

// stewardship says which server a user's client is with, plus one, and in which of its lives.
type stewardship struct {
	server int
	who    membership.Identity
}

// subscriber is a server, as a storage node knows it.
type subscriber struct {
	in      *area.Decoder // what it writes
	held    []deed        // and has, of a write that goes on
	states  []world.Object
	out     *area.Encoder // what it is told
	reads   []bool        // by storage node: whether it hears from here what that holds first
	codes   []octree.Code // what it watches
	entered []world.ID    // what it has come to watch since it was last told
	noted   []int32       // records whose holder or action it is to be told
	dead    bool          // too many storage nodes are out of touch with it
	told    world.Time
	owes    bool // an acknowledgement
	number  uint64
	refused []deed
	initial int // how often it has said what it watches, and is still to be told that it knows all
}

// moment is when an action was heard to have been carried out.
type moment struct {
	act
	at world.Time
}

func newStorage(c *Config, s *mechanism.Session, number int) *storage {
	n := &storage{
		records: newRecords(s.World, c.Detail), number: number, ring: c.ring(), schema: s.World.Schema(),
		servers: make([]subscriber, c.Servers), silent: make([][]bool, c.Storage), wanted: make([]bool, c.Servers),
	}
	n.talks = newTalks(c, s, c.storageNode(number), n)
	n.want = func(_ octree.Code, server int32) {
		if !n.wanted[server] {
			n.wanted[server] = true
			n.hearing = append(n.hearing, server)
		}
	}
	n.meet = func(_ octree.Code, at int32) { n.met = append(n.met, at) }
	for i := range n.silent {
		n.silent[i] = make([]bool, c.Servers)
	}
	for i := range n.servers {
		n.forget(i)
	}
	n.refilled = newRefilled(c, s.Late)
	if s.Late {
		return n
	}
	for o := range s.Start.All() {
		if first := n.ring.first(o.ID); n.ring.holds(number, first) {
			n.add(record{object: *o, holder: c.initially(s.World, s.Start, o), epoch: 1, held: 1, stated: 1, first: first, granted: world.Never})
		}
	}
	return n
}

// forget has a server begin anew.
func (n *storage) forget(server int) {
	s := &n.servers[server]
	for _, c := range s.codes {
		n.watches.Remove(c, int32(server))
	}
	for at := range n.all {
		x := &n.all[at]
		if i := slices.Index(x.listeners, int32(server)); i >= 0 {
			x.listeners = slices.Delete(x.listeners, i, i+1)
		}
	}
	*s = subscriber{
		in: area.NewDecoder(n.schema), out: area.NewEncoder(n.schema, area.Delta), reads: make([]bool, n.config.Storage),
		codes: s.codes[:0], dead: s.dead, told: s.told,
	}
}

// Wake publishes what is new.
func (n *storage) Wake(now world.Time, out *mechanism.Outbox) {
	if !n.begun {
		n.begun = true
		n.refilled.begin(now)
		n.next, n.beaten = now, now
	}
	n.layer.Wake(now, n, out)
	if now >= n.next {
		n.next = (now/n.config.Pulse + 1) * n.config.Pulse
		n.keepInTouch(now, out)
		n.regrant(now, out)
		n.publish(now, out)
		n.refill(now, out)
	}
	n.rest(out)
}

// Receive takes a server's or a storage node's datagram.
func (n *storage) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if n.knows(m.From) {
		n.receive(now, m, out)
	}
	n.rest(out)
}

func (n *storage) rest(out *mechanism.Outbox) {
	out.Charge(n.work)
	n.work = 0
	out.WakeAt(min(n.next, n.layer.Next()))
}

// Deliver takes a message.
func (n *storage) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	server, isServer := n.config.serverAt(m.From)
	_, isStorage := n.config.storageAt(m.From)
	switch {
	case kind == kindMeeting:
		return n.takeMeeting(now, m.From, &r, out)
	case kind == kindSilent && isStorage:
		return n.takeSilent(m.From, &r)
	case kind == kindRefill && isStorage:
		return n.takeRefill(m.From, &r)
	case kind == kindRecords && isStorage:
		return n.takeRecords(now, m.From, &r)
	case kind == kindLocate && !isStorage && !isServer:
		return n.takeLocate(now, m.From, &r, out)
	case !isServer:
		return false
	case kind == kindWrite:
		return n.takeWrite(now, server, &r, out)
	case kind == kindWatch:
		return n.takeWatch(server, &r)
	case kind == kindClaim:
		return n.takeClaim(now, server, &r, out)
	}
	return false
}

// begins implements talker.
func (n *storage) begins(now world.Time, with mechanism.NodeID, successor bool, out *mechanism.Outbox) {
	if server, ok := n.config.serverAt(with); ok {
		n.forget(server)
		n.doubt(now, server, successor)
		n.saySilent(now, out)
	} else if _, ok := n.config.storageAt(with); ok {
		n.sayWhoIsSilent(now, with, out)
		n.askRefill(now, with, out)
	}
}

// doubt has a server say again what it answers for. What it does not goes to others: after a while, or, if the server has taken the
// place of one that has failed, as soon as can be.
func (n *storage) doubt(now world.Time, server int, successor bool) {
	since := now
	if successor {
		since -= 2 * n.config.Lease
	}
	for at := range n.all {
		if x := &n.all[at]; x.object.ID != 0 && x.holder == server {
			x.granted = since
		}
	}
}

// loses implements talker.
func (n *storage) loses(now world.Time, with mechanism.NodeID, out *mechanism.Outbox) {
	if server, ok := n.config.serverAt(with); ok {
		n.forget(server)
		n.saySilent(now, out)
	}
}

// saySilent tells the other storage nodes which servers this one is out of touch with.
func (n *storage) saySilent(now world.Time, out *mechanism.Outbox) {
	for i := range n.config.Storage {
		if i != n.number {
			n.sayWhoIsSilent(now, n.config.storageNode(i), out)
		}
	}
}

func (n *storage) sayWhoIsSilent(now world.Time, to mechanism.NodeID, out *mechanism.Outbox) {
	n.buf = append(n.buf[:0], kindSilent)
	for i := range n.servers {
		if !n.inTouch(n.config.serverNode(i)) {
			n.buf = wire.AppendUint(n.buf, uint64(i))
		}
	}
	n.tell(now, to, mechanism.Control, n.buf, out)
}

func (n *storage) takeSilent(from mechanism.NodeID, r *wire.Reader) (sound bool) {
	said := n.silent[from-1]
	clear(said)
	for r.Len() > 0 && !r.Failed() {
		if i := r.UintMax(uint64(len(said) - 1)); !r.Failed() {
			said[i] = true
		}
	}
	return r.Done() == nil
}

// Bytes is the memory that the node's structures hold.
func (n *storage) Bytes() int {
	sum := cap(n.all)*int(unsafe.Sizeof(record{})) + 24*n.where.Len() + n.tree.Bytes() + n.watches.Bytes() + n.layer.Bytes()
	for i := range n.servers {
		sum += n.servers[i].in.Bytes() + n.servers[i].out.Bytes()
	}
	return sum
}

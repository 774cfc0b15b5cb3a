package zonal

import (
	"cmp"
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// node is what peers and hybrid nodes have in common: part of the world, neighbours in the tree, and letters that go to and fro.
type node struct {
	*scene
	relay
	id    mechanism.NodeID
	seats membership.Seats
	users world.User // the highest that there may be
	mail  mail
	write writer
	zone  int        // the one that the node is in: its hybrid node's, or where its user is
	ended world.Tick // the last tick whose duties are done
	stays bool       // users cannot leave the world, and what they leave behind stays in it
	plans []plan     // of zones, as far as they are known

	spread func(now world.Time, l *letter, from mechanism.NodeID, out *mechanism.Outbox) // sends a letter along the tree
	direct []*pipe                                                                       // to hybrid nodes, by zone; nil where nothing was ever sent
	orders orders
	news   []due
	handed []handing
	zones  []int // scratch
	offer  []mechanism.NodeID
	read   []letter
	own1   letter // as others read it
	copy   []byte
	sign   wire.Reader  // of a sign of life; here, since others are handed a pointer to it
	action world.Action // where rules may point to it without its moving to the heap
}

// due is something that is to be told of now, and in which zone: everywhere is for what has no place.
type due struct {
	id   world.ID
	gone bool
	zone int
}

const everywhere = none

// handing is something that the node has ceased to answer for: it has changed so that somebody else has to, or has gone over into
// another zone. Whoever that is may not know yet, and is told how it is.
type handing struct {
	object world.Object // as it was when the node ceased to
	since  world.Time
	left   int
}

func newNode(c *Config, s *mechanism.Session, p mechanism.Place) node {
	l := newLand(c, s.World)
	n := node{
		scene: newScene(s.World, l, s.Start.Seed()),
		relay: relay{config: c, filter: c.Filter && !l.open},
		id:    p.ID, seats: c.seats(s.World),
		mail:   mail{audits: c.Audit > 0},
		orders: orders{next: firstNumber(s.Epoch) + 1},
		users:  c.seats(s.World).Users(),
		direct: make([]*pipe, l.Len()), plans: make([]plan, l.Len()),
	}
	n.write = writer{schema: n.schema, next: firstNumber(s.Epoch) + 1}
	n.write.head.origin = p.ID
	_, inhabited := s.World.(world.Inhabited)
	n.stays = !inhabited
	return n
}

// hybrid is the hybrid node of a zone.
func hybridOf(zone int) mechanism.NodeID { return mechanism.NodeID(zone + 1) }

// isHybrid reports whether a node is the hybrid node of one of the zones.
func (n *node) isHybrid(id mechanism.NodeID) bool { return id > 0 && int(id) <= n.land.Len() }

// isPeer reports whether a node may be some user's.
func (n *node) isPeer(id mechanism.NodeID) bool {
	return id > n.seats.Servers && world.User(id-n.seats.Servers) <= n.users
}

// known reports whether somebody may take part.
func (n *node) known(id mechanism.NodeID) bool {
	return id != n.id && (n.isHybrid(id) || n.isPeer(id))
}

// pipeTo is the pipe to a zone's hybrid node.
func (n *node) pipeTo(zone int) *pipe {
	if n.direct[zone] == nil {
		n.direct[zone] = &pipe{to: hybridOf(zone)}
	}
	return n.direct[zone]
}

// publish tells of what has become of the things that the node answers for.
func (n *node) publish(now world.Time, out *mechanism.Outbox) {
	n.news = n.news[:0]
	out.Charge(n.review(now, n.config.Refresh, n.note))
	n.bury()
	n.write.head.sent, n.write.head.zone = int64(now/world.Millisecond), n.zone
	n.zones = n.zones[:0]
	for i := range n.news {
		if !slices.Contains(n.zones, n.news[i].zone) {
			n.zones = append(n.zones, n.news[i].zone)
		}
	}
	for _, zone := range n.zones {
		n.compose(now, zone, out)
	}
}

// part takes note of what the node no longer answers for, once a tick.
func (n *node) part(now world.Time, out *mechanism.Outbox) {
	before := len(n.handed)
	for i := range n.own {
		o := n.state.Get(n.own[i].object.ID)
		if o != nil && !n.mine(o) && n.own[i].at != parted {
			n.own[i].at = parted
			n.handed = append(n.handed, handing{*o, now, removalRepeats})
			e, _ := n.ledger.Get(o.ID)
			n.ledger.Set(o.ID, entry{stamp: e.stamp, until: now + n.config.forgets()})
		}
	}
	if len(n.handed) > before {
		n.handOver(now, out)
	}
}

// parted is when something was told of that the node does not answer for any more.
const parted = world.Never

// handOver tells of what somebody else is to answer for from now on: at once, and again in case that gets lost. Letters of the other, who
// may have known before, count as later.
func (n *node) handOver(now world.Time, out *mechanism.Outbox) {
	kept := n.handed[:0]
	for _, h := range n.handed {
		if e, _ := n.ledger.Get(h.object.ID); e.stamp >= h.since || h.left == 0 {
			continue
		}
		n.write.head.sent, n.write.head.zone = max(int64(h.since/world.Millisecond)-1, 0), n.zone
		n.write.put(&h.object)
		n.send(now, n.zoneFor(&h.object), out)
		h.left--
		kept = append(kept, h)
	}
	n.handed = kept
}

// bury has told of what is gone, in the order of IDs. What has come back meanwhile is not.
func (n *node) bury() {
	slices.SortFunc(n.gone, func(a, b removal) int { return cmp.Compare(a.id, b.id) })
	n.gone = slices.DeleteFunc(n.gone, func(g removal) bool { return g.left == 0 || n.state.Get(g.id) != nil })
	for i := range n.gone {
		g := &n.gone[i]
		g.left--
		if i == 0 || n.gone[i-1].id != g.id {
			n.news = append(n.news, due{g.id, true, n.zoneFor(&g.at)})
		}
	}
}

// note has an object told of.
func (n *node) note(o *world.Object) { n.news = append(n.news, due{o.ID, false, n.zoneFor(o)}) }

// zoneFor is the zone in which an object is to be told of: the node's own as far as its bands reach, else the one that it is in.
func (n *node) zoneFor(o *world.Object) int {
	switch {
	case n.placeless[o.Kind] && n.land.Len() > 1:
		return everywhere
	case n.placeless[o.Kind] || n.outside(n.zone, o.Pos) <= n.land.band/2:
		return n.zone
	}
	return n.land.Of(o.Pos)
}

// compose writes the letters for a zone, and sends them. What is gone comes after what is there, both in the order of IDs.
func (n *node) compose(now world.Time, zone int, out *mechanism.Outbox) {
	for i := 0; i < len(n.news); {
		d := &n.news[i]
		switch {
		case d.zone != zone:
		case d.gone && !n.write.remove(d.id), !d.gone && !n.write.put(n.state.Get(d.id)):
			n.send(now, zone, out)
			continue
		}
		i++
	}
	n.send(now, zone, out)
}

// send sends the letter that was written.
func (n *node) send(now world.Time, zone int, out *mechanism.Outbox) {
	raw := n.write.end()
	if raw == nil {
		return
	}
	if err := n.own1.read(n.schema, n.users, n.land.Len(), raw); err != nil {
		panic("zonal: a letter that nobody can read")
	}
	l := &n.own1
	if zone == n.zone || zone == everywhere {
		n.spread(now, l, 0, out)
	}
	for z := range n.direct {
		if z != n.zone && (zone == z || zone == everywhere) {
			n.forward(now, n.pipeTo(z), l, 0, out)
		}
	}
}

// readPieces reads a datagram that came along the tree: the letters in it, and signs of life for the caller. It reports whether all of it
// makes sense, before any of it counts.
func (n *node) readPieces(payload []byte, sign func(kind byte, r *wire.Reader) bool) (letters []letter, sound bool) {
	r := wire.NewReader(payload)
	count := 0
	for r.Len() > 0 {
		piece := r.Bytes()
		if r.Failed() || len(piece) == 0 {
			return nil, false
		}
		if kind := piece[0]; kind >= signPlan {
			n.sign = wire.NewReader(piece[1:])
			if !sign(kind, &n.sign) || n.sign.Done() != nil {
				return nil, false
			}
			continue
		}
		if count == len(n.read) {
			n.read = append(n.read, letter{})
		}
		l := &n.read[count]
		if l.read(n.schema, n.users, n.land.Len(), piece) != nil || !n.isHybrid(l.origin) && !n.isPeer(l.origin) {
			return nil, false
		}
		count++
	}
	return n.read[:count], true
}

// hear takes over what a letter tells. It reports whether the letter was news.
func (n *node) hear(now world.Time, l *letter, keep world.Time, out *mechanism.Outbox) bool {
	if l.origin == n.id {
		return false
	}
	age, news := n.mail.take(now, l)
	if !news {
		return false
	}
	by := anybody
	if !n.isHybrid(l.origin) {
		by = n.seats.User(l.origin)
	}
	for i := range l.objects {
		o := &l.objects[i]
		user := o.User
		if id := o.ID; n.take(now, age, o, by, keep) && user != 0 {
			tick := mechanism.TickAt(world.Time(l.sent)*world.Millisecond, n.schema.Tick)
			out.Report(mechanism.Event{Name: mechanism.Shown, User: user, Object: id, Value: int64(tick)})
		}
	}
	for _, id := range l.removed {
		n.lose(now, age, id, by, keep)
	}
	out.Charge(world.Work(len(l.objects) + len(l.removed)))
	out.Report(mechanism.Event{Name: mechanism.Delivered, Seq: uint32(l.hops), Value: int64(age)})
	return true
}

// onward makes a letter one that was passed on once more.
func (n *node) onward(l *letter) {
	n.copy = append(n.copy[:0], l.raw...)
	n.copy[0]++
	l.raw = n.copy
}

// tell sends a message of its own kind at once.
func (n *node) tell(to mechanism.NodeID, out *mechanism.Outbox) {
	out.Send(to, mechanism.Control, n.buf)
	out.Charge(1)
}

// say sends a message that consists of a kind and a number.
func (n *node) say(to mechanism.NodeID, kind byte, number uint64, out *mechanism.Outbox) {
	n.buf = appendKind(n.buf[:0], kind, number)
	n.tell(to, out)
}

// malformed reports that a message could not be read.
func malformed(m mechanism.Message, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
}

// size is the memory that the node's structures hold, about.
func (n *node) size() int {
	sum := n.bytes() + 80*n.mail.posts.len() + cap(n.write.buf) + cap(n.copy)
	for _, c := range n.children {
		sum += 200 + cap(c.buf)
	}
	return sum
}

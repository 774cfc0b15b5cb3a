package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// receivePieces takes letters and signs of life: from the parent and the children, which are passed on along the tree, and from
// hybrid nodes of zones that the peer looks into, which are not.
func (n *peer) receivePieces(now world.Time, m mechanism.Message, pieces []byte, out *mechanism.Outbox) (sound bool) {
	c := n.find(m.From)
	parent := n.seat.attached() && m.From == n.seat.parent.to
	var way []mechanism.NodeID
	var news plan
	about := none
	letters, sound := n.readPieces(pieces, func(kind byte, r *wire.Reader) bool {
		if kind == signPlan {
			zone, p := readPlan(r, n.land.Len())
			if hybridOf(zone) == m.From || parent && zone == n.seat.zone {
				about, news = zone, p
			}
			return true
		}
		bond := r.UintMax(number)
		if kind == signDown {
			path := readNodes(r, n.offer[:0], hopsMax)
			n.offer = path
			if parent && bond == n.seat.number {
				way = path
			}
			return true
		}
		degree, leaf := int(r.UintMax(degreeMax)), r.UintMax(1) == 1
		if c != nil && bond == c.number && !r.Failed() {
			n.changed = n.changed || c.degree != degree
			c.degree, c.leaf = degree, leaf
		}
		return true
	})
	if !sound {
		return false
	}
	if !n.listen(now, m, c, parent) {
		n.say(m.From, kindBye, n.number, out) // it takes the peer for its child or its parent
		return true
	}
	if way != nil {
		if slices.Contains(way, n.id) {
			n.say(m.From, kindBye, n.seat.number, out)
			n.orphaned(now, out)
			parent = false
		} else {
			n.setPath(now, way, out)
		}
	}
	if about != none {
		n.learnPlan(now, about, news, out)
	}
	passes := parent || c != nil || m.From == hybridOf(n.zone) && n.fedByHybrid()
	n.catchUp(now)
	for i := range letters {
		l := &letters[i]
		if c != nil && l.origin == m.From {
			c.gaze.copyFrom(&l.gaze)
		}
		if n.hear(now, l, n.config.forgets(), out) && passes && l.hops < hopsMax {
			n.onward(l)
			n.spread(now, l, m.From, out)
		}
	}
	return true
}

// listen notes that somebody has said something along the tree, and reports whether that one is expected to.
func (n *peer) listen(now world.Time, m mechanism.Message, c *child, parent bool) (expected bool) {
	size := int64(len(m.Payload))
	switch {
	case parent:
		n.seat.hear(now)
		n.seat.parent.in += size
	case c != nil:
		c.heard = now
		c.in += size
	case n.isHybrid(m.From):
		n.pipeTo(int(m.From) - 1).in += size
	default:
		return m.From == n.climb.target() || m.From == n.former
	}
	return true
}

// receiveBond takes what is said about who feeds whom.
func (n *peer) receiveBond(now world.Time, from mechanism.NodeID, kind byte, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	switch kind {
	case kindAttach:
		a := readAttach(r, n.land.Len())
		if r.Done() != nil {
			return false
		}
		n.receiveAttach(now, from, &a, out)
		return true
	case kindParents, kindAttached:
		bond := r.UintMax(number)
		n.offer = readNodes(r, n.offer[:0], hopsMax)
		if r.Done() != nil {
			return false
		}
		if kind == kindParents {
			n.receiveParents(now, from, bond, n.offer, out)
		} else {
			n.receiveAttached(now, from, bond, n.offer, out)
		}
		return true
	case kindReceipts:
		return n.receiveReceipts(now, from, r)
	case kindPong:
		bond, room := r.UintMax(number), r.UintMax(1) == 1
		if r.Done() != nil {
			return false
		}
		n.receivePong(now, from, bond, room, out)
		return true
	case kindPing, kindRefused, kindBye, kindByeHeard, kindClaimed, kindDone, kindRecall:
		bond := r.UintMax(number)
		if r.Done() != nil {
			return false
		}
		n.receiveWord(now, from, kind, bond, out)
		return true
	}
	return false
}

// receiveWord takes what is said with no more than a number.
func (n *peer) receiveWord(now world.Time, from mechanism.NodeID, kind byte, bond uint64, out *mechanism.Outbox) {
	switch kind {
	case kindPing:
		n.buf = append(appendKind(n.buf[:0], kindPong, bond), flag(n.seat.attached() && n.room(false)))
		n.tell(from, out)
	case kindRefused:
		if from == n.climb.target() && bond == n.climb.number {
			n.passOver(now, out)
		}
	case kindBye:
		if c := n.find(from); c != nil && bond >= c.number {
			n.dropPipe(&c.pipe)
			n.release(c)
		}
		if n.seat.attached() && from == n.seat.parent.to {
			n.orphaned(now, out)
		}
	case kindByeHeard:
		n.byes = slices.DeleteFunc(n.byes, func(b bye) bool { return hybridOf(b.zone) == from && b.number <= bond })
	case kindClaimed:
		if bond == n.claim.number && from == hybridOf(n.seat.zone) {
			n.claimed = true
		}
	case kindDone:
		n.done(from, bond)
	case kindRecall:
		if n.isHybrid(from) {
			n.remindHybrid(from, bond, out)
		}
	}
}

// receiveAttach feeds somebody from now on, if the peer has room and is itself where the other wants to be.
func (n *peer) receiveAttach(now world.Time, from mechanism.NodeID, a *attach, out *mechanism.Outbox) {
	if !n.isPeer(from) {
		return
	}
	if !n.seat.attached() || n.seat.zone != a.zone || from == n.seat.parent.to || !n.adopt(now, from, a) {
		n.say(from, kindRefused, a.number, out)
		return
	}
	n.buf = appendNodes(appendKind(n.buf[:0], kindAttached, a.number), n.path)
	n.tell(from, out)
	n.showPlan(now, from, out)
	n.signParent(now, out)
}

// farewell is how far a peer has come with leaving.
type farewell struct {
	begun bool
	waits []bool // by zone: that zone's hybrid node has yet to hear it
	left  int
	tries int
}

// expect has the hybrid node of a zone told.
func (f *farewell) expect(zone int) {
	if !f.waits[zone] {
		f.waits[zone] = true
		f.left++
	}
}

// Leave takes the user out of the world, if one can leave it, and the peer out of the tree: the others are told, and the hybrid node
// until it has heard. Who does not know yet what is its user's, or says goodbye in another's name, tells all hybrid nodes.
func (n *peer) Leave(now world.Time, out *mechanism.Outbox) {
	n.leaving = farewell{begun: true, waits: make([]bool, n.land.Len())}
	if n.cover != nil {
		for zone := range n.leaving.waits {
			n.leaving.expect(zone)
		}
		n.farewell(now, out)
		return
	}
	n.catchUp(now)
	if !n.stays {
		n.action = world.Action{User: n.user, Verb: world.Leave}
		n.do(&n.action)
		n.publish(now, out)
	}
	n.flushAt = now
	n.flush(now, out)
	n.leaveChildren(out)
	if n.seat.attached() {
		n.say(n.seat.parent.to, kindBye, n.number, out)
		n.leaving.expect(n.seat.zone)
	}
	for i := range n.views {
		n.peek(now, &n.views[i], &gaze{}, out)
	}
	n.leaving.expect(n.zone)
	n.farewell(now, out)
}

// farewell says goodbye to hybrid nodes, again until they have heard.
func (n *peer) farewell(now world.Time, out *mechanism.Outbox) {
	if n.Gone() {
		return
	}
	n.leaving.tries++
	for zone, waits := range n.leaving.waits {
		if waits {
			n.say(hybridOf(zone), kindGone, n.number, out)
		}
	}
	out.WakeAt(now + n.config.Resend)
}

// Gone reports whether nothing is left to be said.
func (n *peer) Gone() bool {
	return n.leaving.begun && (n.leaving.left == 0 || n.leaving.tries >= triesMax)
}

// receiveLast takes what is said to a peer that is leaving.
func (n *peer) receiveLast(from mechanism.NodeID, kind byte, r *wire.Reader) (sound bool) {
	if kind == kindByeHeard {
		bond := r.UintMax(number)
		if r.Done() != nil {
			return false
		}
		if n.isHybrid(from) && bond == n.number && n.leaving.waits[from-1] {
			n.leaving.waits[from-1] = false
			n.leaving.left--
		}
	}
	return true
}

// recall is how far a peer that takes part late has come with learning what is left of its user's things.
type recall struct {
	start   *world.State
	waits   []bool // by zone: that zone's hybrid node has yet to answer
	left    int
	began   world.Time
	due     world.Time
	objects []world.Object
}

func (x *recall) begin(zones int, start *world.State) {
	*x = recall{start: start, waits: make([]bool, zones), left: zones, began: world.Never}
	for i := range x.waits {
		x.waits[i] = true
	}
}

// recallMax is how long a hybrid node that does not answer is waited for.
const recallMax = 2 * world.Second

// remember goes on with learning, and reports whether the peer knows enough to take part.
func (n *peer) remember(now world.Time, out *mechanism.Outbox) bool {
	x := &n.recall
	if x.began == world.Never {
		x.began, x.due = now, now
	}
	if x.left > 0 && now < x.began+recallMax {
		if now >= x.due {
			x.due = now + n.config.Resend
			for zone, waits := range x.waits {
				if waits {
					n.say(hybridOf(zone), kindRecall, n.number, out)
				}
			}
		}
		out.WakeAt(x.due)
		return false
	}
	n.begin(now)
	return true
}

// begin takes part with what is left of the user's things: where nobody knows of any and one cannot enter the world, with what there was
// at the start.
func (n *peer) begin(now world.Time) {
	x := &n.recall
	n.cover = nil
	n.state.SetTick(mechanism.TickAt(now, n.schema.Tick))
	for i := range x.objects {
		n.state.Put(x.objects[i])
	}
	if _, ok := n.world.(world.Inhabited); !ok {
		for o := range x.start.All() {
			if n.mine(o) && n.state.Get(o.ID) == nil {
				n.state.Put(*o)
			}
		}
	}
	n.recall = recall{}
	n.review(now, world.Never, func(*world.Object) {})
	for i := range n.own {
		n.own[i].at = -world.Never
	}
	if at, ok := n.look(n.user, &n.gaze); ok {
		n.zone = n.land.Of(at)
	}
	n.ended = -1
}

// receiveMemory takes what a hybrid node knows of the user's things.
func (n *peer) receiveMemory(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	r.UintMax(number)
	x := &n.recall
	known := len(x.objects)
	objects := readMemory(r, n.schema, n.users, x.objects)
	if r.Done() != nil {
		return false
	}
	zone := int(from) - 1
	if n.cover == nil || !n.isHybrid(from) || !x.waits[zone] {
		return true
	}
	x.waits[zone] = false
	x.left--
	x.objects = objects[:known]
	for _, o := range objects[known:] {
		if n.mine(&o) && !slices.ContainsFunc(x.objects, func(p world.Object) bool { return p.ID == o.ID }) {
			x.objects = append(x.objects, o)
		}
	}
	if x.left == 0 {
		out.WakeAt(now)
	}
	return true
}

// remindHybrid tells a hybrid node that has taken another's place of what is in its zone and stays there.
func (n *peer) remindHybrid(to mechanism.NodeID, bond uint64, out *mechanism.Outbox) {
	var objects []world.Object
	for o := range n.state.All() {
		if len(objects) < memoryMax && hybridOf(n.zoneOf(o)) == to && (n.owner(o) == 0 || n.stays) {
			objects = append(objects, *o)
		}
	}
	n.buf = appendMemory(n.buf[:0], bond, n.schema, objects)
	out.Send(to, mechanism.Snapshot, n.buf)
	out.Count(mechanism.Snapshot, len(objects))
}

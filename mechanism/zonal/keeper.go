package zonal

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// receiveAsk proposes parents to who looks for one.
func (n *hybrid) receiveAsk(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number, degree := r.UintMax(number), int(r.UintMax(degreeMax))
	if r.Done() != nil {
		return false
	}
	if !n.isPeer(from) {
		return true
	}
	n.tree.Put(now, from, degree)
	n.asked = now
	n.offer = n.tree.Parents(n.offer[:0], from, n.config.Candidates, n.fit)
	n.buf = appendNodes(appendKind(n.buf[:0], kindParents, number), n.offer)
	n.tell(from, out)
	if n.tree.Len() > n.load.Room {
		n.weigh(now, out) // rather now than at the next look
	}
	return true
}

// lively reports whether somebody could be a parent, whom not several have left for what it did, and who has been heard of lately or never has anything to say. Letters are written at
// every refresh at least.
func (n *hybrid) lively(id mechanism.NodeID) bool {
	if a, _ := n.accused.get(id); a.more {
		return false
	}
	p, known := n.mail.posts.get(id)
	return !known || n.asked-p.heard <= n.config.Refresh+n.config.Refresh/2
}

// receiveAttach feeds somebody from now on, if there is room.
func (n *hybrid) receiveAttach(now world.Time, from mechanism.NodeID, a *attach, out *mechanism.Outbox) (sound bool) {
	if !n.isPeer(from) {
		return true
	}
	if a.zone != n.zone || !n.adopt(now, from, a) {
		n.say(from, kindRefused, a.number, out)
		return true
	}
	n.tree.Put(now, from, a.degree)
	n.tree.Hang(now, from, n.id)
	n.buf = appendNodes(appendKind(n.buf[:0], kindAttached, a.number), n.path)
	n.tell(from, out)
	n.showPlan(now, from, out)
	return true
}

// receiveClaim takes a parent's word for who its children are.
func (n *hybrid) receiveClaim(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	c := &n.claim
	c.read(r)
	if r.Done() != nil {
		return false
	}
	if !n.isPeer(from) {
		return true
	}
	n.tree.Put(now, from, c.degree)
	for i, id := range c.children {
		if n.isPeer(id) && n.find(id) == nil {
			n.tree.Put(now, id, c.degrees[i])
		}
	}
	n.tree.Claim(now, from, c.children)
	n.say(from, kindClaimed, c.number, out)
	return true
}

// receiveBye takes leave of somebody.
func (n *hybrid) receiveBye(now world.Time, from mechanism.NodeID, number uint64, out *mechanism.Outbox) {
	if c := n.find(from); c != nil && number >= c.number {
		n.release(c)
	}
	n.tree.Remove(from)
	n.say(from, kindByeHeard, number, out)
}

// receiveGone takes leave of somebody for good: where users can leave the world, others are told that what was the user's is gone. The
// user may have said so, too, but a letter may get lost, and who says goodbye in another's name has none to write.
func (n *hybrid) receiveGone(now world.Time, from mechanism.NodeID, number uint64, out *mechanism.Outbox) {
	n.receiveBye(now, from, number, out)
	u := n.seats.User(from)
	if n.stays || u == 0 {
		return
	}
	n.catchUp(now)
	n.memories = n.memories[:0]
	for o := range n.state.All() {
		if n.owner(o) == u {
			n.memories = append(n.memories, *o)
		}
	}
	for i := range n.memories {
		o := &n.memories[i]
		n.lose(now, 0, o.ID, anybody, n.config.forgets())
		n.gone = append(n.gone, removal{o.ID, *o, removalRepeats})
	}
}

// leafMax is how many may look into a zone.
const leafMax = 1 << 14

// receiveLook lets somebody see into the zone, for as long as it says so again; or no longer.
func (n *hybrid) receiveLook(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := r.UintMax(number)
	g := &n.gaze
	g.read(r)
	if r.Done() != nil {
		return false
	}
	if !n.isPeer(from) {
		return true
	}
	x := n.leaves[from]
	if x == nil {
		if len(n.order) >= leafMax || !g.all && len(g.centres) == 0 {
			return true
		}
		x = n.newLeaf(from)
		n.leaves[from] = x
		n.order = append(n.order, x)
	}
	if number <= x.number {
		return true
	}
	anew := x.until <= now
	x.number, x.until = number, now+n.config.patience(missedByChild)
	x.gaze.copyFrom(g)
	if len(n.plan) > 0 {
		n.push(now, &x.pipe, n.plan, 0, out)
	}
	if !g.all && len(g.centres) == 0 {
		x.until = now
		x.buf, x.items = x.buf[:0], 0
	} else if anew {
		n.show(now, x, out)
	}
	return true
}

func (n *hybrid) newLeaf(id mechanism.NodeID) *leaf {
	if len(n.past) == 0 {
		return &leaf{pipe: pipe{to: id}}
	}
	x := n.past[len(n.past)-1]
	n.past = n.past[:len(n.past)-1]
	*x = leaf{pipe: pipe{to: id, buf: x.buf}, gaze: gaze{centres: x.gaze.centres[:0]}}
	return x
}

// show tells somebody who begins to look into the zone of what it sees there.
func (n *hybrid) show(now world.Time, x *leaf, out *mechanism.Outbox) {
	n.catchUp(now)
	n.write.head.sent, n.write.head.zone = int64(now/world.Millisecond), n.zone
	send := func() {
		if raw := n.write.end(); raw != nil {
			n.push(now, &x.pipe, raw, n.write.items, out)
		}
	}
	for o := range n.state.All() {
		if n.placeless[o.Kind] || !x.gaze.sees(o.Pos, n.land.margin) || n.owner(o) == n.seats.User(x.to) {
			continue
		}
		if !n.write.put(o) {
			send()
			n.write.put(o)
		}
	}
	send()
}

// receiveRecall tells a user who has returned what is left of what the user answers for.
func (n *hybrid) receiveRecall(from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := r.UintMax(number)
	if r.Done() != nil {
		return false
	}
	u := n.seats.User(from)
	if u == 0 {
		return true
	}
	n.memories = n.memories[:0]
	for o := range n.state.All() {
		if len(n.memories) < memoryMax && n.owner(o) == u {
			n.memories = append(n.memories, *o)
		}
	}
	n.buf = appendMemory(n.buf[:0], number, n.schema, n.memories)
	out.Send(from, mechanism.Snapshot, n.buf)
	out.Count(mechanism.Snapshot, len(n.memories))
	return true
}

// learn has a node that has taken another's place ask its first children what they know of what nobody answers for. Where nobody knows
// anything, that is as it was at the start.
func (n *hybrid) learn(now world.Time, out *mechanism.Outbox) {
	if !n.learning {
		return
	}
	if len(n.children) > 0 {
		n.say(n.children[0].to, kindRecall, 0, out)
	}
	if now < n.since+2*n.config.forgets() {
		return
	}
	n.learning = false
	for o := range n.start.All() {
		if n.owner(o) == 0 && n.zoneOf(o) == n.zone && n.state.Get(o.ID) == nil {
			n.state.Put(*o)
		}
	}
}

// receiveMemory takes what a child knows of what stays in the zone.
func (n *hybrid) receiveMemory(now world.Time, from mechanism.NodeID, r *wire.Reader) (sound bool) {
	r.UintMax(number)
	n.memories = readMemory(r, n.schema, n.users, n.memories[:0])
	if r.Done() != nil {
		return false
	}
	if !n.learning || n.find(from) == nil {
		return true
	}
	n.learning = len(n.memories) == 0
	for i := range n.memories {
		if o := &n.memories[i]; n.zoneOf(o) == n.zone && n.state.Get(o.ID) == nil {
			n.state.Put(*o)
			n.ledger.Set(o.ID, entry{stamp: -1, until: now + n.config.forgets()})
		}
	}
	return true
}

package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/tree"
	"throng/world"
	"throng/world/wire"
)

// seek begins to look for a parent in the tree of the zone that the peer is in, or for a backup parent, unless that is under way.
func (n *peer) seek(now world.Time, what aim, out *mechanism.Outbox) {
	c := &n.climb
	if c.phase != resting && (c.aim == joining && c.zone == n.zone || what == reserving) {
		return
	}
	began := now
	if c.phase != resting && c.aim == activating && c.zone == n.zone {
		return
	}
	n.number++
	*c = climb{phase: asking, aim: what, zone: n.zone, number: n.number, began: began, candidates: c.candidates[:0]}
	n.ask(now, out)
}

// ask asks the hybrid node for possible parents.
func (n *peer) ask(now world.Time, out *mechanism.Outbox) {
	c := &n.climb
	c.phase = asking
	c.due = now + min(n.config.Resend<<min(c.tries, 4), askMax)
	c.tries++
	n.buf = wire.AppendUint(appendKind(n.buf[:0], kindAsk, c.number), uint64(n.degree))
	n.tell(hybridOf(c.zone), out)
}

// proceed goes on with looking for a parent where nothing has been heard for too long.
func (n *peer) proceed(now world.Time, out *mechanism.Outbox) {
	c := &n.climb
	if now < c.next() {
		return
	}
	switch c.phase {
	case asking:
		n.ask(now, out)
	case probing:
		n.choose(now, out)
	case attaching:
		if c.tries++; c.tries > 2 {
			n.passOver(now, out)
		} else {
			n.turnTo(now, out)
		}
	}
}

// receiveParents takes the hybrid node's proposals, and measures how far they are.
func (n *peer) receiveParents(now world.Time, from mechanism.NodeID, bond uint64, ids []mechanism.NodeID, out *mechanism.Outbox) {
	c := &n.climb
	if c.phase != asking || bond != c.number || from != hybridOf(c.zone) {
		return
	}
	c.candidates = c.candidates[:0]
	for _, id := range ids {
		if n.known(id) && n.find(id) == nil && !n.audit.shuns(id) && (c.aim != reserving || id != n.seat.parent.to) {
			c.candidates = append(c.candidates, candidate{id: id, trip: world.Never})
		}
	}
	if len(c.candidates) == 0 {
		c.due = now + retry
		if c.aim == reserving {
			n.arrive()
		}
		return
	}
	c.phase, c.asked, c.due, c.tries = probing, now, now+probeMax, 0
	for i := range c.candidates {
		n.say(c.candidates[i].id, kindPing, c.number, out)
	}
}

// receivePong takes the answer of a possible parent.
func (n *peer) receivePong(now world.Time, from mechanism.NodeID, bond uint64, room bool, out *mechanism.Outbox) {
	if c := &n.climb; c.phase == probing && bond == c.number && c.answered(now, from, room) {
		n.choose(now, out)
	}
}

// choose turns to the nearest of those who have answered.
func (n *peer) choose(now world.Time, out *mechanism.Outbox) {
	c := &n.climb
	c.rank()
	switch {
	case c.aim == reserving:
		if len(c.candidates) > 0 {
			n.seat.backup = c.candidates[0]
		}
		n.arrive()
	case len(c.candidates) == 0:
		c.phase, c.due, c.tries = asking, now+retry, 0
	default:
		c.phase, c.tries = attaching, 0
		n.turnTo(now, out)
	}
}

// turnTo asks the present candidate to be the parent.
func (n *peer) turnTo(now world.Time, out *mechanism.Outbox) {
	c := &n.climb
	x := &c.candidates[c.at]
	c.due = now + 2*min(x.trip, n.config.Resend) + 50*world.Millisecond
	a := attach{number: c.number, zone: c.zone, degree: n.degree, leaf: len(n.children) == 0 || n.seat.zone != c.zone, activate: c.aim == activating}
	n.buf = a.append(n.buf[:0])
	n.tell(x.id, out)
}

// passOver turns to the next candidate, or asks for others.
func (n *peer) passOver(now world.Time, out *mechanism.Outbox) {
	c := &n.climb
	c.candidates[c.at].taken = true
	c.tries = 0
	if c.at++; c.at < len(c.candidates) {
		n.turnTo(now, out)
		return
	}
	c.aim = joining
	n.ask(now, out)
}

// receiveAttached takes that somebody feeds the peer from now on. In the tree that it was in before it says goodbye only now.
func (n *peer) receiveAttached(now world.Time, from mechanism.NodeID, bond uint64, path []mechanism.NodeID, out *mechanism.Outbox) {
	c := &n.climb
	if from != c.target() || bond != c.number {
		return
	}
	if slices.Contains(path, n.id) || len(path) >= tree.LevelMax-1 {
		n.say(from, kindBye, bond, out)
		n.passOver(now, out)
		return
	}
	if n.seat.attached() {
		n.say(n.seat.parent.to, kindBye, c.number, out)
		n.former = n.seat.parent.to
	}
	if n.seat.zone != c.zone && n.seat.number != 0 {
		n.leaveChildren(out)
		n.byes = append(n.byes, bye{zone: n.seat.zone, number: c.number, due: now})
	}
	backup := c.second(from)
	if backup.id == 0 && from != hybridOf(c.zone) {
		backup = candidate{id: hybridOf(c.zone), trip: n.config.Resend}
	}
	n.dropPipe(&n.seat.parent)
	n.seat = seat{zone: c.zone, number: bond, heard: now, trip: c.candidates[c.at].trip, backup: backup, usual: n.config.KeepAlive / 4, parent: n.seat.parent}
	n.seat.parent = pipe{to: from, buf: n.seat.parent.buf[:0], sent: now, sign: now}
	n.leaf = len(n.children) == 0
	name := mechanism.Joined
	if c.aim == activating {
		name = mechanism.Activated
		n.spare = now + n.config.KeepAlive // the next one should not find the peer without
	} else {
		n.spare = now + 10*n.config.KeepAlive
	}
	out.Report(mechanism.Event{Name: name, Seq: uint32(len(path)), Value: int64(now - c.began)})
	n.arrive()
	n.plan = n.plans[c.zone].append(n.plan[:0], c.zone)
	n.setPath(now, path, out)
	n.lookAround(now, out)
}

// arrive ends the looking for a parent.
func (n *peer) arrive() { n.climb.phase, n.climb.aim = resting, reserving }

// dropPipe forgets what waits in a pipe.
func (n *peer) dropPipe(p *pipe) {
	n.dirty = slices.DeleteFunc(n.dirty, func(x *pipe) bool { return x == p })
	p.buf, p.items = p.buf[:0], 0
}

// leaveChildren takes leave of all children, who then look for another parent.
func (n *peer) leaveChildren(out *mechanism.Outbox) {
	for _, c := range n.children {
		n.dropPipe(&c.pipe)
		n.say(c.to, kindBye, c.number, out)
	}
	clear(n.children)
	n.children = n.children[:0]
	n.changed = false
	n.claimed = true
}

// setPath takes note of the way from the root to the peer, and has its children know.
func (n *peer) setPath(now world.Time, path []mechanism.NodeID, out *mechanism.Outbox) {
	if len(n.path) == len(path)+1 && slices.Equal(n.path[:len(path)], path) {
		return
	}
	n.path = append(append(n.path[:0], path...), n.id)
	n.signs(now, true, out)
}

// orphaned turns to the backup parent, or looks for another one.
func (n *peer) orphaned(now world.Time, out *mechanism.Outbox) {
	n.former = n.seat.parent.to
	n.dropPipe(&n.seat.parent)
	n.seat.parent.to, n.seat.doubted = 0, false
	out.Report(mechanism.Event{Name: mechanism.Orphaned})
	c := &n.climb
	if c.phase != resting && c.aim == joining {
		return // it was about to leave anyway
	}
	c.phase = resting
	if b := n.seat.backup; n.config.Backup && b.id != 0 && b.id != n.former && n.find(b.id) == nil && !n.audit.shuns(b.id) && n.seat.zone == n.zone {
		n.number++
		*c = climb{phase: attaching, aim: activating, zone: n.zone, number: n.number, began: now, candidates: append(c.candidates[:0], b)}
		n.turnTo(now, out)
	} else {
		n.seek(now, joining, out)
	}
	n.lookAround(now, out)
}

// lookAfter looks after the peer's place in the tree, once a tick.
func (n *peer) lookAfter(now world.Time, out *mechanism.Outbox) {
	n.abandon(now, func(mechanism.NodeID) {})
	if n.seat.attached() && now-n.seat.heard > n.config.patience(missedByChild) {
		n.orphaned(now, out)
	}
	n.doubt(now, out)
	n.oversee(now, out)
	n.signs(now, false, out)
	n.signParent(now, out)
	if n.seat.attached() && n.config.Backup && now >= n.spare && n.climb.phase == resting && n.land.Len() > 0 {
		n.spare = now + 10*n.config.KeepAlive
		n.seek(now, reserving, out)
	}
	n.report(now, out)
	n.partWays(now, out)
	n.forget(now, n.keeps)
}

// bye is a goodbye to the hybrid node of a zone that the peer has left, who has yet to hear it.
type bye struct {
	zone   int
	number uint64
	due    world.Time
	tries  int
}

// partWays says goodbye to hybrid nodes, again until they have heard.
func (n *peer) partWays(now world.Time, out *mechanism.Outbox) {
	kept := n.byes[:0]
	for _, b := range n.byes {
		if b.tries == triesMax || n.seat.attached() && n.seat.zone == b.zone {
			continue
		}
		if b.due <= now {
			b.tries++
			b.due = now + n.config.Resend
			n.say(hybridOf(b.zone), kindBye, b.number, out)
		}
		kept = append(kept, b)
	}
	n.byes = kept
}

// keeps keeps what stays in the world although nothing is heard of it: another hybrid node may ask. That is what nobody answers for in
// the zone that the peer is in, and where users cannot leave and everybody sees everything all that there is.
func (n *peer) keeps(o *world.Object) bool {
	return n.owner(o) == 0 && n.zoneOf(o) == n.zone || n.stays && n.land.open
}

// signParent shows the parent that the peer is alive, and whether it is a leaf, for which only what it sees is passed on.
func (n *peer) signParent(now world.Time, out *mechanism.Outbox) {
	leaf := len(n.children) == 0
	p := &n.seat.parent
	if !n.seat.attached() || leaf == n.leaf && !p.owes(now, n.config.KeepAlive) {
		return
	}
	n.leaf = leaf
	n.buf = wire.AppendUint(append(n.buf[:0], signUp), n.seat.number)
	n.buf = wire.AppendUint(wire.AppendUint(n.buf, uint64(n.degree)), uint64(flag(leaf)))
	n.push(now, p, n.buf, 0, out)
	p.sign, p.sent = now, now
}

// report tells the hybrid node who the peer's children are: when that has changed, again until it has heard, and now and then.
func (n *peer) report(now world.Time, out *mechanism.Outbox) {
	again := len(n.children) > 0 && now-n.claimAt >= seldom*n.config.KeepAlive
	switch {
	case !n.seat.attached():
		return
	case n.changed || again:
		n.changed, n.claimed = false, false
		n.number++
		n.claim.number = n.number
	case n.claimed || now-n.claimAt < n.config.Resend:
		return
	}
	n.claimAt = now
	c := &n.claim
	c.degree, c.children, c.degrees = n.degree, c.children[:0], c.degrees[:0]
	for _, x := range n.children {
		c.children, c.degrees = append(c.children, x.to), append(c.degrees, x.degree)
	}
	n.buf = c.append(n.buf[:0])
	n.tell(hybridOf(n.seat.zone), out)
}

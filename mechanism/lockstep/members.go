package lockstep

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// phase is how far somebody takes part.
type phase uint8

const (
	absent    phase = iota // knows no world, or waits for what happened since: to the server, one that it tells nothing
	listening              // is on its way to the present: is told everything, but not waited for
	playing                // is in step
)

// member is what the server knows of a client.
type member struct {
	membership.Member
	phase    phase
	first    turn.Number // of those that it was told when it joined
	delay    turn.Number
	accepted uint32     // the last of its actions that was taken
	away     bool       // its user has left the world, or has yet to enter it
	spoke    world.Time // when anything came from it, whatever it was

	oneWay   world.Time  // zero if not known
	claims   turn.Hashes // what it says its replica was
	agreed   turn.Number // when that was last found to be right
	differed world.Time  // when it was last found to be wrong
	guide    latejoin.Guide
}

const memberBytes = int(unsafe.Sizeof(member{}))

// listenMax is how long a client may take to get to the present, and how long one is remembered that has fallen silent.
const listenMax = world.Minute

// members are the clients that take part, and those that may be back soon.
type members struct {
	membership.Members[*member]
	listeners []mechanism.NodeID // those who are told everything
}

// admit makes somebody a member.
func (m *members) admit(who membership.Member, delay turn.Number) *member {
	x := &member{Member: who, delay: delay, differed: longAgo}
	m.Add(x)
	return x
}

// listen has a member be told everything from now on.
func (m *members) listen(x *member, p phase) {
	x.phase = p
	if i, known := slices.BinarySearch(m.listeners, x.Node); !known {
		m.listeners = slices.Insert(m.listeners, i, x.Node)
	}
}

// mute has a member be told nothing more.
func (m *members) mute(x *member) {
	x.phase = absent
	if i, known := slices.BinarySearch(m.listeners, x.Node); known {
		m.listeners = slices.Delete(m.listeners, i, i+1)
	}
}

// receiveAsk sends a part of a snapshot. Who repairs a replica asks for a certain tick.
func (n *server) receiveAsk(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	tick := world.Tick(r.UintMax(numberMax))
	state, guide := n.follower.State(), &n.guide
	if m := n.members.At(from); m != nil && tick != 0 {
		guide = &m.guide
		if past := n.trail.get(tick); past != nil {
			state = past
		}
	}
	write := func(dst []byte) []byte { return state.Append(wire.AppendUint(dst, uint64(n.session.Epoch))) }
	return !r.Failed() && guide.Answer(now, from, r.Rest(), write, func(chunk []byte) {
		n.message = append(append(n.message[:0], kindChunk), chunk...)
		n.link.Send(now, from, mechanism.Snapshot, n.message, link.Unreliable, out)
	})
}

// receiveJoin tells a client what has happened since its snapshot, and from now on everything.
func (n *server) receiveJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	j := readJoin(r)
	if r.Done() != nil {
		return false
	}
	m, verdict := n.members.Judge(now, from, star.UserOf(n.world, from), j.Identity)
	if verdict != membership.Welcome {
		return true // repeated, or from an earlier life
	}
	if j.under != n.session.Epoch || j.first < n.batches.first || j.first > n.batches.next {
		n.message = wire.AppendUint(append(n.message[:0], kindAgain), uint64(j.Life))
		n.link.Send(now, from, mechanism.Control, n.message, link.Unreliable, out)
		return true
	}
	if m == nil {
		m = n.members.admit(membership.Member{Node: from, User: star.UserOf(n.world, from)}, turn.Number(n.config.Delay))
		m.away = true
	}
	n.dismiss(m)
	if j.Epoch != m.Identity.Epoch { // somebody else, who counts actions anew
		m.accepted, m.away = 0, true
	}
	if m.away { // else it has repaired its replica
		m.away = false
		n.forgetActions(m)
		n.pronounce(m.User, world.Enter)
	}
	n.link.Meet(from, j.Epoch)
	m.Identity, m.first, m.Heard = j.Identity, j.first, now
	m.guide, m.claims, m.agreed = latejoin.Guide{}, turn.Hashes{}, j.first
	w := welcome{life: j.Life, accepted: m.accepted, until: n.batches.next, delay: m.delay}
	n.message = w.append(n.message[:0])
	n.link.Send(now, from, mechanism.Control, n.message, link.Ordered, out)
	n.supply(now, from, j.first, out)
	n.members.listen(m, listening)
	return true
}

// supplyBytes is how long a message with several turns should be.
const supplyBytes = 1000

// supply sends all turns from one on, several at a time.
func (n *server) supply(now world.Time, to mechanism.NodeID, first turn.Number, out *mechanism.Outbox) {
	for first < n.batches.next {
		h := turnsHeader{first: first, agreed: first, slip: world.Tick(n.slip / n.pace.Tick)}
		n.message = h.append(n.message[:0])
		for ; first < n.batches.next && len(n.message) < supplyBytes; first++ {
			text, _ := n.batches.get(first)
			n.message = wire.AppendBytes(n.message, text)
		}
		n.link.Send(now, to, mechanism.Command, n.message, link.Ordered, out)
	}
}

// receiveLeave lets a client go, and tells it that it has gone.
func (n *server) receiveLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who := membership.ReadIdentity(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.Leaver(now, from, who); m != nil {
		if m.phase != absent {
			n.expel(m)
		}
		n.members.Remove(now, m)
	}
	n.message = who.Append(append(n.message[:0], kindGone))
	n.link.Send(now, from, mechanism.Control, n.message, link.Unreliable, out)
	return true
}

// dismiss ceases to wait for a client and tells it nothing more.
func (n *server) dismiss(m *member) {
	n.advances.Remove(m.Node)
	n.members.mute(m)
}

// forgetActions takes back what a client's user did and has not taken effect.
func (n *server) forgetActions(m *member) {
	for i := range n.queue {
		n.queue[i].Drop(m.User)
	}
}

// expel takes a client's user out of the world and goes on without the client.
func (n *server) expel(m *member) {
	n.dismiss(m)
	n.link.Forget(m.Node)
	n.forgetActions(m)
	n.pronounce(m.User, world.Leave)
	m.away = true
}

// pronounce has a user enter the world or leave it, where users can, in the turn to be closed next.
func (n *server) pronounce(u world.User, verb world.VerbID) {
	if _, inhabited := n.world.(world.Inhabited); inhabited {
		next, _ := n.advances.Next()
		n.queued(next).Add(&world.Action{User: u, Verb: verb})
	}
}

// grace is for how long nobody is blamed, as a part of the patience: to be as slow as the slowest is what lockstep is.
const grace = 8

// standsAt is from when on the world stands still for want of what somebody did: never, while nothing is wanting.
func (n *server) standsAt() world.Time {
	if !n.missing() {
		return world.Never
	}
	return n.dueAfter(n.pace.Tick)
}

// holdToAccount charges those who have kept everybody waiting since it was last called.
func (n *server) holdToAccount(now world.Time) {
	if since := n.standsAt(); since != world.Never && now > since+n.config.Patience/grace {
		n.late = n.advances.Late(n.late[:0])
		n.budget.Charge(now, n.late, now-max(n.heldAt, since+n.config.Patience/grace))
	}
	n.heldAt = now
}

// silence is for how long a client is waited for of which nothing at all has been heard since everybody waits for it, as a part of the
// patience: one that is only slow goes on saying so, while one that is gone, or means harm, would cost all the others as much by nothing.
const silence = 4

// deadline is until when a client that is late is waited for. Who has used up all patience gets half the grace.
func (n *server) deadline(now world.Time, m *member) world.Time {
	left, since := max(n.budget.Left(now, m.Node), 0), n.standsAt()
	spared := min(n.config.Patience/grace, max(left, n.pace.Length(), n.config.Patience/grace/2))
	until := max(now, since+spared) + left
	if m.spoke < since {
		until = min(until, max(now, since+n.config.Patience/silence))
	}
	return until
}

// lookInTime sees to it that those are looked at in time who are waited for.
func (n *server) lookInTime(now world.Time) {
	if n.standsAt() == world.Never {
		return
	}
	n.late = n.advances.Late(n.late[:0])
	for _, id := range n.late {
		if m := n.members.At(id); m != nil {
			n.lookAt = min(n.lookAt, max(n.deadline(now, m), now+1))
		}
	}
}

// look finds those who keep everybody waiting and have been silent for too long, those who join but never get there, and those
// who have been away for so long that they are not remembered any more.
func (n *server) look(now world.Time) {
	n.lookAt = now + n.config.Patience
	_, complete := n.advances.Next()
	for i := n.members.Len() - 1; i >= 0; i-- {
		m := n.members.All()[i]
		until := m.Heard + listenMax
		if m.phase == playing {
			if complete || !n.advances.IsLate(m.Node) || now < n.standsAt() {
				continue
			}
			until = n.deadline(now, m)
		}
		if m.phase == absent && !m.away { // it repairs its replica, or has not come back to a server that had lost its memory
			until = max(m.Heard+n.config.Patience, m.differed+listenMax)
		}
		switch {
		case now < until:
			n.lookAt = min(n.lookAt, until)
		case m.phase == absent && m.away:
			n.members.Remove(now, m)
		default:
			n.budget.Dismiss(now, m.Node)
			n.expel(m)
			m.Heard = now
		}
	}
}

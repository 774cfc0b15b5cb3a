package lockstep

import (
	"cmp"
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// phase is how far somebody takes part.
type phase uint8

const (
	absent    phase = iota // knows no world: to the server, one that it tells nothing
	joining                // has a snapshot and waits for what happened since: as above
	listening              // is on its way to the present: is told everything, but not waited for
	playing                // is in step
)

// member is what the server knows of a client.
type member struct {
	node  mechanism.NodeID
	user  world.User
	phase phase
	identity
	first    turn.Number // of those that it was told when it joined
	delay    turn.Number
	heard    world.Time // when it was last done with a turn, or joined
	accepted uint32     // the last of its actions that was taken
	left     turn.Number
	away     bool // its user left the world in turn left, since it fell silent

	oneWay   world.Time  // zero if not known
	claims   turn.Hashes // what it says its replica was
	agreed   turn.Number // when that was last found to be right
	differed world.Time  // when it was last found to be wrong
	guide    latejoin.Guide
}

const memberBytes = int(unsafe.Sizeof(member{}))

// listenMax is how long a client may take to get to the present.
const listenMax = world.Minute

// members are all who have ever taken part, in the order of their nodes' IDs.
type members struct {
	list      []*member
	listeners []mechanism.NodeID // those who are told everything
}

func (m *members) find(id mechanism.NodeID) (int, bool) {
	return slices.BinarySearchFunc(m.list, id, func(x *member, id mechanism.NodeID) int { return cmp.Compare(x.node, id) })
}

// get returns a member, or nil.
func (m *members) get(id mechanism.NodeID) *member {
	if i, known := m.find(id); known {
		return m.list[i]
	}
	return nil
}

// admit returns a member, who may be new.
func (m *members) admit(id mechanism.NodeID, u world.User, delay turn.Number) *member {
	i, known := m.find(id)
	if !known {
		m.list = slices.Insert(m.list, i, &member{node: id, user: u, delay: delay, differed: longAgo})
	}
	return m.list[i]
}

// listen has a member be told everything from now on.
func (m *members) listen(x *member, p phase) {
	x.phase = p
	if i, known := slices.BinarySearch(m.listeners, x.node); !known {
		m.listeners = slices.Insert(m.listeners, i, x.node)
	}
}

// mute has a member be told nothing more.
func (m *members) mute(x *member) {
	x.phase = absent
	if i, known := slices.BinarySearch(m.listeners, x.node); known {
		m.listeners = slices.Delete(m.listeners, i, i+1)
	}
}

// receiveAsk sends a part of a snapshot. Who repairs a replica asks for a certain tick.
func (n *server) receiveAsk(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	tick := world.Tick(r.UintMax(numberMax))
	state, guide := n.follower.State(), &n.guide
	if m := n.members.get(from); m != nil && tick != 0 {
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
	m := n.members.get(from)
	if m != nil && !j.after(m.identity) {
		return true // repeated, or from an earlier life
	}
	if j.first < n.batches.first || j.first > n.batches.next {
		n.message = wire.AppendUint(append(n.message[:0], kindAgain), uint64(j.life))
		n.link.Send(now, from, mechanism.Control, n.message, link.Unreliable, out)
		return true
	}
	m = n.members.admit(from, star.UserOf(n.world, from), turn.Number(n.config.Delay))
	n.dismiss(m)
	if j.epoch != m.epoch { // somebody else, who counts actions anew
		n.forgetActions(m)
		m.accepted = 0
	}
	n.link.Meet(from, j.epoch)
	m.identity, m.first, m.heard = j.identity, j.first, now
	m.guide, m.claims, m.agreed = latejoin.Guide{}, turn.Hashes{}, j.first
	n.bringBack(m)
	w := welcome{life: j.life, accepted: m.accepted, until: n.batches.next, delay: m.delay}
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

// receiveLeave lets a client go.
func (n *server) receiveLeave(from mechanism.NodeID, r *wire.Reader) (sound bool) {
	who := readIdentity(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.get(from); m != nil && who == m.identity && m.phase != absent {
		n.expel(m)
	}
	return true
}

// dismiss ceases to wait for a client and tells it nothing more.
func (n *server) dismiss(m *member) {
	n.advances.Remove(m.node)
	n.members.mute(m)
}

// forgetActions takes back what a client's user did and has not taken effect.
func (n *server) forgetActions(m *member) {
	for i := range n.queue {
		n.queue[i].Drop(m.user)
	}
}

// expel takes a client's user out of the world, where users can leave it, and goes on without the client.
func (n *server) expel(m *member) {
	n.dismiss(m)
	n.link.Forget(m.node)
	n.forgetActions(m)
	if _, inhabited := n.world.(world.Inhabited); inhabited {
		m.left, _ = n.advances.Next()
		m.away = n.queued(m.left).Add(&world.Action{User: m.user, Verb: world.Leave})
	}
}

// bringBack undoes what expel did to the client's user.
func (n *server) bringBack(m *member) {
	if !m.away {
		return
	}
	m.away = false
	next, _ := n.advances.Next()
	if next == m.left {
		n.queued(next).Drop(m.user)
		return
	}
	n.queued(next).Add(&world.Action{User: m.user, Verb: world.Enter})
}

// look finds those who keep everybody waiting and have been silent for too long, and those who join but never get there.
func (n *server) look(now world.Time) {
	n.lookAt = now + n.config.Patience
	_, complete := n.advances.Next()
	for i := range n.members.list {
		m := n.members.list[i]
		since, most := max(m.heard, n.closedAt), n.config.Patience
		switch {
		case m.phase == listening:
			since, most = m.heard, listenMax
		case m.phase != playing || complete || !n.advances.IsLate(m.node):
			continue
		}
		if now-since >= most {
			n.expel(m)
			continue
		}
		n.lookAt = min(n.lookAt, since+most)
	}
}

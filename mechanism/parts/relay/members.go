package relay

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// member is what the server knows of a client.
type member struct {
	membership.Member
	knows   bool       // it has said that it knows the world
	asked   world.Time // when it last asked for it
	alone   int        // how often it has found nobody who does
	aloneAt world.Time // when that counts again
}

// may counts an action of a client's user, and reports whether it is not one too many: so many are allowed per tick, and as
// many more as were not taken in the last ticks.
func (n *server) may(m *member) bool {
	return m.Allow(n.now.tick, n.config.Actions, ticksMax*n.config.Actions)
}

// takeJoin takes in a newcomer: from now on it is sent the order, in which it enters.
func (n *server) takeJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number, u := readJoin(r)
	if r.Done() != nil {
		return false
	}
	who := membership.Numbered(number)
	switch was, verdict := n.members.Judge(now, from, u, who); verdict {
	case membership.Refused:
		return false
	case membership.Welcome:
		if was != nil {
			n.members.Remove(now, was)
		}
		n.members.Add(&member{Member: membership.Member{Node: from, User: u, Identity: who, Heard: now}})
		n.link.Meet(from, number)
		n.buf = appendEpoch(n.buf[:0], kindWelcome, number)
		n.link.Send(now, from, mechanism.Control, n.buf, link.Ordered, out)
		n.pronounce(now, u, world.Enter, out)
	}
	return true
}

// takeLeave lets a client go, and tells it that it has gone.
func (n *server) takeLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := readEpoch(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.Leaver(now, from, membership.Numbered(number)); m != nil {
		n.dismiss(now, m, out)
		n.refuse(now, from, out)
	}
	return true
}

// dismiss goes on without a client. Its user leaves the world, where users can.
func (n *server) dismiss(now world.Time, m *member, out *mechanism.Outbox) {
	n.members.Remove(now, m)
	n.link.Forget(m.Node)
	if _, inhabited := n.world.(world.Inhabited); inhabited {
		n.pronounce(now, m.User, world.Leave, out)
		if n.filter != nil {
			n.filter.Left(m.User)
		}
	}
}

// pronounce puts into the order that a user comes or goes.
func (n *server) pronounce(now world.Time, u world.User, verb world.VerbID, out *mechanism.Outbox) {
	n.action = world.Action{User: u, Verb: verb}
	n.order(now, out)
}

// lookAround dismisses those who have not been heard of for too long, if it is time to. While all are silent nobody is: it may
// be the network, and the world is theirs.
func (n *server) lookAround(now world.Time, out *mechanism.Outbox) {
	if now < n.lookAt {
		return
	}
	if n.lookAt == 0 { // nobody could have been heard of before
		for _, m := range n.members.All() {
			m.Heard = now
		}
	}
	n.lookAt = now + n.config.Patience/hereShare
	if slices.ContainsFunc(n.members.All(), func(m *member) bool { return !m.Silent(now, n.config.Patience) }) {
		for m := range n.members.Silent(now) {
			n.dismiss(now, m, out)
		}
	}
}

// refuse tells a node that it is no member.
func (n *server) refuse(now world.Time, to mechanism.NodeID, out *mechanism.Outbox) {
	n.buf = append(n.buf[:0], kindGone)
	n.link.Send(now, to, mechanism.Control, n.buf, link.Unreliable, out)
}

package relay

import (
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// member is what the server knows of a client.
type member struct {
	epoch     uint32
	heard     world.Time
	allowance int        // how many actions its user may take now
	allowed   world.Tick // when that was reckoned
}

// members are the clients that take part, in the order of their nodes.
type members struct {
	nodes []mechanism.NodeID
	about []member
}

func (m *members) len() int { return len(m.nodes) }

// get returns what is known of a client, or nil.
func (m *members) get(id mechanism.NodeID) *member {
	if i, known := slices.BinarySearch(m.nodes, id); known {
		return &m.about[i]
	}
	return nil
}

// add makes a client a member, whether or not it is one.
func (m *members) add(id mechanism.NodeID, x member) {
	i, known := slices.BinarySearch(m.nodes, id)
	if !known {
		m.nodes = slices.Insert(m.nodes, i, id)
		m.about = slices.Insert(m.about, i, x)
	}
	m.about[i] = x
}

func (m *members) remove(id mechanism.NodeID) {
	if i, known := slices.BinarySearch(m.nodes, id); known {
		m.nodes = slices.Delete(m.nodes, i, i+1)
		m.about = slices.Delete(m.about, i, i+1)
	}
}

func (m *members) bytes() int { return cap(m.nodes)*8 + cap(m.about)*int(unsafe.Sizeof(member{})) }

// may counts an action of a client's user, and reports whether it is one too many: so many are allowed per tick, and as many
// more as were not taken in the last ticks. What the network has held up comes at once.
func (m *member) may(tick world.Tick, perTick int) bool {
	m.allowance = min(m.allowance+int(min(tick-m.allowed, ticksMax))*perTick, ticksMax*perTick)
	m.allowed = tick
	if m.allowance == 0 {
		return false
	}
	m.allowance--
	return true
}

// takeJoin takes in a newcomer: from now on it is sent the order, in which it enters.
func (n *server) takeJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch, u := readJoin(r)
	if r.Done() != nil || u != star.UserOf(n.world, from) {
		return false
	}
	if m := n.members.get(from); m != nil && epoch <= m.epoch {
		return true // repeated
	}
	n.members.add(from, member{epoch: epoch, heard: now, allowance: n.config.Actions, allowed: n.now.tick})
	n.link.Meet(from, epoch)
	n.buf = appendEpoch(n.buf[:0], kindWelcome, epoch)
	n.link.Send(now, from, mechanism.Control, n.buf, link.Ordered, out)
	n.pronounce(now, u, world.Enter, out)
	return true
}

// takeLeave lets a client go.
func (n *server) takeLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch := readEpoch(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.get(from); m != nil && m.epoch == epoch {
		n.dismiss(now, from, out)
	}
	return true
}

// dismiss goes on without a client. Its user leaves the world, where users can.
func (n *server) dismiss(now world.Time, id mechanism.NodeID, out *mechanism.Outbox) {
	n.members.remove(id)
	n.link.Forget(id)
	if _, inhabited := n.world.(world.Inhabited); inhabited {
		u := star.UserOf(n.world, id)
		n.pronounce(now, u, world.Leave, out)
		if n.filter != nil {
			n.filter.Left(u)
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
		for i := range n.members.about {
			n.members.about[i].heard = now
		}
	}
	n.lookAt = now + n.config.Patience/hereShare
	heard := func(m member) bool { return now-m.heard <= n.config.Patience }
	if !slices.ContainsFunc(n.members.about, heard) {
		return
	}
	for i := n.members.len() - 1; i >= 0; i-- {
		if !heard(n.members.about[i]) {
			n.dismiss(now, n.members.nodes[i], out)
		}
	}
}

// refuse tells a node that it is no member.
func (n *server) refuse(now world.Time, to mechanism.NodeID, out *mechanism.Outbox) {
	n.buf = append(n.buf[:0], kindGone)
	n.link.Send(now, to, mechanism.Control, n.buf, link.Unreliable, out)
}

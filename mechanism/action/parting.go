package action

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// parting is that a user whose client is gone has yet to leave the world. The server cannot take anybody out, since it
// carries nothing out; so it puts the leave into the order in the name of a client that is there. From then on it is an entry
// like any other: its client carries it out and completes it, others take over if that client fails, and if it is lost with
// all who knew of it, it is tried again.
type parting struct {
	user  world.User
	after uint64 // what the user did may stand in the order up to here
	under bool   // the leave has a place
}

// part has a user leave, in worlds where users can.
func (n *server) part(u world.User) {
	if _, inhabited := n.world.(world.Inhabited); inhabited && n.parting(u) < 0 {
		n.partings = append(n.partings, parting{user: u, after: n.order.next - 1})
	}
}

// parting finds a user among those who have yet to leave, or returns a negative number.
func (n *server) parting(u world.User) int {
	return slices.IndexFunc(n.partings, func(p parting) bool { return p.user == u })
}

// returns has a user stay who was to leave, and reports whether it is not too late for that.
func (n *server) returns(u world.User) bool {
	i := n.parting(u)
	if i < 0 {
		return true
	}
	if n.partings[i].under {
		return false
	}
	n.partings = slices.Delete(n.partings, i, i+1)
	return true
}

// releaseAll gives the leaves a place whose users have nothing more under way: so what they have is known. While nobody is
// there to carry them out, they wait.
func (n *server) releaseAll(now world.Time, out *mechanism.Outbox) {
	m := n.members.anybody()
	if m == nil {
		return
	}
	left := n.partings[:0]
	for _, p := range n.partings {
		if !p.under && p.after <= n.order.installed {
			e := n.order.slot()
			n.writeLeave(now, e, p.user)
			if len(e.Footprint.Writes) == 0 {
				continue // nothing of the user is in the world
			}
			e.number, e.owner = 0, m.slot
			n.order.link(e)
			if n.protocol.admits(e) {
				n.place(now, m, e, out)
				p.under = true
			}
		}
		left = append(left, p)
	}
	n.partings = left
}

// writeLeave makes the entry in the slot the leave of a user: it sees and writes what the user has.
func (n *server) writeLeave(now world.Time, e *entry, u world.User) {
	f := e.Footprint
	f.Reset()
	for o := range n.state.All() {
		if o.User == u && len(f.Writes) < readsMax {
			f.Writes = append(f.Writes, o.ID)
		}
	}
	f.Reads = append(f.Reads, f.Writes...)
	e.Entry = mechanism.Entry{
		Action: world.Action{User: u, Verb: world.Leave}, Tick: mechanism.TickAt(now, n.world.Schema().Tick), Footprint: f,
	}
	e.place = n.geometry.placeOf(&e.Entry, n.state.Get)
}

// parted is called when somebody's leave is installed. One that was lost is tried again.
func (n *server) parted(e *entry) {
	if !e.void {
		n.vacated = append(n.vacated, e.Footprint.Writes...)
	}
	i := n.parting(e.Action.User)
	switch {
	case e.number != 0 || i < 0:
	case e.void:
		n.partings[i].under = false
	default:
		n.partings = slices.Delete(n.partings, i, i+1)
	}
}

// announce tells everybody of those who have left since it was last called: nobody comes near them again to find that out.
func (n *server) announce(now world.Time, out *mechanism.Outbox) {
	if len(n.vacated) == 0 {
		return
	}
	slices.Sort(n.vacated)
	n.vacated = slices.Compact(n.vacated)
	for _, m := range n.members.slots {
		if m != nil && !m.shunned {
			n.protocol.looked(now, m, n.vacated, false, out)
		}
	}
	n.vacated = n.vacated[:0]
}

// takeLeave lets a client go that says goodbye.
func (n *server) takeLeave(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who := membership.ReadIdentity(r)
	if r.Done() != nil {
		return false
	}
	if m := n.members.Leaver(now, from, who); m != nil {
		n.part(m.User)
		n.fail(now, m, out)
	}
	n.refuse(now, from, who, out)
	return true
}

// Leave says goodbye, and again until the server has heard it, and gives up all that the client knows.
func (n *client) Leave(now world.Time, out *mechanism.Outbox) {
	n.presence.Leave(now)
	n.witness.Renounced()
	n.pending.clear()
	n.newcomer = nil
	n.speak(now, out)
	n.finish(out)
}

// Gone implements mechanism.Lingering.
func (n *client) Gone() bool { return n.presence.Gone() }

// returnHome has a user enter again who was taken out of the world while the client had lost the server. It is called when
// the server has answered a look, which is after all that it had to say to a newcomer.
func (n *client) returnHome(now world.Time, out *mechanism.Outbox) {
	if n.resident && len(n.known.owned) == 0 {
		n.perform(now, world.Action{User: n.place.User, Verb: world.Enter}, out)
	}
	n.resident = false
}

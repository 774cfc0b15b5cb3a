package interest

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
)

// audience is what a server tells its clients: each what its user sees, or all the same.
type audience struct {
	server *server
	table  *update.Table
	gaze   *sight.Gaze // nil where all are told the same
	stream *teller     // nil where they are not
	all    []mechanism.NodeID
	toAll  func(msg []byte, items int) // sends a message to all of them, in the call that is under way
	stale  []world.ID                  // what has changed since it was last looked at who sees what
	told   int                         // how much of that clients who saw it before are told of already
	turn   pace.Turn                   // when it is looked at again
	now    world.Time
	out    *mechanism.Outbox
	work   world.Work
}

func newAudience(n *server) *audience {
	a := &audience{server: n, table: update.NewTable(n.session.World.Schema())}
	a.table.Every = n.config.Updates == Every
	if n.config.streams(n.session.World) {
		a.stream = newTeller(n.state)
		a.stream.every = a.table.Every
		a.toAll = func(msg []byte, items int) {
			n.layer.SendAll(a.now, a.all, mechanism.Update, msg, link.Ordered, a.out)
			a.out.Count(mechanism.Update, items*len(a.all))
		}
	} else {
		a.gaze = sight.NewGaze(n.session.World, n.state, &n.members)
	}
	return a
}

// Enter implements sight.Audience.
func (m *members) Enter(u world.User, id world.ID) int32 { return m.Of(u).Sender.Enter(id) }

// Leave implements sight.Audience.
func (m *members) Leave(u world.User, handle int32) { m.Of(u).Sender.Leave(handle) }

// note takes note that an object is not as it was, if it still is there.
func (a *audience) note(id world.ID) { a.stale = append(a.stale, id) }

// look brings up to date what there is to be told, and who sees it. While the server has slowed down, who sees what is looked at less
// often too: most of a server's work is in that. How things are that clients know of is told as it is now all the same.
func (a *audience) look(now world.Time) {
	n := a.server
	a.table.Renew()
	if a.gaze != nil && !n.pace.Comes(&a.turn, now, n.length, 0) {
		for _, id := range a.stale[a.told:] {
			if o := n.state.Get(id); o != nil && n.shows(id) && a.gaze.Knows(o) {
				a.record(o)
				a.touch(id)
			}
		}
		a.told = len(a.stale)
		return
	}
	if a.told > 0 { // what has changed in several ticks
		slices.Sort(a.stale)
		a.stale = slices.Compact(a.stale)
	}
	for _, id := range a.stale {
		if o := n.state.Get(id); o != nil {
			a.put(o, n.shows(id))
		} else {
			a.remove(id)
		}
	}
	a.stale, a.told = a.stale[:0], 0
	if a.table.Every {
		for o := range n.state.All() {
			a.put(o, n.shows(o.ID))
		}
	}
}

// record notes what is to be told of an object.
func (a *audience) record(o *world.Object) { a.table.Put(o, a.server.members.latest(o.User)) }

// put notes how an object is, and whether it is for this server to show.
func (a *audience) put(o *world.Object, shown bool) {
	switch {
	case a.stream != nil:
		a.stream.touch(o.ID)
	case shown:
		a.record(o)
		a.gaze.Put(o, true)
		a.touch(o.ID)
	default:
		a.gaze.Put(o, false)
		a.table.Remove(o.ID)
	}
}

// touch has all who see an object be told how it is now.
func (a *audience) touch(id world.ID) {
	for _, v := range a.gaze.Viewers(id) {
		if v.Handle != sight.Hidden {
			a.server.members.Of(v.User).Sender.Touch(v.Handle)
		}
	}
}

// cross notes that an object has come over from a server that had it since a tick.
func (a *audience) cross(id world.ID, since world.Tick) {
	if a.stream != nil {
		a.stream.cross(id, since, a.server.tick)
	}
}

// since is when this server got an object, as far as clients have to know.
func (a *audience) since(id world.ID) world.Tick {
	if a.stream != nil {
		return a.stream.since[id]
	}
	return 0
}

// remove notes that an object is gone.
func (a *audience) remove(id world.ID) {
	if a.stream != nil {
		a.stream.touch(id)
		return
	}
	a.gaze.Remove(id)
	a.table.Remove(id)
}

// join has a client be told from now on.
func (a *audience) join(now world.Time, m *member, out *mechanism.Outbox) {
	if a.stream == nil {
		a.gaze.Join(m.User, a.everything(m.User))
		return
	}
	n := a.server
	n.layer.Meet(m.Node, m.Identity.Epoch)
	n.buf = a.stream.account(n.buf, a.room(), func(msg []byte, items int) {
		n.layer.Send(now, m.Node, mechanism.Snapshot, msg, link.Ordered, out)
		out.Count(mechanism.Snapshot, items)
	})
	a.all = append(a.all, m.Node)
}

// everything reports whether a user is to see the whole map: since that is so for all, or for want of anything that could see.
func (a *audience) everything(u world.User) bool {
	return a.server.config.Interest == Single || a.server.roster.Stay(u) == 0 && !a.server.inhabited()
}

// leave has it be told nothing more.
func (a *audience) leave(m *member) {
	if a.stream == nil {
		a.gaze.Leave(m.User)
		return
	}
	a.server.layer.Forget(m.Node)
	for i, id := range a.all {
		if id == m.Node {
			a.all = append(a.all[:i], a.all[i+1:]...)
			break
		}
	}
}

// room is what a link's message may hold.
func (a *audience) room() int { return a.server.config.Datagram - frameMargin }

// serve tells everybody what is new.
func (a *audience) serve(now world.Time, out *mechanism.Outbox) {
	n := a.server
	if a.stream != nil && int(n.tick)%n.config.Interval == 0 {
		a.broadcast(now, out)
	}
	if a.gaze != nil {
		a.gaze.Unveil()
	}
	for i := n.members.Len() - 1; i >= 0; i-- { // backwards, since who has timed out is taken off
		m := n.members.All()[i]
		switch {
		case m.Silent(now, n.config.Timeout):
			n.dismiss(now, m, out)
		case (int(n.tick)+m.slot)%n.config.Interval == 0 && m.Next(&n.pace, now, n.config.interval(n.length)):
			a.update(now, m, out)
		}
	}
}

// broadcast tells all clients the same.
func (a *audience) broadcast(now world.Time, out *mechanism.Outbox) {
	n := a.server
	a.now, a.out = now, out
	n.buf = a.stream.tell(&n.store, n.tick, n.buf, a.room(), a.toAll)
	a.out = nil
}

// update tells one client what is new in what its user sees, and what has become of the user's actions.
func (a *audience) update(now world.Time, m *member, out *mechanism.Outbox) {
	n := a.server
	times := n.config.times()
	times.Resend = n.pace.Stretch(times.Resend)
	m.Sender.Begin(now - times.Resend - times.Receipt)
	for first, more := true, true; more && !m.Sender.Blocked(); first = false {
		var items int
		items, _, more = m.Say(now, times, n.config.Datagram, n.tick, first, &n.buf, out)
		a.work += world.Work(items)
	}
}

func (a *audience) takeWork() world.Work {
	done := a.work
	a.work = 0
	if a.gaze != nil {
		done += a.gaze.TakeWork()
	}
	return done
}

func (a *audience) bytes() int {
	sum := a.table.Bytes()
	if a.gaze != nil {
		sum += a.gaze.Bytes()
	} else {
		sum += a.stream.told.Bytes()
	}
	for _, m := range a.server.members.All() {
		sum += m.Sender.Bytes()
	}
	return sum
}

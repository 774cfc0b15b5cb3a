package octree

import (
	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
)

// show has clients be told how an object is.
func (n *server) show(o *world.Object, action uint32) {
	n.stirred = true
	change := world.Change{}
	var was world.Object
	if x := n.shown.Get(o.ID); x != nil {
		was = *x
		change.Old = &was
	}
	change.New = n.shown.Put(*o)
	n.field.Change(change)
	n.count(change)
	n.table.Put(change.New, action)
}

// hide has clients be told that an object is gone.
func (n *server) hide(id world.ID) {
	x := n.shown.Get(id)
	if x == nil {
		return
	}
	n.stirred = true
	was := *x
	n.shown.Remove(id)
	n.field.Change(world.Change{Old: &was})
	n.count(world.Change{Old: &was})
	n.table.Remove(id)
}

// serve brings the clients whose turn it is up to date.
func (n *server) serve(now world.Time, out *mechanism.Outbox) {
	interval := n.config.interval(n.length)
	turns := max(int(interval/n.config.Pulse), 1)
	synced := false
	for i := n.members.Len() - 1; i >= 0; i-- { // backwards, since who has timed out is taken off
		m := n.members.All()[i]
		if m.Silent(now, n.config.Timeout) {
			n.forget(now, m)
			if n.isMine(m.User) {
				n.adopt(m.User)
			}
			continue
		}
		if (n.pulses+m.slot)%turns >= n.passed || !m.Next(&n.pace, now, interval) {
			continue
		}
		if !synced {
			synced = true
			n.sync()
		}
		n.update(now, m, out)
	}
}

// sync has what is near be found where it is now.
func (n *server) sync() {
	if n.stirred {
		n.stirred = false
		n.shown.SetTick(n.shownAt)
		n.field.Sync()
	}
}

// update tells one client what is new in what its user sees, and what has become of the user's actions.
func (n *server) update(now world.Time, m *member, out *mechanism.Outbox) {
	times := n.config.times()
	times.Resend = n.pace.Stretch(times.Resend)
	if m.Sender.Rests() && n.field.Calm(m.User, &m.set) && !m.Owes(now, times) {
		return
	}
	m.Sender.Begin(now - times.Resend)
	if m.Sender.Blocked() {
		m.budget.blocked = true
		return
	}
	n.field.Look(m.User, m.budget.reach, &m.set, m.Sender)
	if n.config.Budget > 0 {
		n.nearness.Centres = append(n.nearness.Centres[:0], n.field.Centres(m.User)...)
		m.budget.members += m.set.Len()
		m.budget.updates++
	}
	for first, more := true, true; more && !m.Sender.Blocked(); first = false {
		room := m.budget.room(now, n.config.Datagram)
		if room == 0 {
			return
		}
		var items, size int
		items, size, more = m.Say(now, times, room, n.shownAt, first, &n.buf, out)
		m.budget.spent(size, items, more && room < n.config.Datagram)
		n.work += world.Work(items)
	}
}

// ranker is what decides who goes first: nobody, if everything can go.
func (n *server) ranker() update.Ranker {
	if n.config.Budget == 0 {
		return nil
	}
	return &n.nearness
}

package central

import (
	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
)

// roomMin is the least room worth beginning a datagram for: a header and a small object.
const roomMin = 48

// serve brings one client up to date, if it is its turn, and reports whether there was anything to do.
func (n *authority) serve(m *member, now world.Time, out *mechanism.Outbox) bool {
	if m.Silent(now, n.config.Timeout) {
		n.dismiss(now, m)
		return true
	}
	if !m.Next(&n.pace, now, n.schedule.interval) {
		return false
	}
	n.publish()
	if n.undisturbed(m) && !m.Owes(now, n.times) {
		return false
	}
	m.Sender.Begin(now - n.times.Resend)
	if m.Sender.Blocked() {
		return false
	}
	if n.config.Budget > 0 && !n.crowded {
		n.nearness.Centres = append(n.nearness.Centres[:0], n.field.Centres(m.User)...)
	}
	n.look(m)
	for first := true; !m.Sender.Blocked(); first = false {
		if !n.send(m, now, first, out) {
			break
		}
	}
	return true
}

// undisturbed reports whether a client knows all that it is to know. Most do in a world at rest, and cost next to nothing.
func (n *authority) undisturbed(m *member) bool {
	return m.Sender.Rests() && n.crowded == m.Sender.SeesCrowds() && n.field.Calm(m.User, &m.set)
}

// look brings what a client is to see up to date: at every update, or less often if that is much. What is its user's own,
// and what is veiled, does not wait.
func (n *authority) look(m *member) {
	m.looked += n.config.Look
	cost := 4 * m.set.Len() // a query looks at some four times what it finds
	switch {
	case n.crowded:
		cost = 32 * m.near // to notice late who is near does not leave anybody out
	case n.field.Everything():
		cost = m.set.Len() / 8 // to compare lists is easier
	}
	settled := n.crowded == m.Sender.SeesCrowds() && n.field.HasOwn(m.User, &m.set)
	if m.looked < cost && !n.field.Veiled() && settled {
		return
	}
	m.looked = 0
	n.mingle(m)
	reach := n.field.Sight()
	if n.crowded {
		reach = 0
	}
	n.field.Look(m.User, reach, &m.set, m.Sender)
}

// send sends one datagram, if there is something to say, and reports whether there is more.
func (n *authority) send(m *member, now world.Time, first bool, out *mechanism.Outbox) (more bool) {
	room := min(n.config.Datagram, m.budget.Left(now))
	if room < roomMin {
		return false
	}
	buf, items, more := m.Append(n.buf[:0], room, n.tick, first)
	n.buf = buf
	n.work += world.Work(items)
	if items == 0 && !(first && m.Owes(now, n.times)) {
		return false
	}
	out.Send(m.Node, mechanism.Update, buf)
	out.Count(mechanism.Update, items)
	m.Sent(now)
	m.budget.Spend(len(buf))
	return more
}

// ranker is what decides who goes first: nobody, if everything can go.
func (n *authority) ranker() update.Ranker {
	if n.config.Budget == 0 {
		return nil
	}
	return &n.nearness
}

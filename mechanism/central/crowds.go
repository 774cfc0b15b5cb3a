package central

import "throng/world/fixed"

// Where users see everything and there is a budget, a crowd is not sent object by object: each client gets all there is in crowds
// (see package update), which cost the server little and come round when the budget allows, and with every update previews of
// those who are nearest to its user.

// nearMax is how many objects a client in a crowd is sent previews of, about.
const nearMax = 16

// crowdMin is the smallest crowd that is worth sending as one.
const crowdMin = 4

// gather decides whether there is a crowd, and brings it up to date.
func (n *authority) gather() {
	switch size := n.table.Len(); {
	case n.config.Budget == 0 || !n.field.Everything() || n.table.Size() < crowdMin || size < 2*nearMax:
		n.crowded = false
	case size > 4*nearMax:
		n.crowded = true
	}
	if n.crowded {
		n.table.Gather()
	}
}

// mingle has a client see crowds, or not, and finds who is near.
func (n *authority) mingle(m *member) {
	begins := n.crowded && !m.Sender.SeesCrowds()
	m.Sender.SeeCrowds(n.crowded)
	if !n.crowded {
		m.near = 0
		return
	}
	if begins {
		m.reach = n.field.Sight().Mul(fixed.Ratio(nearMax, int64(4*n.table.Len())).Sqrt())
	}
	near := n.field.Near(m.User, m.reach)
	m.Sender.Watch(near)
	switch m.near = len(near); {
	case m.near > nearMax:
		m.reach -= m.reach / 8
	case m.near < nearMax*3/4:
		m.reach = min(m.reach+m.reach/8+1, n.field.Sight()-1)
	}
}

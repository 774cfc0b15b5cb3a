package action

import (
	"throng/mechanism"
	"throng/world"
)

// protocol is what the four protocols differ in: who is told of an entry, and when. Each is the one before with an idea of its
// own; see basic.go, incomplete.go, firstbound.go and informationbound.go.
type protocol interface {
	// admits reports whether an entry that is linked may have a place in the order now.
	admits(e *entry) bool
	// placed is called when an entry of a client's has got its place.
	placed(now world.Time, m *member, position uint64, out *mechanism.Outbox)
	// looked is called when a client asks how some objects are, or all of them.
	looked(now world.Time, m *member, ids world.Set, all bool, out *mechanism.Outbox)
	// push sends what is due.
	push(now world.Time, out *mechanism.Outbox)
	// next is when something is due.
	next() world.Time
	// floor is a position up to which a client will never be sent anything to carry out.
	floor(m *member) uint64
	// keep is the first position that is still needed.
	keep() uint64
	// stands notes where a client's user is.
	stands(now world.Time, m *member, p *place)
	// left is called when a client is gone.
	left(m *member)
}

func newProtocol(n *server) protocol {
	b := basic{n}
	i := incomplete{b}
	switch n.config.Protocol {
	case Basic:
		return b
	case Incomplete:
		return i
	}
	f := newFirstBound(i)
	if n.config.Protocol == FirstBound {
		return f
	}
	return newInformationBound(f)
}

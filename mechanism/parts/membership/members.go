package membership

import (
	"iter"

	"throng/mechanism"
	"throng/world"
)

// Member is what a server knows of any client. Mechanisms embed it in what else they know of one.
type Member struct {
	Node     mechanism.NodeID
	User     world.User
	Identity Identity
	Heard    world.Time // when it last said something
	Allowance

	index int // in the list
}

func (m *Member) common() *Member { return m }

// Silent reports whether a member has not been heard of for longer than a server's patience.
func (m *Member) Silent(now, patience world.Time) bool { return now-m.Heard > patience }

// Entry is a pointer to a struct that embeds a Member.
type Entry interface {
	comparable
	common() *Member
}

// Members is a server's end: the clients that have joined.
type Members[M Entry] struct {
	seats    Seats
	patience world.Time
	list     []M
	nodes    []mechanism.NodeID // of those in the list
	users    ByUser[M]
	departed map[world.User]departure
	order    []departed // each of them once, about as they went, from the first on
	first    int
}

// departure is how somebody was known who has left.
type departure struct {
	identity Identity
	at       world.Time
}

type departed struct {
	user world.User
	at   world.Time
}

// NewMembers returns the members of a server that has none yet. For as long as its patience lasts it remembers who has left.
func NewMembers[M Entry](s Seats, patience world.Time) Members[M] {
	return Members[M]{seats: s, patience: patience, departed: map[world.User]departure{}}
}

// Len is how many members there are.
func (m *Members[M]) Len() int { return len(m.list) }

// All are the members, in the order of their coming, except that the last takes the place of one who leaves. Who goes through
// them backwards may remove the one at hand. For reading, until somebody joins or leaves.
func (m *Members[M]) All() []M { return m.list }

// Nodes are the members' nodes, in the same order.
func (m *Members[M]) Nodes() []mechanism.NodeID { return m.nodes }

// Seats says where members may be.
func (m *Members[M]) Seats() Seats { return m.seats }

// At returns the member at a node, or nil.
func (m *Members[M]) At(id mechanism.NodeID) M { return m.users.Get(m.seats.User(id)) }

// Of returns a user's client, or nil.
func (m *Members[M]) Of(u world.User) M { return m.users.Get(u) }

// Silent goes through the members that have not been heard of for too long. They may be removed on the way.
func (m *Members[M]) Silent(now world.Time) iter.Seq[M] {
	return func(yield func(M) bool) {
		for i := len(m.list) - 1; i >= 0; i-- {
			if x := m.list[i]; x.common().Silent(now, m.patience) && !yield(x) {
				return
			}
		}
	}
}

// Verdict is what a server makes of a client that asks to be let in.
type Verdict uint8

// The verdicts.
const (
	Refused Verdict = iota // nobody may be there, or not that user
	Stale                  // it is of an earlier life than the one known here, or of one that has left
	Known                  // it is a member already, and has not heard so: tell it again
	Welcome                // it is to be let in, in the place of its earlier life if there is one
)

// Judge says what to make of a client that asks to be let in. It returns what is known of it, or of an earlier life of it, if
// anything.
func (m *Members[M]) Judge(now world.Time, from mechanism.NodeID, u world.User, i Identity) (was M, v Verdict) {
	var none M
	if u == 0 || m.seats.User(from) != u {
		return none, Refused
	}
	m.forget(now)
	was = m.users.Get(u)
	if was == none {
		if d, ok := m.departed[u]; ok && !i.After(d.identity) {
			return none, Stale
		}
		return none, Welcome
	}
	switch x := was.common(); {
	case x.Identity == i:
		x.Heard = now
		return was, Known
	case x.Identity.After(i):
		return was, Stale
	}
	return was, Welcome
}

// Leaver takes a farewell and returns the member whom it is from, who has to be removed. There is none if it has left before,
// or was never let in; should its request come after all, it is too late.
func (m *Members[M]) Leaver(now world.Time, from mechanism.NodeID, i Identity) M {
	var none M
	u := m.seats.User(from)
	if u == 0 {
		return none
	}
	if x := m.users.Get(u); x != none && !x.common().Identity.After(i) {
		x.common().Identity = i
		return x
	}
	m.depart(now, u, i)
	return none
}

// Add makes somebody a member, of whom nothing is known or who has been removed.
func (m *Members[M]) Add(x M) {
	c := x.common()
	c.index = len(m.list)
	m.list = append(m.list, x)
	m.nodes = append(m.nodes, c.Node)
	m.users.Set(c.User, x)
}

// Remove makes somebody one who has left.
func (m *Members[M]) Remove(now world.Time, x M) {
	var none M
	c, last := x.common(), len(m.list)-1
	moved := m.list[last]
	m.list[c.index], m.nodes[c.index] = moved, m.nodes[last]
	moved.common().index = c.index
	m.list[last] = none
	m.list, m.nodes = m.list[:last], m.nodes[:last]
	m.users.Set(c.User, none)
	m.depart(now, c.User, c.Identity)
}

// depart remembers that a user has left, as somebody or in an earlier life.
func (m *Members[M]) depart(now world.Time, u world.User, i Identity) {
	m.forget(now)
	d, known := m.departed[u]
	if !known {
		m.order = append(m.order, departed{u, now})
	}
	if !known || i.After(d.identity) {
		d.identity = i
	}
	d.at = now
	m.departed[u] = d
}

// forget forgets those who left so long ago that nothing they said can be under way any more.
func (m *Members[M]) forget(now world.Time) {
	for ; m.first < len(m.order) && now-m.order[m.first].at > m.patience; m.first++ {
		u := m.order[m.first].user
		if at := m.departed[u].at; now-at > m.patience {
			delete(m.departed, u)
		} else {
			m.order = append(m.order, departed{u, at}) // it has left again since
		}
	}
	if m.first > len(m.order)/2 {
		m.order = m.order[:copy(m.order, m.order[m.first:])]
		m.first = 0
	}
}

// Bytes is the memory that finding members takes, about.
func (m *Members[M]) Bytes() int { return 16*len(m.list) + 8*len(m.users.low) + 40*len(m.order) }

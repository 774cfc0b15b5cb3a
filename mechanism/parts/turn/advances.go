package turn

import (
	"slices"

	"throng/mechanism"
)

// Advances keeps track of who is done with which turn, for the one who orders: a turn can be closed when every member is
// done with the turn in which they could last add to it, which is earlier by the member's delay.
//
// The zero Advances has no members and waits for nobody. A turn-advance costs the same however many members there are;
// going on to the next turn costs in proportion to their number.
type Advances struct {
	next    Number   // the turn to be closed next
	waiting int      // how many members are missing for it
	members []member // by ID
}

type member struct {
	id     mechanism.NodeID
	done   Number // the last turn that it is done with, one before the first if none
	delay  Number
	effect Number // the turn in which its latest actions take effect
}

// reach is the last turn that a member adds nothing more to.
func (m *member) reach() Number { return m.done + m.delay }

func (a *Advances) find(id mechanism.NodeID) (int, bool) {
	return slices.BinarySearchFunc(a.members, id, func(m member, id mechanism.NodeID) int { return int(m.id) - int(id) })
}

// Begin says that a turn is the first to be closed.
func (a *Advances) Begin(next Number) {
	a.next = next
	a.count()
}

// Add begins to wait for a member, whose next turn-advance is for a turn, or goes on with one from there. Its actions take
// effect after a delay, which is one turn at least.
func (a *Advances) Add(id mechanism.NodeID, first, delay Number) {
	i, known := a.find(id)
	if !known {
		a.members = slices.Insert(a.members, i, member{})
	}
	a.members[i] = member{id: id, done: first - 1, delay: delay}
	a.count()
}

// Remove ceases to wait for a member.
func (a *Advances) Remove(id mechanism.NodeID) {
	if i, known := a.find(id); known {
		a.members = slices.Delete(a.members, i, i+1)
		a.count()
	}
}

// Has reports whether somebody is waited for at all.
func (a *Advances) Has(id mechanism.NodeID) bool {
	_, known := a.find(id)
	return known
}

// Take notes that a member is done with a turn, and with all before. It returns the turn in which the actions take effect
// that the member took in it, and false if that is not the member's next turn-advance.
func (a *Advances) Take(id mechanism.NodeID, n Number) (effect Number, ok bool) {
	i, known := a.find(id)
	if !known || a.members[i].done+1 != n {
		return 0, false
	}
	m := &a.members[i]
	short := m.reach() < a.next
	m.done = n
	if short && m.reach() >= a.next {
		a.waiting--
	}
	m.effect = max(m.reach(), m.effect, a.next)
	return m.effect, true
}

// Delay is how many turns a member's actions wait for their effect, or zero where there is no such member.
func (a *Advances) Delay(id mechanism.NodeID) Number {
	if i, known := a.find(id); known {
		return a.members[i].delay
	}
	return 0
}

// SetDelay has a member's actions wait for as many turns from its next turn-advance on. Where a delay grows, turns pass to
// which the member adds nothing; where it shrinks, several of its turns take effect in one. So nothing overtakes what the
// member did before, and nobody has to wait.
func (a *Advances) SetDelay(id mechanism.NodeID, delay Number) {
	if i, known := a.find(id); known {
		a.members[i].delay = delay
		a.count()
	}
}

// Next is the turn to be closed next, and whether that can be done.
func (a *Advances) Next() (n Number, complete bool) { return a.next, a.waiting == 0 }

// Close goes on to the turn after the next one.
func (a *Advances) Close() {
	a.next++
	a.count()
}

// Late appends those who are missing for the turn to be closed next.
func (a *Advances) Late(dst []mechanism.NodeID) []mechanism.NodeID {
	for i := range a.members {
		if m := &a.members[i]; m.reach() < a.next {
			dst = append(dst, m.id)
		}
	}
	return dst
}

// IsLate reports whether a member is missing for it.
func (a *Advances) IsLate(id mechanism.NodeID) bool {
	i, known := a.find(id)
	return known && a.members[i].reach() < a.next
}

// Len is how many members there are.
func (a *Advances) Len() int { return len(a.members) }

func (a *Advances) count() {
	a.waiting = 0
	for i := range a.members {
		if a.members[i].reach() < a.next {
			a.waiting++
		}
	}
}

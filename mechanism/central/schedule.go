package central

import "throng/world"

// schedule says when which members are served: the time between two updates is cut into slots, and each member belongs to one.
type schedule struct {
	interval world.Time
	slots    [][]*member
	turn     int64 // the next slot, counted from time zero
	members  int
	fixed    bool // there are to be as many slots as there are
}

const (
	slotsFew  = 10                      // slots for a few members
	slotFull  = 25                      // how many share one before all are cut in two
	slotLeast = 500 * world.Microsecond // the shortest: to wake more often costs more than it brings
)

// newSchedule returns a schedule with a number of slots, or with as many as suit its members for zero.
func newSchedule(interval world.Time, slots int) schedule {
	r := schedule{interval: interval, fixed: slots > 0}
	if !r.fixed {
		slots = slotsFew
	}
	r.slots = make([][]*member, slots)
	return r
}

// add gives a member a slot: the one with the fewest.
func (r *schedule) add(m *member) {
	least := 0
	for i := range r.slots {
		if len(r.slots[i]) < len(r.slots[least]) {
			least = i
		}
	}
	r.put(m, least)
	if !r.fixed && r.members > slotFull*len(r.slots) && r.interval >= world.Time(2*len(r.slots))*slotLeast {
		r.split()
	}
}

func (r *schedule) put(m *member, slot int) {
	m.slot = slot
	r.slots[slot] = append(r.slots[slot], m)
	r.members++
}

// split cuts each slot in two: every other member is served half a slot later from now on.
func (r *schedule) split() {
	r.turn *= 2
	before := r.slots
	r.slots = make([][]*member, 2*len(before))
	for i, slot := range before {
		for j, m := range slot {
			m.slot = 2*i + j%2
			r.slots[m.slot] = append(r.slots[m.slot], m)
		}
	}
}

// strayMost is how often in a row a member is heard from long before its slot until it gets another.
const strayMost = 8

// follow has a member served soon after it is heard from, as most are at about the same time in every interval: its user sees sooner
// what has come of an action, and what is known of the member is still at hand. Slots stay even. A few members are not worth it.
func (r *schedule) follow(m *member, now world.Time) {
	n := len(r.slots)
	if r.fixed || n == slotsFew {
		return
	}
	soon := int(now%r.interval*world.Time(n)/r.interval) + 1
	if wait := (m.slot - soon + 2*n) % n; wait <= n/8 {
		m.strayed = 0
		return
	}
	if m.strayed++; m.strayed < strayMost {
		return
	}
	m.strayed = 0
	for i := range n / 8 {
		to := (soon + i) % n
		if len(r.slots[to]) <= r.members/n {
			r.remove(m)
			r.put(m, to)
			return
		}
	}
}

// remove takes a member out of its slot.
func (r *schedule) remove(m *member) {
	slot := r.slots[m.slot]
	for i := range slot {
		if slot[i] == m {
			slot[i] = slot[len(slot)-1]
			slot[len(slot)-1] = nil
			r.slots[m.slot] = slot[:len(slot)-1]
			r.members--
			return
		}
	}
}

// at is when a turn comes.
func (r *schedule) at(turn int64) world.Time {
	n := int64(len(r.slots))
	return world.Time(turn/n)*r.interval + world.Time(turn%n)*r.interval/world.Time(n)
}

// next is when the next slot with a member comes, or never.
func (r *schedule) next() world.Time {
	n := int64(len(r.slots))
	for turn := r.turn; turn < r.turn+n; turn++ {
		if len(r.slots[turn%n]) > 0 {
			return r.at(turn)
		}
	}
	return world.Never
}

// take returns the members whose turn has come by now, one slot at a time, and nil when there are none left. Who comes too
// late finds each slot once, not once for each turn that was missed.
func (r *schedule) take(now world.Time) []*member {
	n := int64(len(r.slots))
	reached := int64(now/r.interval)*n + int64(now%r.interval*world.Time(n)/r.interval)
	r.turn = max(r.turn, reached-n+1)
	for r.at(r.turn) <= now {
		r.turn++
		if slot := r.slots[(r.turn-1)%n]; len(slot) > 0 {
			return slot
		}
	}
	return nil
}

package loose

import (
	"cmp"
	"slices"

	"throng/world"
)

// entry is what a host remembers of one object besides its state.
type entry struct {
	id    world.ID
	heard world.Tick // when the newest update for it was sent, by this host or another; -1 before the first
	since world.Tick // when the host first saw it
	mine  bool       // whether the host answers for it
	told  bool       // whether everybody knows of it
	again uint8      // how many more full updates are to say that it was removed
}

// ledger is a host's memory of all objects, and for a while of those that are gone.
//
// Once a tick the host walks through the world and the ledger side by side, both in the order of IDs: begin, at for each
// object in turn, end. So it notices what is new and what is gone without searching.
type ledger struct {
	entries []entry
	next    []entry // the ledger as it will be after the walk
	walked  int
	now     world.Tick
	keep    world.Tick // for how long what is gone is remembered
}

// begin starts a walk.
func (l *ledger) begin(now world.Tick) {
	l.next, l.walked, l.now = l.next[:0], 0, now
}

// at returns the entry of the walk's next object. It may be changed until the walk goes on.
func (l *ledger) at(id world.ID) *entry {
	l.pass(id)
	if l.walked < len(l.entries) && l.entries[l.walked].id == id {
		l.next = append(l.next, l.entries[l.walked])
		l.walked++
	} else {
		l.next = append(l.next, entry{id: id, heard: -1, since: l.now})
	}
	e := &l.next[len(l.next)-1]
	e.again = 0
	return e
}

// end finishes the walk.
func (l *ledger) end() {
	for ; l.walked < len(l.entries); l.walked++ {
		l.gone(&l.entries[l.walked])
	}
	l.entries, l.next = l.next, l.entries
}

// pass goes by the entries before id, whose objects the walk has not met.
func (l *ledger) pass(id world.ID) {
	for ; l.walked < len(l.entries) && l.entries[l.walked].id < id; l.walked++ {
		l.gone(&l.entries[l.walked])
	}
}

// gone deals with an entry whose object is no longer there. If the host answered for it, others are to be told.
func (l *ledger) gone(e *entry) {
	if e.mine {
		e.mine, e.heard, e.again = false, l.now, removalRepeats
	}
	if e.again > 0 || l.now-e.heard <= l.keep {
		l.next = append(l.next, *e)
	}
}

// find returns the entry for an object outside a walk, and makes one if there is none. It holds until the next call.
func (l *ledger) find(id world.ID, now world.Tick) *entry {
	// Where objects are numbered without gaps, as many are, the place can be told from the ID.
	if len(l.entries) > 0 {
		if guess := uint64(id - l.entries[0].id); guess < uint64(len(l.entries)) && l.entries[guess].id == id {
			return &l.entries[guess]
		}
	}
	i, ok := slices.BinarySearchFunc(l.entries, id, func(e entry, id world.ID) int { return cmp.Compare(e.id, id) })
	if !ok {
		l.entries = slices.Insert(l.entries, i, entry{id: id, heard: -1, since: now})
	}
	return &l.entries[i]
}

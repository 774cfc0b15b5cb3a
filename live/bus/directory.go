package bus

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// epochSkip is how many people may have taken a place one after the other between a member's last beat and its death.
const epochSkip = 1 << 10

// directory is what the first process knows about the others: who they are and which users' places they hold. It has no clock;
// it is for one goroutine at a time.
type directory struct {
	patience time.Duration
	places   map[mechanism.NodeID]world.User // those that the run began with and that have users
	numbers  numbers

	last    uint32 // the number of the latest member
	members map[uint32]*holder
	leases  map[mechanism.NodeID]*lease // of places that are not held by the first process
}

// holder is a member.
type holder struct {
	number  uint32
	name    string
	heard   time.Time
	users   span
	highest world.User // the greatest number that it has given to a user, as far as is known
	shared  bool       // it was given its share
	beating bool       // it has beaten, and so hears what it is told
	beats   int
}

// lease is a place that a member holds.
type lease struct {
	member  uint32
	duty    hub.Duty
	beat    int       // the member's last one that told of it
	missing time.Time // since when the member does not tell of it; zero if it does
}

func newDirectory(places []mechanism.Place, users world.User, patience time.Duration) *directory {
	e := &directory{
		patience: patience,
		places:   map[mechanism.NodeID]world.User{},
		members:  map[uint32]*holder{},
		leases:   map[mechanism.NodeID]*lease{},
	}
	for _, p := range places {
		if p.User != 0 {
			e.places[p.ID] = p.User
		}
	}
	// A user's node may have a greater number than the user.
	e.numbers.all = span{users + 1, hub.NodesMax - world.User(len(places))}
	return e
}

// join takes a member in.
func (e *directory) join(name string, now time.Time) (*holder, error) {
	users, err := e.numbers.take()
	if err != nil {
		return nil, err
	}
	e.last++
	t := &holder{number: e.last, name: name, heard: now, users: users}
	e.members[t.number] = t
	return t, nil
}

// claim is what a process has to give so that a newcomer gets its share.
type claim struct {
	member uint32 // zero for the first process
	count  int
}

// claims divides players fairly: every process shall have as many, the newcomer included. Detached is how many artificial
// players the first process has.
func (e *directory) claims(newcomer uint32, own int) []claim {
	counts := []claim{{0, own}}
	for _, number := range slices.Sorted(maps.Keys(e.members)) {
		if number != newcomer {
			counts = append(counts, claim{number, e.count(number)})
		}
	}
	total := 0
	for _, c := range counts {
		total += c.count
	}
	share := total / (len(counts) + 1)
	wanted := share
	var claims []claim
	for _, c := range counts {
		if n := min(c.count-share, wanted); n > 0 {
			claims = append(claims, claim{c.member, n})
			wanted -= n
		}
	}
	return claims
}

// count is how many of the places that the run began with a member holds.
func (e *directory) count(number uint32) (n int) {
	for id, t := range e.leases {
		if _, original := e.places[id]; original && t.member == number {
			n++
		}
	}
	return n
}

// grant notes that a member is given places, of which it has yet to tell within the patience.
func (e *directory) grant(number uint32, duties []hub.Duty, now time.Time) {
	for _, d := range duties {
		e.leases[d.Node] = &lease{member: number, duty: d, missing: now}
	}
}

// endow notes that a member has places from the beginning, of which it tells once it has begun.
func (e *directory) endow(number uint32, places []mechanism.Place) {
	e.members[number].shared = true
	for _, p := range places {
		if p.User != 0 {
			e.leases[p.ID] = &lease{member: number, duty: hub.Duty{Node: p.ID, User: p.User, Epoch: 1}}
		}
	}
}

// beat notes that a member lives. It returns nil if there is no such member, and whether it has never beaten before.
func (e *directory) beat(number uint32, now time.Time) (t *holder, first bool) {
	t = e.members[number]
	if t != nil {
		first = !t.beating
		t.heard, t.beating = now, true
	}
	return t, first
}

// beating is how many members can be told something.
func (e *directory) beating() (n int) {
	for _, t := range e.members {
		if t.beating {
			n++
		}
	}
	return n
}

// report notes what a member holds. It reports whether all of that can be; what cannot is left out.
func (e *directory) report(number uint32, duties []hub.Duty, now time.Time) (sound bool) {
	t := e.members[number]
	t.beats++
	sound = true
	for _, d := range duties {
		sound = e.note(t, d) && sound
	}
	for id, held := range e.leases {
		switch _, original := e.places[id]; {
		case held.member != number || held.beat == t.beats:
		case !original:
			delete(e.leases, id) // its user has left
		case held.missing.IsZero():
			held.missing = now
		}
	}
	return sound
}

// note takes one duty of a member.
func (e *directory) note(t *holder, d hub.Duty) (sound bool) {
	held := e.leases[d.Node]
	user, original := e.places[d.Node]
	switch {
	case original && user != d.User, !original && !t.users.holds(d.User):
		return false
	case held == nil && original, held != nil && held.member != t.number:
		return true // it was given to somebody else meanwhile
	case held == nil:
		held = &lease{member: t.number}
		e.leases[d.Node] = held
	}
	if !original {
		t.highest = max(t.highest, d.User)
	}
	held.duty, held.beat, held.missing = d, t.beats, time.Time{}
	return true
}

// release notes that a member has given places up. It returns those that were its own.
func (e *directory) release(number uint32, duties []hub.Duty) []hub.Duty {
	return slices.DeleteFunc(duties, func(d hub.Duty) bool {
		held := e.leases[d.Node]
		if held == nil || held.member != number {
			return true
		}
		delete(e.leases, d.Node)
		return false
	})
}

// leave lets a member go and returns the places that are to be taken over. Final is what it held in the end.
func (e *directory) leave(number uint32, final []hub.Duty, now time.Time) []hub.Duty {
	if e.members[number] == nil {
		return nil
	}
	e.report(number, final, now)
	return e.remove(number, 0)
}

// remove forgets a member and returns what it held.
func (e *directory) remove(number uint32, skip uint32) []hub.Duty {
	t := e.members[number]
	delete(e.members, number)
	e.numbers.giveBack(t.users, t.highest)
	return e.take(skip, func(held *lease) bool { return held.member == number })
}

// expire returns the members that have been silent for too long, now forgotten, and the places that nobody holds any more.
func (e *directory) expire(now time.Time) (dead []uint32, orphans []hub.Duty) {
	for _, number := range slices.Sorted(maps.Keys(e.members)) {
		if now.Sub(e.members[number].heard) >= e.patience {
			dead = append(dead, number)
			orphans = append(orphans, e.remove(number, epochSkip)...)
		}
	}
	lost := func(held *lease) bool { return !held.missing.IsZero() && now.Sub(held.missing) >= e.patience }
	return dead, append(orphans, e.take(epochSkip, lost)...)
}

// take takes out the places of which want is true, in the order of their nodes.
func (e *directory) take(skip uint32, want func(*lease) bool) []hub.Duty {
	var duties []hub.Duty
	for id, held := range e.leases {
		if want(held) {
			delete(e.leases, id)
			held.duty.Epoch += skip
			duties = append(duties, held.duty)
		}
	}
	slices.SortFunc(duties, func(a, b hub.Duty) int { return cmp.Compare(a.Node, b.Node) })
	return duties
}

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

// estate is what the first process knows about the others: who they are and which users' places they hold. It has no clock;
// it is for one goroutine at a time.
type estate struct {
	patience time.Duration
	places   map[mechanism.NodeID]world.User // those that the run began with and that have users
	numbers  numbers

	last    uint32 // the number of the latest member
	members map[uint32]*tenant
	holders map[mechanism.NodeID]*tenure // of places that are not held by the first process
}

// tenant is a member.
type tenant struct {
	number  uint32
	name    string
	heard   time.Time
	users   span
	highest world.User // the greatest number that it has given to a user, as far as is known
	shared  bool       // it was given its share
	beating bool       // it has beaten, and so hears what it is told
	beats   int
}

// tenure is a place that a member holds.
type tenure struct {
	member  uint32
	duty    hub.Duty
	beat    int       // the member's last one that told of it
	missing time.Time // since when the member does not tell of it; zero if it does
}

func newEstate(places []mechanism.Place, users world.User, patience time.Duration) *estate {
	e := &estate{
		patience: patience,
		places:   map[mechanism.NodeID]world.User{},
		members:  map[uint32]*tenant{},
		holders:  map[mechanism.NodeID]*tenure{},
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
func (e *estate) join(name string, now time.Time) (*tenant, error) {
	users, err := e.numbers.take()
	if err != nil {
		return nil, err
	}
	e.last++
	t := &tenant{number: e.last, name: name, heard: now, users: users}
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
func (e *estate) claims(newcomer uint32, own int) []claim {
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
func (e *estate) count(number uint32) (n int) {
	for id, t := range e.holders {
		if _, original := e.places[id]; original && t.member == number {
			n++
		}
	}
	return n
}

// grant notes that a member is given places, of which it has yet to tell within the patience.
func (e *estate) grant(number uint32, duties []hub.Duty, now time.Time) {
	for _, d := range duties {
		e.holders[d.Node] = &tenure{member: number, duty: d, missing: now}
	}
}

// endow notes that a member has places from the beginning, of which it tells once it has begun.
func (e *estate) endow(number uint32, places []mechanism.Place) {
	e.members[number].shared = true
	for _, p := range places {
		if p.User != 0 {
			e.holders[p.ID] = &tenure{member: number, duty: hub.Duty{Node: p.ID, User: p.User, Epoch: 1}}
		}
	}
}

// beat notes that a member lives. It returns nil if there is no such member, and whether it has never beaten before.
func (e *estate) beat(number uint32, now time.Time) (t *tenant, first bool) {
	t = e.members[number]
	if t != nil {
		first = !t.beating
		t.heard, t.beating = now, true
	}
	return t, first
}

// beating is how many members can be told something.
func (e *estate) beating() (n int) {
	for _, t := range e.members {
		if t.beating {
			n++
		}
	}
	return n
}

// report notes what a member holds. It reports whether all of that can be; what cannot is left out.
func (e *estate) report(number uint32, duties []hub.Duty, now time.Time) (sound bool) {
	t := e.members[number]
	t.beats++
	sound = true
	for _, d := range duties {
		sound = e.note(t, d) && sound
	}
	for id, held := range e.holders {
		switch _, original := e.places[id]; {
		case held.member != number || held.beat == t.beats:
		case !original:
			delete(e.holders, id) // its user has left
		case held.missing.IsZero():
			held.missing = now
		}
	}
	return sound
}

// note takes one duty of a member.
func (e *estate) note(t *tenant, d hub.Duty) (sound bool) {
	held := e.holders[d.Node]
	user, original := e.places[d.Node]
	switch {
	case original && user != d.User, !original && !t.users.holds(d.User):
		return false
	case held == nil && original, held != nil && held.member != t.number:
		return true // it was given to somebody else meanwhile
	case held == nil:
		held = &tenure{member: t.number}
		e.holders[d.Node] = held
	}
	if !original {
		t.highest = max(t.highest, d.User)
	}
	held.duty, held.beat, held.missing = d, t.beats, time.Time{}
	return true
}

// release notes that a member has given places up. It returns those that were its own.
func (e *estate) release(number uint32, duties []hub.Duty) []hub.Duty {
	return slices.DeleteFunc(duties, func(d hub.Duty) bool {
		held := e.holders[d.Node]
		if held == nil || held.member != number {
			return true
		}
		delete(e.holders, d.Node)
		return false
	})
}

// leave lets a member go and returns the places that are to be taken over. Final is what it held in the end.
func (e *estate) leave(number uint32, final []hub.Duty, now time.Time) []hub.Duty {
	if e.members[number] == nil {
		return nil
	}
	e.report(number, final, now)
	return e.remove(number, 0)
}

// remove forgets a member and returns what it held.
func (e *estate) remove(number uint32, skip uint32) []hub.Duty {
	t := e.members[number]
	delete(e.members, number)
	e.numbers.giveBack(t.users, t.highest)
	return e.take(skip, func(held *tenure) bool { return held.member == number })
}

// expire returns the members that have been silent for too long, now forgotten, and the places that nobody holds any more.
func (e *estate) expire(now time.Time) (dead []uint32, orphans []hub.Duty) {
	for _, number := range slices.Sorted(maps.Keys(e.members)) {
		if now.Sub(e.members[number].heard) >= e.patience {
			dead = append(dead, number)
			orphans = append(orphans, e.remove(number, epochSkip)...)
		}
	}
	lost := func(held *tenure) bool { return !held.missing.IsZero() && now.Sub(held.missing) >= e.patience }
	return dead, append(orphans, e.take(epochSkip, lost)...)
}

// take takes out the places of which want is true, in the order of their nodes.
func (e *estate) take(skip uint32, want func(*tenure) bool) []hub.Duty {
	var duties []hub.Duty
	for id, held := range e.holders {
		if want(held) {
			delete(e.holders, id)
			held.duty.Epoch += skip
			duties = append(duties, held.duty)
		}
	}
	slices.SortFunc(duties, func(a, b hub.Duty) int { return cmp.Compare(a.Node, b.Node) })
	return duties
}

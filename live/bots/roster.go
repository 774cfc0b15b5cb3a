package bots

import (
	"sync"
	"sync/atomic"
	"time"

	"throng/world"
)

const (
	usersMax  = 1 << 17 // the greatest number of a user that is kept track of
	remembers = 64      // of how many of a user's actions it is known when they were taken
)

// roster is what is known of all users in this process, by whichever worker.
type roster struct {
	byUser [usersMax]atomic.Pointer[entry]

	mu  sync.Mutex
	all []*entry // in the order in which they joined
}

// entry is a user.
type entry struct {
	user    world.User
	index   int  // in the order of joining
	certain bool // whether the account of its place can be taken for the truth

	mu     sync.Mutex
	last   uint32 // the number of the last action
	taken  [remembers]time.Duration
	mine   world.Object // the user in the world, by its own account
	moment world.Time   // as of which
}

// add takes note of a user.
func (r *roster) add(u world.User, certain bool) *entry {
	e := &entry{user: u, certain: certain}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.index = len(r.all)
	r.all = append(r.all, e)
	if u < usersMax {
		r.byUser[u].Store(e)
	}
	return e
}

// find returns a user of this process, or nil.
func (r *roster) find(u world.User) *entry {
	if u >= usersMax {
		return nil
	}
	return r.byUser[u].Load()
}

// everybody returns all users so far.
func (r *roster) everybody() []*entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all
}

// act notes that the user has acted.
func (e *entry) act(seq uint32, now time.Duration) {
	e.mu.Lock()
	e.last = seq
	e.taken[seq%remembers] = now
	e.mu.Unlock()
}

// forget takes the last action back.
func (e *entry) forget() {
	e.mu.Lock()
	e.taken[e.last%remembers] = 0
	e.mu.Unlock()
}

// when is when the user took an action, if that is still known.
func (e *entry) when(seq uint32) (at time.Duration, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at = e.taken[seq%remembers]
	return at, at != 0 && seq <= e.last && e.last-seq < remembers
}

// between is how many actions the user has taken after one moment and before another, and when the last of them was, as far as is known.
func (e *entry) between(after, before time.Duration) (actions int64, last time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, at := range e.taken {
		if at != 0 && at > after && at < before {
			actions++
			last = max(last, at)
		}
	}
	return actions, last
}

// tell says where the user is at a moment of the world's time.
func (e *entry) tell(o *world.Object, moment world.Time) {
	e.mu.Lock()
	e.mine, e.moment = *o, moment
	e.mu.Unlock()
}

// ask returns what the user told last.
func (e *entry) ask(o *world.Object) (moment world.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*o = e.mine
	return e.moment
}

package assignment

import (
	"slices"

	"throng/world"
)

// Leases are clients that have been sent to servers and are not known to have come. They count with their servers meanwhile. Each
// client has one at most.
type Leases struct {
	Map  *Map
	Term world.Time // for how long a client is waited for

	pending []lease // in the order of their users
}

type lease struct {
	user   world.User
	server int
	view   View
	until  world.Time
}

// Grant assigns a user's client with a view to a server, any but one. A client that has a lease keeps it.
func (l *Leases) Grant(now world.Time, u world.User, v View, except int) (server int, ok bool) {
	if i, found := l.find(u); found {
		if server = l.pending[i].server; server != except && l.Map.Open(server) {
			return server, true
		}
		l.take(i)
	}
	server, ok = l.Map.Choose(v, except)
	if ok {
		l.Note(now, u, v, server)
	}
	return server, ok
}

// Note takes that a client has been sent to a server: by somebody else, or for other reasons than Grant has.
func (l *Leases) Note(now world.Time, u world.User, v View, server int) {
	i, found := l.find(u)
	if found {
		l.take(i)
	}
	l.Map.Add(server, v)
	l.pending = slices.Insert(l.pending, i, lease{u, server, v, now + l.Term})
}

func (l *Leases) find(u world.User) (int, bool) {
	return slices.BinarySearchFunc(l.pending, u, func(x lease, u world.User) int { return int(int64(x.user) - int64(u)) })
}

// take takes back one lease.
func (l *Leases) take(i int) {
	l.Map.Remove(l.pending[i].server, l.pending[i].view)
	l.pending = slices.Delete(l.pending, i, i+1)
}

// Confirm takes that a client has come to a server, whose monitor counts its view from now on, and reports whether it was expected.
func (l *Leases) Confirm(u world.User) bool {
	i, found := l.find(u)
	if found {
		l.take(i)
	}
	return found
}

// Expire takes back what is over.
func (l *Leases) Expire(now world.Time) (taken int) {
	for i := len(l.pending) - 1; i >= 0; i-- {
		if now >= l.pending[i].until {
			l.take(i)
			taken++
		}
	}
	return taken
}

// Bury takes back what was granted on a server that has died, and buries it.
func (l *Leases) Bury(server int) {
	for i := len(l.pending) - 1; i >= 0; i-- {
		if l.pending[i].server == server {
			l.take(i)
		}
	}
	l.Map.Bury(server)
}

// Pending is how many leases there are.
func (l *Leases) Pending() int { return len(l.pending) }

package assignment

import (
	"slices"

	"throng/world"
)

// Leases are clients that have been sent to servers and are not known to have come. They count with their servers meanwhile.
type Leases struct {
	Map  *Map
	Term world.Time // for how long a client is waited for

	pending []lease // in the order of their ends
	next    uint32
}

type lease struct {
	number uint32
	server int
	view   View
	until  world.Time
}

// Grant assigns a client with a view to a server, and returns the lease's number.
func (l *Leases) Grant(now world.Time, v View) (number uint32, server int, ok bool) {
	server, ok = l.Map.Best(v)
	if !ok {
		return 0, 0, false
	}
	l.Map.Add(server, v)
	l.next++
	l.pending = append(l.pending, lease{l.next, server, v, now + l.Term})
	return l.next, server, true
}

// Confirm takes that a client has come to its server, whose monitor counts its view from now on.
func (l *Leases) Confirm(number uint32) bool {
	i := slices.IndexFunc(l.pending, func(x lease) bool { return x.number == number })
	if i >= 0 {
		l.pending = slices.Delete(l.pending, i, i+1)
	}
	return i >= 0
}

// Expire takes back what is over, and what was granted on a server that has died.
func (l *Leases) Expire(now world.Time) (taken int) {
	l.pending = slices.DeleteFunc(l.pending, func(x lease) bool {
		alive := l.Map.servers[x.server].alive
		if alive && now < x.until {
			return false
		}
		if alive {
			l.Map.Remove(x.server, x.view)
		}
		taken++
		return true
	})
	return taken
}

// Pending is how many leases there are.
func (l *Leases) Pending() int { return len(l.pending) }

package area

import (
	"iter"
	"maps"
	"slices"

	"throng/world"
)

// Roster numbers the stays of users in the world: odd numbers are stays, even ones the time after, zero the time before the
// first. All servers keep one. Numbers only grow, so that whoever hears of one late knows what it has missed.
type Roster struct {
	stays map[world.User]uint32
}

// NewRoster returns the roster of a world at its start: whoever has something in it is there.
func NewRoster(start *world.State) *Roster {
	r := &Roster{stays: map[world.User]uint32{}}
	for o := range start.All() {
		if o.User != 0 {
			r.stays[o.User] = 1
		}
	}
	return r
}

// All goes through the stays of all who have ever been there, in the order of users.
func (r *Roster) All() iter.Seq2[world.User, uint32] {
	users := slices.Sorted(maps.Keys(r.stays))
	return func(yield func(world.User, uint32) bool) {
		for _, u := range users {
			if !yield(u, r.stays[u]) {
				return
			}
		}
	}
}

// Stay is the number of a user's present stay, or of the time after the last one.
func (r *Roster) Stay(u world.User) uint32 { return r.stays[u] }

// Present reports whether a user is in the world.
func (r *Roster) Present(u world.User) bool { return r.stays[u]&1 == 1 }

// Turn begins a stay or ends one, and returns its number.
func (r *Roster) Turn(u world.User) uint32 {
	r.stays[u]++
	return r.stays[u]
}

// Learn takes a number that somebody else knows. It reports whether that ends a stay: then what is here of the user must go.
func (r *Roster) Learn(u world.User, stay uint32) (ends bool) {
	was := r.stays[u]
	if stay <= was || u == 0 {
		return false
	}
	r.stays[u] = stay
	return was&1 == 1
}

// Over reports whether an object of a stay has no place in the world any more.
func (r *Roster) Over(u world.User, stay uint32) bool { return u != 0 && stay < r.stays[u] }

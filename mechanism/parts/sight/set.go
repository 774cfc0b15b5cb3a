package sight

import (
	"cmp"
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// Set is what one user sees. The zero Set is empty.
type Set struct {
	members []member // in the order of their IDs
	at      uint64   // as of which of the field's changes it is up to date
	around  patch    // where its user sees
	looked  uint32   // the field's count of comings and goings when it was last looked at
}

type member struct {
	id     world.ID
	handle int32 // what the keeper calls it
}

// Keeper keeps what somebody sees up to date.
type Keeper interface {
	Enter(id world.ID) (handle int32)
	Leave(handle int32)
}

// Len is how many objects there are in the set.
func (s *Set) Len() int { return len(s.members) }

// Has reports whether an object is in the set.
func (s *Set) Has(id world.ID) bool {
	_, ok := slices.BinarySearchFunc(s.members, id, func(m member, id world.ID) int { return cmp.Compare(m.id, id) })
	return ok
}

// HasAll reports whether all of some objects are in the set.
func (s *Set) HasAll(ids world.Set) bool {
	return !slices.ContainsFunc(ids, func(id world.ID) bool { return !s.Has(id) })
}

// Look brings a user's set up to date and tells the keeper of what entered and left, in the order of IDs. The user is to see
// as far as reach: as far as sight, or less; nothing but what is the user's own if that is zero.
func (f *Field) Look(u world.User, reach fixed.F, s *Set, k Keeper) {
	s.at = f.unrest.synced
	if f.Everything() && reach >= f.sight {
		if s.looked == f.changes+1 {
			return
		}
		s.looked = f.changes + 1
	}
	found := f.candidates(u, reach)
	if !f.everything {
		s.around = f.unrest.around(f.centres)
	}
	f.work += world.Work(len(found))
	if f.veil == nil && s.same(found) {
		return
	}
	was, now := s.members, f.now[:0]
	for _, id := range found {
		for len(was) > 0 && was[0].id < id {
			k.Leave(was[0].handle)
			was = was[1:]
		}
		in := len(was) > 0 && was[0].id == id
		switch visible := f.visible(u, reach, id, !in); {
		case in && visible:
			now = append(now, was[0])
		case in:
			k.Leave(was[0].handle)
		case visible:
			now = append(now, member{id, k.Enter(id)})
		}
		if in {
			was = was[1:]
		}
	}
	for i := range was {
		k.Leave(was[i].handle)
	}
	s.members = append(s.members[:0], now...)
	f.now = now
}

// same reports whether the set consists of just these objects.
func (s *Set) same(ids []world.ID) bool {
	if len(ids) != len(s.members) {
		return false
	}
	for i := range ids {
		if ids[i] != s.members[i].id {
			return false
		}
	}
	return true
}

// Bytes is the memory that the set holds.
func (s *Set) Bytes() int { return 16 * cap(s.members) }

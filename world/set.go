package world

import "slices"

// Set is a set of objects by their IDs, in order.
type Set []ID

// Has reports whether the set holds id.
func (s Set) Has(id ID) bool {
	_, ok := slices.BinarySearch(s, id)
	return ok
}

// Add puts id into the set.
func (s *Set) Add(id ID) {
	if i, ok := slices.BinarySearch(*s, id); !ok {
		*s = slices.Insert(*s, i, id)
	}
}

// Remove takes id out of the set.
func (s *Set) Remove(id ID) {
	if i, ok := slices.BinarySearch(*s, id); ok {
		*s = slices.Delete(*s, i, i+1)
	}
}

// Intersects reports whether the sets have a member in common.
func (s Set) Intersects(o Set) bool {
	for i, j := 0, 0; i < len(s) && j < len(o); {
		switch {
		case s[i] == o[j]:
			return true
		case s[i] < o[j]:
			i++
		default:
			j++
		}
	}
	return false
}

// Footprint is what an action may touch: what it reads and what it writes. Whatever it writes it may also read.
type Footprint struct {
	Reads, Writes Set
}

// Reset empties the footprint and keeps its memory.
func (f *Footprint) Reset() {
	f.Reads, f.Writes = f.Reads[:0], f.Writes[:0]
}

// Read adds an object that the action looks at.
func (f *Footprint) Read(id ID) { f.Reads.Add(id) }

// Write adds an object that the action may change.
func (f *Footprint) Write(id ID) {
	f.Reads.Add(id)
	f.Writes.Add(id)
}

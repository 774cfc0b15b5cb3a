package world

import (
	"fmt"
	"iter"
)

// State is a world at one moment: its objects, in the order of their IDs, and how many ticks have passed.
//
// States that descend from one another by CopyFrom or Clone share memory and must be used by one goroutine at a time.
// Pointers to objects that a State hands out hold until its next change; those from Get and All are for reading only.
type State struct {
	schema *Schema
	pool   *pool
	seed   uint64
	tick   Tick
	pages  []int32 // indices into the pool, in the order of the objects' IDs
	count  int
	spare  []int32 // the list of pages before the last mirror, for the next
}

// NewState returns an empty world at tick zero. All randomness in its rules derives from seed.
func NewState(schema *Schema, seed uint64) *State {
	return &State{schema: schema, pool: &pool{}, seed: seed}
}

// Schema describes the objects.
func (s *State) Schema() *Schema { return s.schema }

// Seed is what the randomness of the world's rules derives from.
func (s *State) Seed() uint64 { return s.seed }

// Tick is how many steps the world has taken.
func (s *State) Tick() Tick { return s.tick }

// SetTick moves the state in time without touching its objects, for replicas that take states over from elsewhere.
func (s *State) SetTick(t Tick) { s.tick = t }

// Len is how many objects there are.
func (s *State) Len() int { return s.count }

// Bytes is the memory that this state and all that share pages with it hold together.
func (s *State) Bytes() int { return s.pool.live * pageObjects * 128 }

// Clone returns a copy that shares everything with s until one of them changes.
func (s *State) Clone() *State {
	c := &State{pool: s.pool}
	c.CopyFrom(s)
	return c
}

// Detach returns a copy that shares nothing with s, so that another goroutine may use it.
func (s *State) Detach() *State {
	c := &State{pool: &pool{}}
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to from. Where they descend from one another this costs a few bytes per page of objects and
// allocates nothing once s has been as large before.
func (s *State) CopyFrom(from *State) {
	if s == from {
		return
	}
	s.Release()
	s.schema, s.seed, s.tick, s.count = from.schema, from.seed, from.tick, from.count
	if s.pool == from.pool {
		s.pages = append(s.pages, from.pages...)
		for _, p := range from.pages {
			s.pool.info[p].refs++
		}
		return
	}
	for _, p := range from.pages {
		c := s.pool.take()
		*s.pool.page(c) = *from.pool.page(p)
		s.pool.info[c].first, s.pool.info[c].n = from.pool.info[p].first, from.pool.info[p].n
		s.pages = append(s.pages, c)
	}
}

// mirror makes s equal to from, of the same pool, without sharing its pages: from can go on being edited in place, through
// pointers already handed out. It copies the pages in which the two differ.
func (s *State) mirror(from *State) {
	s.tick, s.count = from.tick, from.count
	info := s.pool.info
	old := s.pages
	s.pages, s.spare = s.spare[:0], s.pages
	for _, p := range from.pages {
		for len(old) > 0 && info[old[0]].first < info[p].first {
			s.pool.release(old[0])
			old = old[1:]
		}
		if len(old) > 0 && info[old[0]].stamp == info[p].stamp {
			s.pages = append(s.pages, old[0])
			old = old[1:]
			continue
		}
		s.pages = append(s.pages, s.pool.copyOf(p))
		info = s.pool.info
	}
	for _, p := range old {
		s.pool.release(p)
	}
}

// Release empties the state and gives its pages back. A state that is no longer needed is released so that its memory
// serves the next one.
func (s *State) Release() {
	for _, p := range s.pages {
		s.pool.release(p)
	}
	s.pages = s.pages[:0]
	s.count = 0
}

// find returns where the object with this ID is, or would be: the page's place in s.pages and the place in the page.
func (s *State) find(id ID) (at, in int, ok bool) {
	info := s.pool.info
	low, high := 0, len(s.pages)
	for low < high { // the last page whose first ID is not beyond id
		mid := int(uint(low+high) / 2)
		if info[s.pages[mid]].first <= id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return 0, 0, false
	}
	at = low - 1
	p := s.pages[at]
	objects := s.pool.page(p)
	n := int(info[p].n)
	low, high = 0, n
	for low < high {
		mid := int(uint(low+high) / 2)
		if objects[mid].ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return at, low, low < n && objects[low].ID == id
}

// Get returns an object for reading, or nil.
func (s *State) Get(id ID) *Object {
	at, in, ok := s.find(id)
	if !ok {
		return nil
	}
	return &s.pool.page(s.pages[at])[in]
}

// Edit returns an object for changing, or nil. Its ID must stay.
func (s *State) Edit(id ID) *Object {
	at, in, ok := s.find(id)
	if !ok {
		return nil
	}
	return &s.editPage(at)[in]
}

func (s *State) editPage(at int) *page {
	p := s.pages[at]
	if s.pool.info[p].refs > 1 {
		p = s.pool.own(p)
		s.pages[at] = p
	}
	s.pool.info[p].stamp = s.pool.stamp()
	return s.pool.page(p)
}

// Put adds an object, or replaces the one with its ID, and returns it for changing.
func (s *State) Put(o Object) *Object {
	if o.ID == 0 {
		panic("world: an object without an ID")
	}
	if int(o.Kind) >= len(s.schema.Kinds) {
		panic(fmt.Sprintf("world %s has no kind %d", s.schema.Name, o.Kind))
	}
	at, in, ok := s.find(o.ID)
	if ok {
		slot := &s.editPage(at)[in]
		*slot = o
		return slot
	}
	s.count++
	if len(s.pages) == 0 {
		s.pages = append(s.pages, s.pool.take())
	}
	if s.pool.info[s.pages[at]].n == pageObjects {
		at, in = s.split(at, in)
	}
	objects := s.editPage(at)
	info := &s.pool.info[s.pages[at]]
	copy(objects[in+1:info.n+1], objects[in:info.n])
	objects[in] = o
	info.n++
	info.first = objects[0].ID
	return &objects[in]
}

// split makes room in the full page at s.pages[at] for an object at place in, and returns where that place is now.
// Objects that come in the order of their IDs leave full pages behind; others leave pages half full.
func (s *State) split(at, in int) (int, int) {
	keep := pageObjects / 2
	if in == pageObjects {
		keep = pageObjects
	}
	objects := s.editPage(at)
	n := s.pool.take()
	upper := s.pool.page(n)
	moved := copy(upper[:], objects[keep:])
	low, high := &s.pool.info[s.pages[at]], &s.pool.info[n]
	low.n, high.n = int32(keep), int32(moved)
	high.first = upper[0].ID
	s.pages = append(s.pages, 0)
	copy(s.pages[at+2:], s.pages[at+1:])
	s.pages[at+1] = n
	if in > keep || in == pageObjects {
		return at + 1, in - keep
	}
	return at, in
}

// Remove takes an object out of the world and reports whether it was there.
func (s *State) Remove(id ID) bool {
	at, in, ok := s.find(id)
	if !ok {
		return false
	}
	s.count--
	objects := s.editPage(at)
	p := s.pages[at]
	info := &s.pool.info[p]
	copy(objects[in:info.n], objects[in+1:info.n])
	info.n--
	if info.n == 0 {
		s.pool.release(p)
		s.pages = append(s.pages[:at], s.pages[at+1:]...)
		return true
	}
	info.first = objects[0].ID
	s.join(at)
	return true
}

// join merges the page at s.pages[at] with the next one where both together are half a page: so a world that shrinks
// gives its memory back, and one that breathes does not split and join all the time.
func (s *State) join(at int) {
	if at+1 >= len(s.pages) {
		return
	}
	low, high := s.pages[at], s.pages[at+1]
	if s.pool.info[low].n+s.pool.info[high].n > pageObjects/2 {
		return
	}
	objects := s.editPage(at)
	info := &s.pool.info[s.pages[at]]
	info.n += int32(copy(objects[info.n:], s.pool.page(high)[:s.pool.info[high].n]))
	s.pool.release(high)
	s.pages = append(s.pages[:at+1], s.pages[at+2:]...)
}

// All runs through the objects in the order of their IDs, for reading. Objects may be edited on the way (by Edit), but
// none added or removed.
func (s *State) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for at := range s.pages {
			n := int(s.pool.info[s.pages[at]].n)
			for in := range n {
				if !yield(&s.pool.page(s.pages[at])[in]) {
					return
				}
			}
		}
	}
}

package world

import (
	"fmt"
	"iter"
	"slices"
)

// State is a world at one moment: its objects, in the order of their IDs, and how many ticks have passed.
//
// States that descend from one another by CopyFrom or Clone share memory and must be used by one goroutine at a time.
//
// A pointer to an object, as the methods return it, is for the moment. One for reading holds until the state is next
// changed. One for changing holds until an object is added or removed; it must not be written through once the state has
// been copied, compared, encoded or hashed, since those take what they saw for settled.
type State struct {
	schema *Schema
	pool   *pool
	seed   uint64
	dice   uint64
	tick   Tick
	pages  []ref    // in the order of the objects' IDs; none is empty
	latest []uint64 // the latest stamp in each block of blockPages pages
	count  int
	layout uint // counts additions and removals: while it stays, so do the objects' places
}

// blockPages is how many pages share an entry in latest, which lets what changed be found without looking at every page.
const blockPages = 64

// NewState returns an empty world at tick zero. All randomness in its rules derives from seed.
func NewState(schema *Schema, seed uint64) *State {
	return &State{schema: schema, pool: &pool{}, seed: seed}
}

// Schema describes the objects.
func (s *State) Schema() *Schema { return s.schema }

// Seed is what the randomness of the world's rules derives from.
func (s *State) Seed() uint64 { return s.seed }

// Dice is whose dice the rules roll in this state; zero, as at first, are those that all replicas have in common.
func (s *State) Dice() uint64 { return s.dice }

// SetDice gives a replica dice of its own, for hosts that decide about part of the world by themselves: with dice in common they
// would know beforehand what others are going to roll. Copies of the state roll the same; encoding leaves it out.
func (s *State) SetDice(whose uint64) { s.dice = whose }

// Tick is how many steps the world has taken.
func (s *State) Tick() Tick { return s.tick }

// SetTick moves the state in time without touching its objects, for replicas that take states over from elsewhere.
func (s *State) SetTick(t Tick) { s.tick = t }

// Len is how many objects there are.
func (s *State) Len() int { return s.count }

// Bytes is the memory that the objects of this state and of all that share memory with it take together.
func (s *State) Bytes() int { return s.pool.live * pageObjects * objectBytes }

// Size is the memory that the objects of this state take, whoever else holds them too.
func (s *State) Size() int { return len(s.pages) * pageObjects * objectBytes }

// SizeBeside is the memory that the objects of this state take beside those of another that it shares memory with.
func (s *State) SizeBeside(other *State) int {
	own := 0
	for i, r := range s.pages {
		if i >= len(other.pages) || other.pages[i].page != r.page || other.pool != s.pool {
			own++
		}
	}
	return own * pageObjects * objectBytes
}

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
// allocates nothing once s has been as large before; elsewhere it copies every object.
func (s *State) CopyFrom(from *State) {
	if s == from {
		return
	}
	if s.pool == from.pool {
		s.share(from)
	} else {
		s.Release()
		for _, r := range from.pages {
			c := s.pool.take()
			*s.pool.page(c) = *from.pool.page(r.page)
			s.pages = append(s.pages, ref{first: r.first, stamp: s.pool.stamp(), page: c, n: r.n})
		}
		s.noteStamps(0)
	}
	s.schema, s.seed, s.dice, s.tick, s.count = from.schema, from.seed, from.dice, from.tick, from.count
	s.layout++
}

// share makes s hold the pages of from. Those that it holds already, at the same place, need no counting.
func (s *State) share(from *State) {
	holds := s.pool.holds
	both := min(len(s.pages), len(from.pages))
	for i := range both {
		mine, theirs := &s.pages[i], &from.pages[i]
		if mine.page != theirs.page {
			holds[theirs.page]++
			s.pool.release(mine.page)
		}
		*mine = *theirs
	}
	for _, r := range s.pages[both:] {
		s.pool.release(r.page)
	}
	for _, r := range from.pages[both:] {
		holds[r.page]++
	}
	s.pages = append(s.pages[:both], from.pages[both:]...)
	s.latest = append(s.latest[:0], from.latest...)
}

// Release empties the state and gives its pages back. A state that is no longer needed is released so that its memory
// serves the next one.
func (s *State) Release() {
	for _, r := range s.pages {
		s.pool.release(r.page)
	}
	s.pages, s.latest = s.pages[:0], s.latest[:0]
	s.count = 0
	s.layout++
}

// object returns the object at a place that find or a loop over the pages has found.
func (s *State) object(at, in int) *Object { return &s.pool.page(s.pages[at].page)[in] }

// find returns where the object with this ID is, or would be: the page's place in s.pages and the place in the page.
func (s *State) find(id ID) (at, in int, ok bool) {
	if len(s.pages) == 0 || id < s.pages[0].first {
		return 0, 0, false
	}
	at = s.findPage(id)
	r := &s.pages[at]
	objects := s.pool.page(r.page)
	if gap := id - r.first; gap < ID(r.n) && objects[gap].ID == id {
		return at, int(gap), true // objects numbered without gaps, as many are
	}
	low, high := 0, int(r.n)
	for low < high {
		mid := int(uint(low+high) / 2)
		if objects[mid].ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return at, low, low < int(r.n) && objects[low].ID == id
}

// findPage returns the place of the last page whose first ID is not beyond id. There is one.
func (s *State) findPage(id ID) int {
	// Where objects are numbered without gaps, as many are, the page can be told from the ID.
	if guess := int(min(uint64(id-s.pages[0].first)/pageObjects, uint64(len(s.pages)-1))); s.pages[guess].first <= id &&
		(guess == len(s.pages)-1 || id < s.pages[guess+1].first) {
		return guess
	}
	at := 0
	for n := len(s.pages); n > 1; {
		half := n / 2
		if s.pages[at+half].first <= id {
			at += half
		}
		n -= half
	}
	return at
}

// Get returns an object for reading, or nil.
func (s *State) Get(id ID) *Object {
	at, in, ok := s.find(id)
	if !ok {
		return nil
	}
	return s.object(at, in)
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
	r := &s.pages[at]
	r.page = s.pool.own(r.page)
	s.stampPage(at)
	return s.pool.page(r.page)
}

// stampPage gives a page a new name, since its content changes.
func (s *State) stampPage(at int) {
	stamp := s.pool.stamp()
	s.pages[at].stamp = stamp
	s.latest[at/blockPages] = stamp
}

// noteStamps brings latest up to date after pages have come or gone at a place, so that those behind it have moved.
func (s *State) noteStamps(at int) {
	s.latest = s.latest[:min(len(s.latest), at/blockPages)]
	for rest := s.pages[len(s.latest)*blockPages:]; len(rest) > 0; {
		latest, n := uint64(0), min(blockPages, len(rest))
		for i := range n {
			latest = max(latest, rest[i].stamp)
		}
		s.latest = append(s.latest, latest)
		rest = rest[n:]
	}
}

// changedSince runs through the places of the pages that were given their stamps later than the given one.
func (s *State) changedSince(stamp uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for block, latest := range s.latest {
			if latest <= stamp {
				continue
			}
			first := block * blockPages
			for i, r := range s.pages[first:min(first+blockPages, len(s.pages))] {
				if r.stamp > stamp && !yield(first+i) {
					return
				}
			}
		}
	}
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
		old := &s.editPage(at)[in]
		*old = o
		return old
	}
	at, in = s.makeRoom(at, in)
	objects, r := s.editPage(at), &s.pages[at]
	copy(objects[in+1:r.n+1], objects[in:r.n])
	objects[in] = o
	r.n++
	r.first = objects[0].ID
	s.count++
	s.layout++
	return &objects[in]
}

// makeRoom finds room for one more object at a place, in the page there or a new one, and returns where the place is then.
func (s *State) makeRoom(at, in int) (int, int) {
	switch {
	case len(s.pages) == 0:
		s.addPage(0)
		return 0, 0
	case s.pages[at].n < pageObjects:
		return at, in
	case in == pageObjects: // objects that come in the order of their IDs leave full pages behind
		s.addPage(at + 1)
		return at + 1, 0
	}
	const keep = pageObjects / 2
	objects := s.editPage(at)
	s.addPage(at + 1)
	low, high := &s.pages[at], &s.pages[at+1]
	upper := s.pool.page(high.page)
	copy(upper[:], objects[keep:])
	low.n, high.n = keep, pageObjects-keep
	high.first = upper[0].ID
	if in > keep {
		return at + 1, in - keep
	}
	return at, in
}

// addPage puts a page without objects at a place in the list, for the caller to fill.
func (s *State) addPage(at int) {
	s.pages = slices.Insert(s.pages, at, ref{page: s.pool.take(), stamp: s.pool.stamp()})
	s.noteStamps(at)
}

// Remove takes an object out of the world and reports whether it was there.
func (s *State) Remove(id ID) bool {
	at, in, ok := s.find(id)
	if !ok {
		return false
	}
	s.count--
	s.layout++
	if s.pages[at].n == 1 {
		s.dropPage(at)
		return true
	}
	objects, r := s.editPage(at), &s.pages[at]
	copy(objects[in:r.n], objects[in+1:r.n])
	r.n--
	r.first = objects[0].ID
	s.join(at)
	s.join(at - 1)
	return true
}

// join merges the page at a place in the list with the next one where both together are half a page: so a world that
// shrinks gives its memory back, and one that breathes does not split and join all the time.
func (s *State) join(at int) {
	if at < 0 || at+1 >= len(s.pages) || s.pages[at].n+s.pages[at+1].n > pageObjects/2 {
		return
	}
	objects, low, high := s.editPage(at), &s.pages[at], &s.pages[at+1]
	copy(objects[low.n:], s.pool.page(high.page)[:high.n])
	low.n += high.n
	s.dropPage(at + 1)
}

func (s *State) dropPage(at int) {
	s.pool.release(s.pages[at].page)
	s.pages = slices.Delete(s.pages, at, at+1)
	s.noteStamps(at)
}

// All runs through the objects in the order of their IDs, for reading. Objects may be changed on the way (by Edit), but
// none added or removed.
func (s *State) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		layout := s.layout
		for at := range s.pages {
			for in := range int(s.pages[at].n) {
				if !yield(s.object(at, in)) {
					return
				}
				s.mustKeep(layout)
			}
		}
	}
}

// mustKeep panics if objects were added or removed during an iteration that began with the given layout. Going on would
// miss some objects and meet others twice; worse, the loop may still hold a pointer that now leads to another object.
func (s *State) mustKeep(layout uint) {
	if s.layout != layout {
		panic("world: objects added or removed while running through them")
	}
}

package sight

import (
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// Field is where everything is and what belongs to whom.
type Field struct {
	state      *world.State
	veil       world.Veiled // nil where everything in sight is visible
	index      *world.Index
	sight      fixed.F // how far users see
	margin     fixed.F // how much farther what they see may go before it leaves, as a share
	everything bool    // whether users see all there is
	placeless  []bool  // by kind
	owned      map[world.User]world.Set
	homeless   world.Set // objects without a place
	all        world.Set // every object; kept only where users see everything
	centres    []fixed.Vec
	found      []world.ID
	now        []member // scratch for a set that changes
	changes    uint32   // counts what came and went
	unrest     unrest
	work       world.Work
}

// NewField returns a field for a world as it is in a state, which stays the caller's and must be told of by Put, Remove and
// Sync. The margin is a share of sight.
func NewField(w world.World, s *world.State, margin fixed.F) *Field {
	schema := w.Schema()
	f := &Field{state: s, everything: true, owned: map[world.User]world.Set{}, placeless: Placeless(schema)}
	f.sight = schema.Bounds.Size().Len()
	if l, ok := w.(world.Limited); ok && l.Limits().Sight < f.sight {
		f.sight, f.everything = l.Limits().Sight, false
	}
	f.margin = margin
	f.veil, _ = w.(world.Veiled)
	side := f.sight
	if f.everything {
		side /= 32 // then queries are for what is nearest
	}
	f.index = world.NewIndex(side)
	f.unrest = newUnrest(schema.Bounds, f.sight+f.sight.Mul(margin))
	return f
}

// Placeless says which kinds of objects have no place.
func Placeless(s *world.Schema) []bool {
	placeless := make([]bool, len(s.Kinds))
	for i := range s.Kinds {
		placeless[i] = !slices.ContainsFunc(s.Kinds[i].Variables, func(v world.Variable) bool { return v.Slot <= world.SlotZ })
	}
	return placeless
}

// Sight is how far users see.
func (f *Field) Sight() fixed.F { return f.sight }

// Everything reports whether users see all there is.
func (f *Field) Everything() bool { return f.everything && f.veil == nil }

// Veiled reports whether not everything in sight is visible.
func (f *Field) Veiled() bool { return f.veil != nil }

// Placed reports whether an object has a place.
func (f *Field) Placed(o *world.Object) bool { return !f.placeless[o.Kind] }

// Change takes note of how an object has changed: Old is nil where it is new, New where it is gone.
func (f *Field) Change(c world.Change) {
	f.unrest.clock++
	f.stir(c.Old)
	f.stir(c.New)
	if c.Old != nil && c.New != nil && c.Old.User == c.New.User && c.Old.Kind == c.New.Kind {
		return
	}
	f.changes++
	if o := c.Old; o != nil {
		f.forget(o)
	}
	if o := c.New; o != nil {
		f.learn(o)
	}
}

// stir notes that an object was or is somewhere, if there is one.
func (f *Field) stir(o *world.Object) {
	switch {
	case o == nil:
	case f.placeless[o.Kind]:
		f.unrest.adrift = f.unrest.clock
	default:
		f.unrest.stir(o.Pos)
	}
}

func (f *Field) learn(o *world.Object) {
	if o.User != 0 {
		f.unrest.owners = f.unrest.clock
		own := f.owned[o.User]
		own.Add(o.ID)
		f.owned[o.User] = own
	}
	if f.placeless[o.Kind] {
		f.homeless.Add(o.ID)
	}
	if f.everything {
		f.all.Add(o.ID)
	}
}

func (f *Field) forget(o *world.Object) {
	if o.User != 0 {
		own := f.owned[o.User]
		own.Remove(o.ID)
		if f.owned[o.User] = own; len(own) == 0 {
			delete(f.owned, o.User)
		}
	}
	if f.placeless[o.Kind] {
		f.homeless.Remove(o.ID)
	}
	if f.everything {
		f.all.Remove(o.ID)
	}
}

// Sync notes where everything is now.
func (f *Field) Sync() {
	f.index.Sync(f.state)
	f.unrest.synced = f.unrest.clock
}

// Calm reports whether nothing that a user sees, or might, has changed since the user's set was last brought up to date. It may
// be false where that is not known.
func (f *Field) Calm(u world.User, s *Set) bool {
	r := &f.unrest
	switch {
	case s.at == 0 || f.veil != nil:
		return false
	case f.everything:
		return s.at == r.clock
	case r.adrift > s.at || !f.HasOwn(u, s):
		return false
	}
	return r.quiet(s.around, s.at)
}

// Centres are where a user sees from: the places of the user's objects. They hold until the next call.
func (f *Field) Centres(u world.User) []fixed.Vec {
	f.centres = f.centres[:0]
	for _, id := range f.owned[u] {
		if o := f.state.Get(id); o != nil && f.Placed(o) {
			f.centres = append(f.centres, o.Pos)
		}
	}
	return f.centres
}

// HasOwn reports whether all that belongs to a user is in the user's set.
func (f *Field) HasOwn(u world.User, s *Set) bool {
	return s.at >= f.unrest.owners || s.HasAll(f.owned[u])
}

// Owned is what belongs to a user.
func (f *Field) Owned(u world.User) world.Set { return f.owned[u] }

// candidates lists, in the order of their IDs, what may be within reach of a user: all that does not leave if it was.
func (f *Field) candidates(u world.User, reach fixed.F) []world.ID {
	if f.everything && reach >= f.sight {
		return f.all
	}
	f.found = f.found[:0]
	if reach > 0 {
		f.near(u, reach+reach.Mul(f.margin))
	}
	f.merge(f.owned[u])
	if reach > 0 {
		f.merge(f.homeless)
	}
	return f.found
}

// Near lists, in the order of their IDs, what is at most so far from where a user sees from: the user's own too. It holds until the
// next call.
func (f *Field) Near(u world.User, reach fixed.F) []world.ID {
	f.near(u, reach)
	f.work += world.Work(len(f.found))
	return f.found
}

func (f *Field) near(u world.User, reach fixed.F) {
	centres := f.Centres(u)
	f.found = f.found[:0]
	for _, c := range centres {
		f.found = append(f.found, f.index.Near(c, reach)...)
	}
	if len(centres) > 1 {
		slices.Sort(f.found)
		f.found = slices.Compact(f.found)
	}
}

// merge adds a set to what was found.
func (f *Field) merge(s world.Set) {
	n := len(f.found)
	for _, id := range s {
		if _, ok := slices.BinarySearch(f.found[:n], id); !ok {
			f.found = append(f.found, id)
		}
	}
	if len(f.found) > n {
		slices.Sort(f.found)
	}
}

// visible reports whether a user may see a candidate: whether it is within reach if it is to enter, and not veiled.
func (f *Field) visible(u world.User, reach fixed.F, id world.ID, enters bool) bool {
	if !enters && f.veil == nil {
		return true
	}
	o := f.state.Get(id)
	switch {
	case o == nil:
		return false
	case o.User == u:
		return true
	case f.veil != nil && !f.veil.Sees(f.state, u, o):
		return false
	case !enters || f.everything && reach >= f.sight || !f.Placed(o):
		return true
	}
	return slices.ContainsFunc(f.centres, func(c fixed.Vec) bool { return o.Pos.Within(c, reach) })
}

// TakeWork returns the work done since it was last asked: one for each object looked at.
func (f *Field) TakeWork() world.Work {
	done := f.work
	f.work = 0
	return done
}

// Bytes is the memory that the field holds, the index apart.
func (f *Field) Bytes() int {
	return 8*(cap(f.unrest.cells)+cap(f.homeless)+cap(f.all)+cap(f.found)) + 24*cap(f.centres) + 16*cap(f.now) + len(f.owned)*48
}

package world

import (
	"iter"

	"throng/world/fixed"
	"throng/world/random"
)

// Work counts what a computation costs: one unit for each object looked at or changed, plus what a world declares its
// actions to cost. The laboratory turns it into time on a simulated processor.
type Work int64

// Window is how rules see the world: objects that they may change, and objects that they may only see.
//
// A window is made once per replica and used for every step; it keeps the scratch memory that rules need.
type Window struct {
	state  *State
	may    func(*Object) bool // nil where everything may change
	index  *Index
	synced bool   // whether the index shows what Near is to see
	began  uint64 // the pool's clock when the current action or step began
	work   Work
}

// NewWindow returns a window on all of s, in which everything may change.
func NewWindow(s *State) *Window {
	w := &Window{}
	w.Look(s)
	return w
}

// Look turns the window to another state, or to the same one after it was changed from outside.
func (w *Window) Look(s *State) {
	w.state = s
	w.began = s.pool.clock
	w.synced = false
}

// Restrict leaves only the objects for which may returns true open to change. Nil opens all of them.
func (w *Window) Restrict(may func(*Object) bool) { w.may = may }

// State is what the window looks at, for reading.
func (w *Window) State() *State { return w.state }

// Schema describes the world's objects.
func (w *Window) Schema() *Schema { return w.state.schema }

// Tick is how many steps the world has taken.
func (w *Window) Tick() Tick { return w.state.tick }

// Do carries out an action. An action that comes from outside was checked by Schema.CheckAction before.
func (w *Window) Do(r Rules, a *Action) {
	w.begin()
	if c, ok := r.(Coster); ok {
		w.work += c.Cost(w.state, a)
	}
	switch a.Verb {
	case Enter, Leave:
		w.pass(r, a)
	default:
		r.Act(w, a)
	}
}

// pass lets a user in or out of a world that can be entered and left.
func (w *Window) pass(r Rules, a *Action) {
	in, ok := r.(Inhabited)
	switch {
	case !ok:
	case a.Verb == Enter:
		in.Enter(w, a.User)
	default:
		in.Leave(w, a.User)
	}
}

// Advance lets one tick pass.
func (w *Window) Advance(r Rules) {
	w.begin()
	r.Step(w)
	w.state.tick++
	w.synced = false
}

func (w *Window) begin() {
	w.began = w.state.pool.clock
	w.synced = false
}

// TakeWork returns the work done since it was last asked.
func (w *Window) TakeWork() Work {
	done := w.work
	w.work = 0
	return done
}

// Get returns an object for reading, or nil.
func (w *Window) Get(id ID) *Object {
	w.work++
	return w.state.Get(id)
}

// Edit returns an object for changing, or nil where it does not exist or may not be changed here.
func (w *Window) Edit(id ID) *Object {
	w.work++
	at, in, ok := w.find(id)
	if !ok {
		return nil
	}
	return &w.state.editPage(at)[in]
}

// find returns where an object is that may be changed here.
func (w *Window) find(id ID) (at, in int, ok bool) {
	at, in, ok = w.state.find(id)
	return at, in, ok && w.May(w.state.object(at, in))
}

// May reports whether an object of the state may be changed here: for rules that would look around for it in vain.
func (w *Window) May(o *Object) bool { return w.may == nil || w.may(o) }

// All runs through everything that can be seen, in the order of IDs, for reading.
func (w *Window) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for o := range w.state.All() {
			w.work++
			if !yield(o) {
				return
			}
		}
	}
}

// Open runs through everything that may be changed, in the order of IDs, for changing. Nothing may be added or removed on
// the way.
func (w *Window) Open() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		s, layout := w.state, w.state.layout
		for at := range s.pages {
			var objects *page // for changing, as soon as one of them is open
			for in := range int(s.pages[at].n) {
				w.work++
				if !w.May(s.object(at, in)) {
					continue
				}
				if objects == nil {
					objects = s.editPage(at)
				}
				if !yield(&objects[in]) {
					return
				}
				s.mustKeep(layout)
			}
		}
	}
}

// Refresh makes Near see where objects are now. It happens by itself at the first Near of every action and step; rules
// that move objects and then look again call it in between.
func (w *Window) Refresh() { w.synced = false }

// Near lists the objects within radius of centre in the order of their IDs, as of the last Refresh. The result holds until
// the next call. Its cost grows with what is near, and at the first look also with what has changed, not with the world.
func (w *Window) Near(centre fixed.Vec, radius fixed.F) []ID {
	if !w.synced {
		if w.index == nil {
			w.index = NewIndex(radius)
		}
		w.index.Sync(w.state)
		w.restamp()
		w.synced = true
	}
	found := w.index.Near(centre, radius)
	w.work += Work(len(found))
	return found
}

// restamp gives every page that was edited during this call a new name. Rules may still hold pointers into such a page and
// write through them after the index has seen it; under its old name the index would take it for unchanged.
func (w *Window) restamp() {
	for at := range w.state.changedSince(w.began) {
		w.state.stampPage(at)
	}
}

// Create makes a new object of a kind at the instigation of another, which where not everything may be changed must itself
// be open to change; else it returns nil. The new ID follows from the creator's, the tick and how many it has created in it
// that still exist, so that every replica finds the same one.
func (w *Window) Create(by ID, kind KindID) *Object {
	w.work++
	if _, _, ok := w.find(by); !ok && w.may != nil {
		return nil
	}
	// Counting per creator: objects that others create, or may not create here, make no difference.
	for n := uint64(1); ; n++ {
		id := ID(fold(uint64(by)^mixA, uint64(w.state.tick)<<16^n^mixB))
		if id != 0 && w.state.Get(id) == nil {
			return w.state.Put(Object{ID: id, Kind: kind})
		}
	}
}

// Put adds an object whose ID the rules choose themselves, such as that of a user who enters, or replaces the one with that
// ID. Where not everything may be changed, both the new and the old one must be open to change; else it returns nil.
func (w *Window) Put(o Object) *Object {
	w.work++
	if w.may != nil {
		old, added := w.state.Get(o.ID), o // a copy, since what the function is shown escapes
		if old != nil && !w.may(old) || !w.may(&added) {
			return nil
		}
	}
	return w.state.Put(o)
}

// Remove takes an object out of the world where it may be changed here, and reports whether it did.
func (w *Window) Remove(id ID) bool {
	w.work++
	_, _, ok := w.find(id)
	return ok && w.state.Remove(id)
}

// Random returns the random numbers that belong to an object in this tick: the same again after a roll-back, and on every
// replica unless it has dice of its own ([State.SetDice]). Rules that need several independent sources for one object tell them
// apart by purpose.
func (w *Window) Random(id ID, purpose uint64) random.Stream {
	if dice := w.state.dice; dice != 0 {
		return random.Of(w.state.seed, uint64(w.state.tick), uint64(id), purpose, dice)
	}
	return random.Of(w.state.seed, uint64(w.state.tick), uint64(id), purpose)
}

package action

import (
	"throng/mechanism"
	"throng/world"
)

// scene is where entries are carried out: a little world in which there is what an entry sees and nothing else. So what comes of
// an entry depends on its footprint alone, and is the same for everybody who knows that much, whatever else they know.
type scene struct {
	world  world.World
	state  *world.State
	window *world.Window
	open   world.Set // what may be changed
	action world.Action
}

func newScene(w world.World, seed uint64) *scene {
	s := &scene{world: w, state: world.NewState(w.Schema(), seed)}
	s.window = world.NewWindow(s.state)
	s.window.Restrict(func(o *world.Object) bool { return s.open.Has(o.ID) })
	return s
}

// reader looks up what an entry sees; nil is what does not exist.
type reader func(id world.ID) *world.Object

// perform carries out an entry on what it sees and appends how it leaves what it writes, in the order of its writes. An object
// that does not exist afterwards is left without an ID.
func (s *scene) perform(d *mechanism.Entry, see reader, results []world.Object) []world.Object {
	s.set(d, see)
	return s.results(d, results)
}

// results appends how the entry that was just carried out leaves what it writes.
func (s *scene) results(d *mechanism.Entry, results []world.Object) []world.Object {
	for _, id := range d.Footprint.Writes {
		if o := s.state.Get(id); o != nil {
			results = append(results, *o)
		} else {
			results = append(results, world.Object{})
		}
	}
	return results
}

// set sets the scene and carries out the entry.
func (s *scene) set(d *mechanism.Entry, see reader) {
	s.state.Release()
	for _, id := range d.Footprint.Reads {
		if o := see(id); o != nil {
			s.state.Put(*o)
		}
	}
	s.state.SetTick(d.Tick)
	s.window.Look(s.state)
	s.open = d.Footprint.Writes
	if d.Steps == 0 {
		s.action = d.Action
		s.window.Do(s.world, &s.action)
	}
	for range d.Steps {
		s.window.Advance(s.world)
	}
}

// within reports whether nothing is on the scene but what is in a set.
func (s *scene) within(ids world.Set) bool {
	for o := range s.state.All() {
		if !ids.Has(o.ID) {
			return false
		}
	}
	return true
}

// put makes an object of a state as it is in a result: an object without an ID does not exist.
func put(s *world.State, id world.ID, o *world.Object) {
	was := s.Get(id)
	switch {
	case o == nil || o.ID == 0:
		if was != nil {
			s.Remove(id)
		}
	case was == nil || *was != *o:
		s.Put(*o)
	}
}

package serial

import (
	"throng/mechanism"
	"throng/world"
)

// stage carries out one entry after the other.
type stage struct {
	world  world.World
	start  *world.State
	state  *world.State // of the whole world
	window *world.Window
	before *world.State // what state was before the last entry
	whole  bool         // whether entries see and change everything, whatever their footprints

	// An entry with a footprint has a little world of its own, in which there is what it sees and nothing else.
	part       *world.State
	partWindow *world.Window
	open       world.Set // what may be changed in it
}

func newStage(w world.World, start *world.State) stage {
	s := stage{world: w, start: start.Detach(), state: start.Detach()}
	s.window = world.NewWindow(s.state)
	s.before = s.state.Clone()
	s.part = world.NewState(start.Schema(), start.Seed())
	s.partWindow = world.NewWindow(s.part)
	return s
}

// perform carries out an entry and tells how every object that it changed has become: nil if it is no more.
func (s *stage) perform(d *mechanism.Entry, changed func(world.ID, *world.Object)) {
	s.before.CopyFrom(s.state)
	switch {
	case d.Whole:
		s.performWhole(d)
	case s.whole:
		s.performFreely(d)
	default:
		s.performPart(d)
	}
	for c := range world.Diff(s.before, s.state) {
		if c.New == nil {
			changed(c.Old.ID, nil)
		} else {
			changed(c.New.ID, c.New)
		}
	}
}

func (s *stage) performWhole(d *mechanism.Entry) {
	for s.state.Tick() < d.Tick {
		s.window.Advance(s.world)
	}
	if d.Steps == 0 {
		a := d.Action
		s.window.Do(s.world, &a)
	}
}

// performFreely carries out an entry with a footprint as if that held everything. Time passes only for what the entry is about.
func (s *stage) performFreely(d *mechanism.Entry) {
	reached := max(s.state.Tick(), d.Tick)
	s.state.SetTick(d.Tick)
	s.window.Look(s.state)
	if d.Steps == 0 {
		a := d.Action
		s.window.Do(s.world, &a)
	}
	s.open = d.Footprint.Writes
	s.window.Restrict(func(o *world.Object) bool { return s.open.Has(o.ID) })
	for range d.Steps {
		s.window.Advance(s.world)
	}
	s.window.Restrict(nil)
	s.state.SetTick(reached)
}

func (s *stage) performPart(d *mechanism.Entry) {
	s.part.Release()
	for _, id := range d.Footprint.Reads {
		if o := s.state.Get(id); o != nil {
			s.part.Put(*o)
		}
	}
	s.part.SetTick(d.Tick)
	s.partWindow.Look(s.part)
	s.open = d.Footprint.Writes
	s.partWindow.Restrict(func(o *world.Object) bool { return s.open.Has(o.ID) })
	if d.Steps == 0 {
		a := d.Action
		s.partWindow.Do(s.world, &a)
	}
	for range d.Steps {
		s.partWindow.Advance(s.world)
	}
	s.partWindow.Restrict(nil) // no function stays behind, which could not be saved
	for _, id := range d.Footprint.Writes {
		if o := s.part.Get(id); o != nil {
			s.state.Put(*o)
		} else {
			s.state.Remove(id)
		}
	}
	s.state.SetTick(max(s.state.Tick(), d.Tick))
}

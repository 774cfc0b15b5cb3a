package prediction

import (
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// shift shows objects beside where they are, for a while after they turned out to be elsewhere than shown.
type shift struct {
	smooth  bool
	offsets []offset // of objects that are shown elsewhere
	shown   []offset // where all were shown, before something changes
}

// offset is a vector that belongs to an object.
type offset struct {
	id world.ID
	by fixed.Vec
}

// undo shows objects where they are, apply where they seem to be.
func (s *shift) undo(view *world.State) { s.move(view, false) }

func (s *shift) apply(view *world.State) { s.move(view, true) }

func (s *shift) move(view *world.State, there bool) {
	for i := range s.offsets {
		o := view.Edit(s.offsets[i].id)
		switch {
		case o == nil:
		case there:
			o.Pos = o.Pos.Add(s.offsets[i].by)
		default:
			o.Pos = o.Pos.Sub(s.offsets[i].by)
		}
	}
}

// fade halves the distance between where objects are and where they are shown.
func (s *shift) fade() {
	for i := range s.offsets {
		by := &s.offsets[i].by
		*by = fixed.Vec{X: by.X / 2, Y: by.Y / 2, Z: by.Z / 2}
	}
	s.offsets = slices.DeleteFunc(s.offsets, func(o offset) bool { return o.by == fixed.Vec{} })
}

// remember notes where a user's objects are shown, before they are changed.
func (s *shift) remember(view *world.State, u world.User) {
	if !s.smooth {
		return
	}
	s.shown = s.shown[:0]
	for o := range view.All() {
		if o.User == u {
			s.shown = append(s.shown, offset{o.ID, o.Pos})
		}
	}
}

// displace has objects shown where they were remembered, now that they are elsewhere.
func (s *shift) displace(view *world.State) {
	s.offsets = s.offsets[:0]
	for _, was := range s.shown {
		if o := view.Get(was.id); o != nil && o.Pos != was.by {
			s.offsets = append(s.offsets, offset{was.id, was.by.Sub(o.Pos)})
		}
	}
	s.shown = s.shown[:0]
}

func (s *shift) bytes() int { return 32 * (cap(s.offsets) + cap(s.shown)) }

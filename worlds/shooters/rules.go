package shooters

import (
	"throng/world"
	"throng/world/fixed"
)

// Act lets an archer shoot, or rise.
func (y *yard) Act(w *world.Window, a *world.Action) {
	own := w.Get(archerOf(a.User))
	switch {
	case own == nil:
	case a.Verb == Rise:
		if o := w.Edit(own.ID); o != nil {
			o.Attr[attrDown] = 0
		}
	case own.Attr[attrDown] == 0 && a.Target != own.ID:
		y.shoot(w, own.Pos, a.Target)
	}
}

// shoot hits whoever can be seen from a place and stands.
func (y *yard) shoot(w *world.Window, from fixed.Vec, target world.ID) {
	o := w.Get(target)
	if o == nil || o.Attr[attrDown] != 0 || hidden(from, o.Pos) {
		return
	}
	if o = w.Edit(target); o != nil {
		o.Attr[attrDown] = 1
		o.Attr[attrFalls] = min(o.Attr[attrFalls]+1, fallsMax)
	}
}

// Reach: an arrow depends on whether the archer stands, and changes the target.
func (y *yard) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if s.Get(archerOf(a.User)) == nil {
		return
	}
	if a.Verb == Rise {
		f.Write(archerOf(a.User))
		return
	}
	f.Read(archerOf(a.User))
	if s.Get(a.Target) != nil {
		f.Write(a.Target)
	}
}

// Sees: users see what is not behind the wall from where their archer stands, and without an archer nothing.
func (y *yard) Sees(s *world.State, u world.User, o *world.Object) bool {
	own := s.Get(archerOf(u))
	return own != nil && !hidden(own.Pos, o.Pos)
}

// hidden reports whether the wall is between two places: each of the two lines has its ends on different sides of the other.
func hidden(a, b fixed.Vec) bool {
	apart := func(p, q, from, to fixed.Vec) bool {
		way := to.Sub(from)
		return way.Cross2(p.Sub(from)).Sign()*way.Cross2(q.Sub(from)).Sign() < 0
	}
	return apart(a, b, wall.From, wall.To) && apart(wall.From, wall.To, a, b)
}

// Step does nothing: nobody moves, and arrows take no time.
func (y *yard) Step(*world.Window) {}

// Extrapolate guesses that everybody stays as they are.
func (y *yard) Extrapolate(*world.Object, world.Time) {}

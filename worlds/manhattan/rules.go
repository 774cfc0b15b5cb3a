package manhattan

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Act moves a user's avatar.
func (c *city) Act(w *world.Window, a *world.Action) {
	id := avatarOf(a.User)
	seen := w.Get(id)
	if a.Verb != Move || seen == nil || seen.Kind != kindAvatar {
		return
	}
	at := course{seen.Pos, directionOf(seen.Vel)}
	if a.Args[0] != 0 {
		at.direction = a.Args[0] - 1
	}
	way := c.clear(w, id, at)
	o := w.Edit(id)
	if o == nil {
		return
	}
	o.Pos = at.after(min(way, c.Stride))
	if way < c.Stride {
		at.direction = turned(at.direction, w.State().Seed(), a)
	}
	o.Vel = c.heading(at.direction)
}

// turned is a direction after a turn by 90° to either side. Which one follows from the action alone, since it is carried out
// on different hosts at different ticks.
func turned(direction int64, seed uint64, a *world.Action) int64 {
	r := random.Of(seed, uint64(a.User), uint64(a.Seq), purposeTurn)
	return (direction + 1 + 2*int64(r.Below(2))) % 4
}

// clear is how far an avatar gets before something is in its way: exactly, where that is less than a stride.
func (c *city) clear(w *world.Window, self world.ID, at course) fixed.F {
	way := c.toEdge(at)
	for _, id := range w.Near(at.from, c.Effect) {
		o := w.Get(id)
		if id == self || o == nil || o.Kind != kindAvatar {
			continue
		}
		if forward, aside := at.relative(o.Pos); forward > 0 && aside.Abs() < body {
			way = min(way, max(forward-body, 0))
		}
	}
	end := at.after(c.Stride + gap)
	box := fixed.Box{Min: at.from, Max: at.from}.Union(fixed.Box{Min: end, Max: end})
	c.wallsAround(w.State().Seed(), box, func(l wall) {
		forward, one := at.relative(l.from)
		alsoForward, other := at.relative(l.to())
		if forward == alsoForward && forward > 0 && min(one, other) <= 0 && max(one, other) >= 0 {
			way = min(way, max(forward-gap, 0))
		}
	})
	return way
}

// toEdge is how far it is to the edge of the city.
func (c *city) toEdge(at course) fixed.F {
	switch at.direction {
	case 0:
		return c.Side - at.from.X
	case 1:
		return c.Side - at.from.Y
	case 2:
		return at.from.X
	}
	return at.from.Y
}

// Reach: a move looks at the avatars within its effect range and changes one.
func (c *city) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	o := s.Get(avatarOf(a.User))
	if o == nil {
		return
	}
	f.Write(o.ID)
	for other := range s.All() {
		if other.Pos.Within(o.Pos, c.Effect) {
			f.Read(other.ID)
		}
	}
}

// Step does nothing: avatars move by actions only.
func (c *city) Step(*world.Window) {}

// Extrapolate guesses that an avatar stays where it is, as it does unless its user moves it.
func (c *city) Extrapolate(*world.Object, world.Time) {}

// Enter puts a newcomer's avatar somewhere.
func (c *city) Enter(w *world.Window, u world.User) {
	if w.Get(avatarOf(u)) == nil {
		w.Put(c.arrive(w.State().Seed(), u))
	}
}

// Leave takes a user's avatar away.
func (c *city) Leave(w *world.Window, u world.User) { w.Remove(avatarOf(u)) }

// course is where somebody is and where they head: right, up, left or down, from zero.
type course struct {
	from      fixed.Vec
	direction int64
}

// directionOf is the direction of a velocity.
func directionOf(v fixed.Vec) int64 {
	switch {
	case v.X > 0:
		return 0
	case v.Y > 0:
		return 1
	case v.X < 0:
		return 2
	}
	return 3
}

// relative is how far ahead a point lies, and how far to the left.
func (c course) relative(p fixed.Vec) (forward, left fixed.F) {
	d := p.Sub(c.from)
	switch c.direction {
	case 0:
		return d.X, d.Y
	case 1:
		return d.Y, -d.X
	case 2:
		return -d.X, -d.Y
	}
	return -d.Y, d.X
}

// after is where the course leads in some distance.
func (c course) after(way fixed.F) fixed.Vec {
	return c.from.Add(fixed.Polar(way, fixed.QuarterTurn*fixed.Angle(c.direction)))
}

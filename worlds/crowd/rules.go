package crowd

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	errandMin = 10 * metre // how far away a goal must be to be worth an errand
	arrived   = metre / 64 // how near to the goal is there
)

// Act carries out what a user tells their walker.
func (t *town) Act(w *world.Window, a *world.Action) {
	if o := w.Get(walkerOf(a.User)); o == nil || o.Kind != kindWalker {
		return
	}
	switch a.Verb {
	case Walk:
		t.walk(w, a.User, fixed.Vec{X: metres(a.Args[0]), Y: metres(a.Args[1])}.Limit(t.Speed))
	case Goto:
		t.send(w, a.User, t.plan.clear(fixed.Vec{X: metres(a.Args[0]), Y: metres(a.Args[1])}))
	case Shout:
		t.shout(w, a)
	}
}

// metres reads a number of centimetres.
func metres(cm int64) fixed.F { return fixed.Ratio(cm, 100) }

// Reach: users touch nothing but their own walker and shout.
func (t *town) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	f.Write(walkerOf(a.User))
	if a.Verb == Shout || a.Verb == world.Leave {
		f.Write(shoutOf(a.User))
	}
}

// walk sets a walker's velocity. Telling one who stands to stop changes nothing.
func (t *town) walk(w *world.Window, u world.User, velocity fixed.Vec) {
	still := velocity == fixed.Vec{}
	if still && w.Get(walkerOf(u)).Attr[attrDoing] == standing {
		return
	}
	o := w.Edit(walkerOf(u))
	switch {
	case o == nil:
	case still:
		stop(o)
	default:
		o.Vel, o.Attr[attrDoing] = velocity, walking
	}
}

// stop lets a walker stand and look where they went.
func stop(o *world.Object) {
	if o.Vel != (fixed.Vec{}) {
		o.Attr[attrFaces] = int64(o.Vel.Heading())
	}
	o.Vel, o.Attr[attrDoing] = fixed.Vec{}, standing
}

// send makes a walker go somewhere.
func (t *town) send(w *world.Window, u world.User, goal fixed.Vec) {
	o := w.Edit(walkerOf(u))
	if o == nil {
		return
	}
	o.SetFixed(attrGoalX, goal.X)
	o.SetFixed(attrGoalY, goal.Y)
	o.Attr[attrDoing] = running
	if o.Pos.Within(goal, errandMin) {
		o.Attr[attrDoing] = strolling
	}
	t.turn(o, w.Tick())
}

// turn starts the next leg of a walker's way or, at its end, lets them stand.
//
// A leg takes a whole number of ticks, and the walker goes at just the velocity for that. So they are at its end, but for
// rounding, when these ticks are over, and until then a step need not look where it is.
func (t *town) turn(o *world.Object, now world.Tick) {
	goal := fixed.Vec{X: o.Fixed(attrGoalX), Y: o.Fixed(attrGoalY)}
	if o.Pos.Within(goal, arrived) {
		if o.Attr[attrDoing] == running {
			o.Attr[attrErrands] = min(o.Attr[attrErrands]+1, maxErrands)
		}
		o.Pos = goal
		stop(o)
		return
	}
	way := t.plan.next(o.Pos, goal).Sub(o.Pos)
	ticks := int64(way.Len()/t.stride(o)) + 1
	span := t.dt.MulInt(ticks)
	o.Vel = fixed.Vec{X: way.X.Div(span), Y: way.Y.Div(span)}
	o.Attr[attrArrives] = int64(now) + ticks
}

// stride is how far a walker gets in a tick on their way to a goal: everybody has a pace of their own, from three quarters
// of the greatest speed to just below it.
func (t *town) stride(o *world.Object) fixed.F {
	return t.Speed.Mul(t.dt).MulInt(192+o.Attr[attrLook]%64) / 256
}

// shout lets a walker be heard, unless they were a moment ago. It replaces what they said before.
func (t *town) shout(w *world.Window, a *world.Action) {
	silent := a.Args[0]&0xff == 0
	if silent || int64(w.Tick()) < w.Get(walkerOf(a.User)).Attr[attrQuiet] {
		return
	}
	o := w.Edit(walkerOf(a.User))
	if o == nil {
		return
	}
	o.Attr[attrQuiet] = int64(w.Tick() + t.quiet)
	s := world.Object{ID: shoutOf(a.User), Kind: kindShout, User: a.User, Pos: o.Pos}
	copy(s.Attr[:], a.Args[:])
	s.Attr[attrFades] = int64(w.Tick() + t.lasts)
	w.Put(s)
}

// Enter lets a user's walker appear on one of the squares.
func (t *town) Enter(w *world.Window, u world.User) {
	if u == 0 || w.Get(walkerOf(u)) != nil {
		return
	}
	r := w.Random(walkerOf(u), purposeEnter)
	w.Put(newWalker(u, t.plan.meeting(&r), &r))
}

// Leave takes a user's walker away, and what they said last.
func (t *town) Leave(w *world.Window, u world.User) {
	w.Remove(walkerOf(u))
	w.Remove(shoutOf(u))
}

// Step moves those who walk, lets events begin and end and shouts fade. What does not change is looked at, no more: what
// shares pages with other states goes on doing so.
func (t *town) Step(w *world.Window) {
	now := w.Tick() + 1 // when the step is done
	fading := false
	for o := range w.All() {
		switch o.Kind {
		case kindWalker:
			if o.Attr[attrDoing] != standing {
				t.move(w.Edit(o.ID), now)
			}
		case kindPlace:
			if at := o.Attr[attrChanges]; at != 0 && int64(now) >= at {
				t.change(w, o.ID, now)
			}
		case kindShout:
			fading = fading || int64(now) >= o.Attr[attrFades]
		}
	}
	if fading {
		fade(w, now)
	}
}

// move moves a walker for a tick.
func (t *town) move(o *world.Object, now world.Tick) {
	if o == nil {
		return
	}
	to := fixed.Vec{X: o.Pos.X + o.Vel.X.Mul(t.dt), Y: o.Pos.Y + o.Vel.Y.Mul(t.dt)}
	if o.Attr[attrDoing] != walking {
		o.Pos = t.plan.bounds.Clamp(to)
		if int64(now) >= o.Attr[attrArrives] {
			t.turn(o, now)
		}
		return
	}
	o.Pos = t.plan.slide(o.Pos, to)
	if o.Pos == to {
		return
	}
	// What a wall holds back is lost: whoever looks on should not be led to expect it.
	slowed := o.Vel
	if o.Pos.X != to.X {
		slowed.X = 0
	}
	if o.Pos.Y != to.Y {
		slowed.Y = 0
	}
	if slowed == (fixed.Vec{}) {
		stop(o)
	} else {
		o.Vel = slowed
	}
}

// fade removes the shouts that have been heard for long enough.
func fade(w *world.Window, now world.Tick) {
	var gone [64]world.ID // nothing may be removed while looking, so it goes in rounds
	for n, last := len(gone), world.ID(0); n == len(gone); last = gone[len(gone)-1] {
		n = 0
		for o := range w.All() {
			if o.Kind != kindShout || o.ID <= last || int64(now) < o.Attr[attrFades] {
				continue
			}
			gone[n] = o.ID
			if n++; n == len(gone) {
				break
			}
		}
		for _, id := range gone[:n] {
			w.Remove(id)
		}
	}
}

// Extrapolate lets a walker walk on straight ahead.
func (t *town) Extrapolate(o *world.Object, dt world.Time) {
	if o.Kind == kindWalker && o.Attr[attrDoing] != standing {
		world.Drift(o, dt)
		o.Pos = t.plan.bounds.Clamp(o.Pos)
	}
}

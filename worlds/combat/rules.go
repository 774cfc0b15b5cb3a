package combat

import (
	"throng/world"
	"throng/world/fixed"
)

// Act steers a unit, or has it fire.
func (b *battle) Act(w *world.Window, a *world.Action) {
	o := w.Edit(unitOf(a.User))
	switch {
	case o == nil || o.Kind == kindMissile:
	case a.Verb == Steer:
		o.Attr[attrGoalX], o.Attr[attrGoalY] = a.Args[0], a.Args[1]
	case a.Verb == Fire && o.Attr[attrRises] == 0 && w.Tick() >= world.Tick(o.Attr[attrReady]):
		o.Attr[attrReady] = int64(w.Tick() + world.TicksIn(reload, b.Tick))
		at := fixed.Vec{X: fixed.FromInt(a.Args[0]), Y: fixed.FromInt(a.Args[1])}
		b.fire(w, o.ID, a.User, o.Pos, at)
	}
}

// fire sends a missile from one place towards another.
func (b *battle) fire(w *world.Window, by world.ID, u world.User, from, at fixed.Vec) {
	way := at.Sub(from).Unit()
	if m := w.Create(by, kindMissile); m != nil && way != (fixed.Vec{}) {
		m.User, m.Pos = u, from
		m.Vel = way.Scale(classes[kindMissile].speed).Limit(classes[kindMissile].speed)
		m.Attr[attrEnds] = int64(w.Tick() + world.TicksIn(burning, b.Tick))
	} else if m != nil {
		w.Remove(m.ID)
	}
}

// Reach: users change nothing but their units, and what those fire; who leaves takes that along.
func (b *battle) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if a.Verb == world.Leave {
		for o := range s.All() {
			if o.User == a.User {
				f.Write(o.ID)
			}
		}
	}
	if s.Get(unitOf(a.User)) != nil {
		f.Write(unitOf(a.User))
	}
}

// Step has missiles hit, then moves everything, then takes away what is gone. Before anything moves, both a unit and the missile at it can
// tell that they have met, whoever decides about them.
func (b *battle) Step(w *world.Window) {
	for o := range w.Open() {
		if o.Kind != kindMissile && o.Attr[attrRises] == 0 {
			b.suffer(w, o)
		}
	}
	for o := range w.Open() {
		if o.Kind == kindMissile && b.strikes(w, o) {
			o.Attr[attrEnds] = 0
		}
	}
	b.credit(w)
	for o := range w.Open() {
		switch {
		case o.Kind == kindMissile:
			b.fly(o)
		case o.Attr[attrRises] == 0:
			b.drive(o)
		case w.Tick() >= world.Tick(o.Attr[attrRises]):
			b.rise(w, o)
		}
	}
	b.clear(w)
}

// suffer has a unit hit by the missiles at it, each once.
func (b *battle) suffer(w *world.Window, o *world.Object) {
	for _, id := range w.Near(o.Pos, blast) {
		m := w.Get(id)
		if m == nil || m.Kind != kindMissile || m.User == o.User || o.Attr[attrWound] == int64(id) {
			continue
		}
		o.Attr[attrWound] = int64(id)
		if o.Attr[attrHealth]--; o.Attr[attrHealth] <= 0 {
			o.Attr[attrHealth] = 0
			o.Attr[attrRises] = int64(w.Tick() + world.TicksIn(downtime, b.Tick))
			o.Vel = fixed.Vec{}
			return
		}
	}
}

// strikes reports whether a missile is at somebody who was up when the tick began.
func (b *battle) strikes(w *world.Window, m *world.Object) bool {
	for _, id := range w.Near(m.Pos, blast) {
		o := w.Get(id)
		if o == nil || o.Kind == kindMissile || o.User == m.User {
			continue
		}
		if rises := o.Attr[attrRises]; rises == 0 || rises == int64(w.Tick()+world.TicksIn(downtime, b.Tick)) {
			return true
		}
	}
	return false
}

// credit counts the hits of those whose missiles have struck.
func (b *battle) credit(w *world.Window) {
	for m := range w.All() {
		if m.Kind == kindMissile && m.Attr[attrEnds] == 0 && w.May(m) {
			if o := w.Edit(unitOf(m.User)); o != nil && o.Kind != kindMissile {
				o.Attr[attrHits] = min(o.Attr[attrHits]+1, hitsMax)
			}
		}
	}
}

// drive moves a unit for a tick: towards the velocity that its user wants, as far as it can change its own.
func (b *battle) drive(o *world.Object) {
	c := &classes[o.Kind]
	goal := fixed.Vec{X: c.speed.MulInt(o.Attr[attrGoalX]).DivInt(full), Y: c.speed.MulInt(o.Attr[attrGoalY]).DivInt(full)}
	goal = goal.Limit(c.speed)
	if goal == (fixed.Vec{}) || goal.LenWithin(c.least) {
		way := goal.Unit()
		if way == (fixed.Vec{}) {
			way = fixed.Polar(fixed.One, fixed.Angle(o.Attr[attrHeading]))
		}
		goal = way.Scale(c.least)
	}
	o.Vel = o.Vel.Add(goal.Sub(o.Vel).Limit(c.acceleration.Mul(b.dt))).Limit(c.speed)
	if !o.Vel.LenWithin(metre / 10) {
		o.Attr[attrHeading] = int64(o.Vel.Heading())
	}
	b.move(o, b.dt)
}

// move moves something for a time, and turns it back at the edge of the map.
func (b *battle) move(o *world.Object, dt fixed.F) {
	o.Pos = o.Pos.Add(o.Vel.Scale(dt))
	turn := func(at, velocity *fixed.F) {
		switch {
		case *at < 0:
			*at, *velocity = 0, velocity.Abs()
		case *at > b.Side:
			*at, *velocity = b.Side, -velocity.Abs()
		}
	}
	turn(&o.Pos.X, &o.Vel.X)
	turn(&o.Pos.Y, &o.Vel.Y)
}

// fly moves a missile for a tick. At the edge of the map it ends.
func (b *battle) fly(o *world.Object) {
	o.Pos = o.Pos.Add(o.Vel.Scale(b.dt))
	if !b.schema.Bounds.Contains(o.Pos) {
		o.Pos = b.schema.Bounds.Clamp(o.Pos)
		o.Attr[attrEnds] = 0
	}
}

// rise has a unit start again somewhere else.
func (b *battle) rise(w *world.Window, o *world.Object) {
	r := w.Random(o.ID, purposeRise)
	o.Pos = b.place(&r)
	o.Attr[attrRises], o.Attr[attrHealth] = 0, healthMax
	o.Vel = fixed.Polar(classes[o.Kind].least, fixed.Angle(o.Attr[attrHeading]))
}

// clear takes away the missiles that have struck or burnt out.
func (b *battle) clear(w *world.Window) {
	for {
		var ended [32]world.ID
		n := 0
		for o := range w.Open() {
			if o.Kind == kindMissile && world.Tick(o.Attr[attrEnds]) <= w.Tick() && n < len(ended) {
				ended[n] = o.ID
				n++
			}
		}
		for _, id := range ended[:n] {
			w.Remove(id)
		}
		if n < len(ended) {
			return
		}
	}
}

// Extrapolate guesses that units and missiles go straight on.
func (b *battle) Extrapolate(o *world.Object, dt world.Time) {
	if o.Kind != kindMissile {
		b.move(o, world.Seconds(dt))
		return
	}
	world.Drift(o, dt)
	o.Pos = b.schema.Bounds.Clamp(o.Pos)
}

// Enter brings a user's unit into the battle.
func (b *battle) Enter(w *world.Window, u world.User) {
	if w.Get(unitOf(u)) == nil {
		w.Put(b.arrive(w.State().Seed(), u))
	}
}

// Leave takes it away, with its missiles.
func (b *battle) Leave(w *world.Window, u world.User) {
	for {
		var found world.ID
		for o := range w.All() {
			if o.User == u && w.May(o) {
				found = o.ID
				break
			}
		}
		if found == 0 || !w.Remove(found) {
			return
		}
	}
}

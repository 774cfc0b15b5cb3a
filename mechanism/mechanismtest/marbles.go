package mechanismtest

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects among marbles.
const (
	Marble world.KindID = iota // rolls, slows down, bounces off walls and other marbles; each user has one
	Pebble                     // lies where a user dropped it and is gone after a while
	Tally                      // a sum without a place, to which all users add
)

// The verbs of marbles.
const (
	Push  world.VerbID = iota // change the velocity of the target, or else of the own marble
	Count                     // add to the tally
	Drop                      // leave a pebble at the own marble
)

// The attributes of the kinds.
const (
	MarbleHits = 0 // how often it met another
	PebbleLeft = 0 // how many ticks it still has
	TallySum   = 0
	TallyLast  = 1 // the user who added last
)

const (
	spacing     = 20 * fixed.One // between marbles at the start
	radius      = 2 * fixed.One
	speedMax    = 100 * fixed.One
	friction    = 2 * fixed.One // how much speed a marble loses each tick along each axis
	pebbleTicks = 30
	tallyModulo = 1_000_000
	strayTicks  = 20 // how long a user answers for the stray marble
)

type marbles struct {
	users  world.User
	side   fixed.F // of the table
	schema world.Schema
}

// Marbles returns a world of marbles on a table. It is at rest until somebody acts and comes to rest again afterwards.
// Users have the marbles with their own numbers; the next object is the stray marble, which nobody owns and for which all
// answer in turn, a second each; the one after it is the tally.
func Marbles(users world.User) world.World {
	side := spacing.MulInt(int64(users) + 2)
	bounds := fixed.Box{Max: fixed.Vec{X: side, Y: side}}
	whole := func(name string, slot int, max int64) world.Variable {
		return world.Variable{Name: name, Slot: world.AttrSlot(slot), Max: max, Weight: 1}
	}
	force := func(name string, slot world.Slot) world.Variable {
		return world.Variable{Name: name, Slot: slot, Type: world.Fixed, Min: -int64(40 * fixed.One), Max: int64(40 * fixed.One)}
	}
	place := world.Placed(bounds, 1, fixed.One/64)
	return &marbles{users: users, side: side, schema: world.Schema{
		Name:   "marbles",
		Tick:   50 * world.Millisecond,
		Bounds: bounds,
		Kinds: []world.Kind{
			Marble: {
				Name:      "marble",
				Variables: append(append(world.Moving(bounds, speedMax, 1, fixed.One/16), place...), whole("hits", MarbleHits, 1<<30)),
				Radius:    radius,
				Threshold: fixed.One,
			},
			Pebble: {Name: "pebble", Variables: append(place[:len(place):len(place)], whole("left", PebbleLeft, pebbleTicks)), Threshold: fixed.One},
			Tally:  {Name: "tally", Variables: []world.Variable{whole("sum", TallySum, tallyModulo), whole("last", TallyLast, int64(users))}},
		},
		Verbs: []world.Verb{
			Push:  {Name: "push", Args: []world.Variable{force("x", 0), force("y", 1)}},
			Count: {Name: "count", Args: []world.Variable{{Name: "n", Min: 1, Max: 100}}},
			Drop:  {Name: "drop"},
		},
	}}
}

// Stray is the ID of the marble without an owner in a world of marbles.
func Stray(w world.World) world.ID { return world.ID(w.Users()) + 1 }

// TallyOf is the ID of the tally in a world of marbles.
func TallyOf(w world.World) world.ID { return world.ID(w.Users()) + 2 }

func (m *marbles) Schema() *world.Schema { return &m.schema }

func (m *marbles) Users() world.User { return m.users }

func (m *marbles) Limits() world.Limits {
	return world.Limits{Sight: 30 * fixed.One, Effect: 2 * radius, Speed: 2 * speedMax}
}

// Populate puts the marbles in a row across the table, the stray one at its end.
func (m *marbles) Populate(s *world.State) {
	for i := int64(1); i <= int64(m.users)+1; i++ {
		o := world.Object{ID: world.ID(i), Kind: Marble, Pos: fixed.Vec{X: spacing.MulInt(i), Y: m.side / 2}}
		if world.User(i) <= m.users {
			o.User = world.User(i)
		}
		s.Put(o)
	}
	s.Put(world.Object{ID: TallyOf(m), Kind: Tally})
}

// Answers hands the stray marble round.
func (m *marbles) Answers(s *world.State, o *world.Object) world.User {
	if o.ID != Stray(m) {
		return 0
	}
	return 1 + world.User(s.Tick()/strayTicks)%m.users
}

func (m *marbles) Act(w *world.Window, a *world.Action) {
	switch a.Verb {
	case Push:
		if o := w.Edit(m.pushed(a)); o != nil && o.Kind == Marble {
			o.Vel = o.Vel.Add(fixed.Vec{X: fixed.F(a.Args[0]), Y: fixed.F(a.Args[1])})
			o.Vel.X = o.Vel.X.Clamp(-speedMax, speedMax)
			o.Vel.Y = o.Vel.Y.Clamp(-speedMax, speedMax)
		}
	case Count:
		if o := w.Edit(TallyOf(m)); o != nil {
			// Not a plain sum, so that it tells in which order users added.
			o.Attr[TallySum] = (3*o.Attr[TallySum] + a.Args[0]) % tallyModulo
			o.Attr[TallyLast] = int64(a.User)
		}
	case Drop:
		own := w.Get(world.ID(a.User))
		if own == nil {
			return
		}
		at := own.Pos
		if o := w.Create(world.ID(a.User), Pebble); o != nil {
			o.User, o.Pos = a.User, at
			o.Attr[PebbleLeft] = pebbleTicks
		}
	}
}

func (m *marbles) pushed(a *world.Action) world.ID {
	if a.Target != 0 {
		return a.Target
	}
	return world.ID(a.User)
}

func (m *marbles) Step(w *world.Window) {
	var gone [16]world.ID
	n := 0
	for o := range w.Open() {
		switch o.Kind {
		case Marble:
			m.roll(o)
		case Pebble:
			o.Attr[PebbleLeft] = max(0, o.Attr[PebbleLeft]-1)
			if o.Attr[PebbleLeft] == 0 && n < len(gone) { // what does not fit goes in the next tick
				gone[n] = o.ID
				n++
			}
		}
	}
	for _, id := range gone[:n] {
		w.Remove(id)
	}
	for id := world.ID(1); id <= Stray(m); id++ {
		if o := w.Get(id); o != nil {
			m.meet(w, o)
		}
	}
}

// roll moves a marble for one tick, back from the walls, and slows it down.
func (m *marbles) roll(o *world.Object) {
	world.Drift(o, m.schema.Tick)
	o.Pos.X, o.Vel.X = m.bounce(o.Pos.X, o.Vel.X)
	o.Pos.Y, o.Vel.Y = m.bounce(o.Pos.Y, o.Vel.Y)
	o.Vel.X -= o.Vel.X.Clamp(-friction, friction)
	o.Vel.Y -= o.Vel.Y.Clamp(-friction, friction)
}

func (m *marbles) bounce(at, speed fixed.F) (fixed.F, fixed.F) {
	if at < 0 && speed < 0 {
		return -at, -speed
	}
	if at > m.side && speed > 0 {
		return 2*m.side - at, -speed
	}
	return at, speed
}

// meet lets a marble collide with those after it: two that touch and approach exchange their velocities.
func (m *marbles) meet(w *world.Window, a *world.Object) {
	from, at := a.ID, a.Pos
	for _, id := range w.Near(at, 2*radius) {
		b := w.Get(id)
		if id <= from || b.Kind != Marble || b.Pos.Sub(at).Dot(b.Vel.Sub(w.Get(from).Vel)) >= 0 {
			continue
		}
		va, vb := w.Get(from).Vel, b.Vel
		if o := w.Edit(from); o != nil {
			o.Vel = vb
			o.Attr[MarbleHits]++
		}
		if o := w.Edit(id); o != nil {
			o.Vel = va
			o.Attr[MarbleHits]++
		}
	}
}

func (m *marbles) Extrapolate(o *world.Object, dt world.Time) {
	switch o.Kind {
	case Marble:
		world.Drift(o, dt)
		o.Pos = m.schema.Bounds.Clamp(o.Pos)
	case Pebble:
		o.Attr[PebbleLeft] -= min(int64(dt/m.schema.Tick), o.Attr[PebbleLeft])
	}
}

func (m *marbles) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	switch a.Verb {
	case Push:
		f.Write(m.pushed(a))
	case Count:
		f.Write(TallyOf(m))
	case Drop:
		f.Write(world.ID(a.User))
	}
}

// Player returns a user who does this and that about once in half a second.
func (m *marbles) Player(_ world.User, r random.Stream) world.Player {
	return &fidget{stray: Stray(m), random: r}
}

type fidget struct {
	stray  world.ID
	random random.Stream
}

func (p *fidget) Play(_ world.View, act func(world.Action)) {
	if p.random.Below(10) != 0 {
		return
	}
	var a world.Action
	switch p.random.Below(8) {
	case 0:
		a.Verb = Drop
	case 1, 2:
		a.Verb, a.Args[0] = Count, 1+int64(p.random.Below(100))
	case 3:
		a.Target = p.stray
		fallthrough
	default:
		a.Verb = Push
		a.Args[0] = int64(p.random.Below(81))*int64(fixed.One) - int64(40*fixed.One)
		a.Args[1] = int64(p.random.Below(81))*int64(fixed.One) - int64(40*fixed.One)
	}
	act(a)
}

package main

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Config has the world's parameters. The tags are all that experiments, --set and explain need.
type Config struct {
	Runners int     `param:"runners" default:"6" range:"2..100" help:"how many run"`
	Speed   fixed.F `param:"speed" default:"5" unit:"m/s" range:"1..20" help:"how fast they run"`
}

// The kinds of objects, the one verb, and the crown's attributes. Numbers are integers or fixed-point: floats would not
// be the same on every machine.
const (
	kindRunner world.KindID = iota
	kindCrown
)

const verbRun world.VerbID = 0 // run in the direction Args[0], an angle

const (
	attrHolder = 0 // who wears the crown
	attrSafe   = 1 // until which tick nobody can snatch it
)

const (
	metre     = fixed.One
	reach     = metre // how near one must come to snatch it
	safeTicks = 20
)

// field is the world. It has no state: all of that is in the objects.
type field struct {
	Config
	schema world.Schema
}

// World makes a world of the parameters.
func (c *Config) World() (world.World, error) {
	box := fixed.Box{Max: fixed.Vec{X: 40 * metre, Y: 40 * metre}}
	// What each variable means, its range and how much it counts: measures, the wire and viewers need no more than that.
	// Here only places count. Who wears the crown is seen by where it is, and where somebody runs by where that leads.
	runner := append(world.Placed(box, 1, metre/64), world.Moving(box, c.Speed, 0, metre/64)...)
	crown := append(world.Placed(box, 1, metre/64),
		world.Variable{Name: "holder", Slot: world.AttrSlot(attrHolder), Type: world.Reference},
		world.Variable{Name: "safe", Slot: world.AttrSlot(attrSafe), Type: world.Moment, Max: 1 << 40})
	return &field{*c, world.Schema{
		Name: "crown", Tick: 50 * world.Millisecond, Bounds: box,
		Kinds: []world.Kind{
			kindRunner: {Name: "runner", Variables: runner, Radius: metre / 2, Threshold: metre / 2},
			kindCrown:  {Name: "crown", Variables: crown, Radius: metre / 4, Threshold: metre / 2},
		},
		Verbs: []world.Verb{verbRun: {Name: "run", Args: []world.Variable{{Name: "to", Type: world.Angle, Max: 1<<32 - 1}}}},
	}}, nil
}

func (f *field) Schema() *world.Schema { return &f.schema }
func (f *field) Users() world.User     { return world.User(f.Runners) }

// Runners have the IDs of their users; the crown comes after them.
func (f *field) crown() world.ID { return world.ID(f.Runners) + 1 }

// Populate puts the runners anywhere and the crown on the first one.
func (f *field) Populate(s *world.State) {
	r := random.New(s.Seed(), "crown")
	for u := range f.Users() {
		pos := fixed.Vec{X: r.Between(0, f.schema.Bounds.Max.X), Y: r.Between(0, f.schema.Bounds.Max.Y)}
		s.Put(world.Object{ID: world.ID(u + 1), Kind: kindRunner, User: u + 1, Pos: pos})
	}
	s.Put(world.Object{ID: f.crown(), Kind: kindCrown, Pos: s.Get(1).Pos, Attr: [world.MaxAttributes]int64{attrHolder: 1}})
}

// Act lets a user run in another direction.
func (f *field) Act(w *world.Window, a *world.Action) {
	if o := w.Edit(world.ID(a.User)); o != nil && o.Kind == kindRunner {
		o.Vel = fixed.Polar(f.Speed, fixed.Angle(a.Args[0]))
	}
}

// Reach says what Act touches, for mechanisms that carry out actions where not everything is known.
func (f *field) Reach(s *world.State, a *world.Action, out *world.Footprint) {
	if s.Get(world.ID(a.User)) != nil {
		out.Write(world.ID(a.User))
	}
}

// Step moves the runners and then, since objects come in the order of their IDs, the crown.
func (f *field) Step(w *world.Window) {
	for o := range w.Open() {
		if o.Kind == kindRunner {
			f.Extrapolate(o, f.schema.Tick)
		} else {
			f.pass(w, o)
		}
	}
}

// pass gives the crown to whoever has come near enough, and moves it with its holder.
func (f *field) pass(w *world.Window, crown *world.Object) {
	if int64(w.Tick()) >= crown.Attr[attrSafe] {
		for o := range w.All() {
			if o.Kind == kindRunner && o.ID != world.ID(crown.Attr[attrHolder]) && o.Pos.Within(crown.Pos, reach) {
				crown.Attr[attrHolder], crown.Attr[attrSafe] = int64(o.ID), int64(w.Tick()+safeTicks)
				break
			}
		}
	}
	if holder := w.Get(world.ID(crown.Attr[attrHolder])); holder != nil {
		crown.Pos = holder.Pos
	}
}

// Extrapolate lets an object go on straight ahead, as far as the fence.
func (f *field) Extrapolate(o *world.Object, dt world.Time) {
	world.Drift(o, dt)
	o.Pos = f.schema.Bounds.Clamp(o.Pos)
}

// Answers: the crown is its holder's. What a world says beyond the rules is optional; see world/capabilities.go.
func (f *field) Answers(_ *world.State, o *world.Object) world.User {
	if o.Kind == kindCrown {
		return world.User(o.Attr[attrHolder])
	}
	return o.User
}

// Look is how the page shows the world and how people play it. Without it the page goes by the schema.
func (f *field) Look() world.Look {
	return world.Look{
		Kinds: []world.KindLook{
			{Kind: "runner", Label: "user"},
			{Kind: "crown", Shape: world.Diamond, Colour: "#d9a400"}, // above whoever wears it
		},
		Controls: []world.Control{{By: world.Steer, Verb: "run", Does: "run"}},
		Hints:    []world.Hint{{By: "crown", Does: "run into whoever wears it"}},
	}
}

// Player returns an artificial user.
func (f *field) Player(u world.User, r random.Stream) world.Player {
	return &player{field: f, random: r}
}

// player runs after the crown or, wearing it, away from the others. It thinks again from time to time.
type player struct {
	field  *field
	random random.Stream
	think  world.Tick // when
}

func (p *player) Play(v world.View, act func(world.Action)) {
	self, crown := v.State.Get(world.ID(v.User)), v.State.Get(p.field.crown())
	if v.State.Tick() < p.think || self == nil || crown == nil {
		return
	}
	p.think = v.State.Tick() + 5 + world.Tick(p.random.Below(10))
	way := crown.Pos.Sub(self.Pos)
	if world.ID(crown.Attr[attrHolder]) == self.ID {
		way = fixed.Vec{}
		for o := range v.State.All() {
			if gap := self.Pos.Sub(o.Pos); o.Kind == kindRunner && o.ID != self.ID && gap.LenWithin(10*metre) {
				way = way.Add(gap)
			}
		}
		if self.Pos == p.field.schema.Bounds.Clamp(self.Pos.Add(way.Unit())) || way == (fixed.Vec{}) {
			way = p.field.schema.Bounds.Max.Scale(fixed.One / 2).Sub(self.Pos) // back to the middle
		}
	}
	act(world.Action{Verb: verbRun, Args: [world.MaxArgs]int64{int64(way.Heading())}})
}

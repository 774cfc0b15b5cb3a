package worldtest

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// meadow is a small world that keeps all the rules: sheep, one for each user, walk about and eat the flowers that their
// users plant. The broken worlds of the tests are meadows with one thing wrong.
type meadow struct{}

const (
	sheep world.KindID = iota
	flower
)

const (
	walk  world.VerbID = iota // where to go
	plant                     // a flower here
	nudge                     // the target, if it is a sheep close by
)

const (
	eaten = 0 // of a sheep: how many flowers
	left  = 0 // of a flower: how many ticks it still blooms
)

const (
	users   = 4
	reach   = 10 * fixed.One // of a nudge
	pace    = 8 * fixed.One
	flowers = 40 // how many ticks a flower blooms
)

var meadowBounds = fixed.Box{Max: fixed.Vec{X: 50 * fixed.One, Y: 50 * fixed.One}}

var meadowSchema = &world.Schema{
	Name:   "meadow",
	Tick:   100 * world.Millisecond,
	Bounds: meadowBounds,
	Kinds: []world.Kind{
		sheep: {Name: "sheep", Variables: append(append(
			world.Placed(meadowBounds, 1, 0),
			world.Moving(meadowBounds, pace, 1, 0)...),
			world.Variable{Name: "eaten", Slot: world.AttrSlot(eaten), Max: 1 << 30, Unit: "flowers"})},
		flower: {Name: "flower", Variables: append(
			world.Placed(meadowBounds, 1, 0),
			world.Variable{Name: "left", Slot: world.AttrSlot(left), Max: flowers},
			world.Variable{Name: "planter", Slot: world.AttrSlot(left + 1), Type: world.Reference})},
	},
	Verbs: []world.Verb{
		walk: {Name: "walk", Args: []world.Variable{
			{Name: "x", Slot: 0, Type: world.Fixed, Min: -int64(pace), Max: int64(pace)},
			{Name: "y", Slot: 1, Type: world.Fixed, Min: -int64(pace), Max: int64(pace)}}},
		plant: {Name: "plant"},
		nudge: {Name: "nudge", Args: []world.Variable{{Name: "after", Slot: 2, Type: world.Reference}}},
	},
}

func (meadow) Schema() *world.Schema { return meadowSchema }
func (meadow) Users() world.User     { return users }

func (meadow) Populate(s *world.State) {
	r := random.New(s.Seed(), "meadow")
	for u := world.User(1); u <= users; u++ {
		s.Put(world.Object{ID: world.ID(u), User: u, Kind: sheep, Pos: fixed.Vec{
			X: r.Between(0, meadowBounds.Max.X), Y: r.Between(0, meadowBounds.Max.Y)}})
	}
}

func (meadow) Act(w *world.Window, a *world.Action) {
	own := w.Get(world.ID(a.User))
	if own == nil {
		return
	}
	at := own.Pos
	switch a.Verb {
	case walk:
		if o := w.Edit(own.ID); o != nil {
			o.Vel = fixed.Vec{X: fixed.F(a.Args[0]), Y: fixed.F(a.Args[1])}
		}
	case plant:
		if o := w.Create(own.ID, flower); o != nil {
			o.Pos, o.Attr[left], o.Attr[left+1] = at, flowers, int64(a.User)
		}
	case nudge:
		if o := w.Get(a.Target); o == nil || o.Kind != sheep || !o.Pos.Within(at, reach) {
			return
		}
		if o := w.Edit(a.Target); o != nil {
			r := w.Random(o.ID, 1)
			o.Vel = fixed.Polar(pace, r.Angle())
		}
	}
}

func (meadow) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	switch a.Verb {
	case nudge:
		f.Read(world.ID(a.User))
		f.Write(a.Target)
	default:
		f.Write(world.ID(a.User))
	}
}

func (m meadow) Step(w *world.Window) {
	var withered []world.ID
	for o := range w.Open() {
		switch o.Kind {
		case sheep:
			m.move(o)
		case flower:
			if o.Attr[left]--; o.Attr[left] == 0 {
				withered = append(withered, o.ID)
			}
		}
	}
	for _, id := range withered {
		w.Remove(id)
	}
	for u := world.ID(1); u <= users; u++ {
		if o := w.Edit(u); o != nil {
			m.eat(w, o.ID, o.Pos)
		}
	}
}

func (meadow) move(o *world.Object) {
	world.Drift(o, meadowSchema.Tick)
	if !meadowBounds.Contains(o.Pos) {
		o.Pos = meadowBounds.Clamp(o.Pos)
		o.Vel = o.Vel.Neg()
	}
}

func (meadow) eat(w *world.Window, id world.ID, at fixed.Vec) {
	for _, food := range w.Near(at, 2*fixed.One) {
		// An earlier sheep may have had it, and the latest are too young.
		if o := w.Get(food); o != nil && o.Kind == flower && o.Attr[left] < flowers/2 && w.Remove(food) {
			w.Edit(id).Attr[eaten]++
		}
	}
}

func (meadow) Extrapolate(o *world.Object, dt world.Time) { world.Drift(o, dt) }

func (meadow) Player(u world.User, r random.Stream) world.Player { return &shepherd{r} }

// shepherd lets its sheep walk at random, plants flowers and nudges others.
type shepherd struct{ random random.Stream }

func (p *shepherd) Play(v world.View, act func(world.Action)) {
	switch p.random.Below(8) {
	case 0:
		x, y := p.random.Between(-pace, pace), p.random.Between(-pace, pace)
		act(world.Action{Verb: walk, Args: [world.MaxArgs]int64{int64(x), int64(y)}})
	case 1:
		act(world.Action{Verb: plant})
	case 2:
		act(world.Action{Verb: nudge, Target: world.ID(1 + p.random.Below(users))})
	}
}

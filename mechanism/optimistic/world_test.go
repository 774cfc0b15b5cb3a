package optimistic

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// strip is a world for tests: a paper strip on which users write digits, so that what it says tells which actions were
// carried out and in which order; a mark that is added to at every tick, so that it tells when; and any number of dots that
// drift about, so that ticks cost something. The strip is object 1.
type strip struct {
	schema world.Schema
	users  world.User
	dots   int
}

const (
	attrText = 0 // the digits written, as a number
	attrMark = 1 // mixes the text of every tick
	markMod  = 1_000_003
)

func newStrip(users world.User, dots int) *strip {
	bounds := fixed.Box{Max: fixed.Vec{X: 100 * fixed.One, Y: 100 * fixed.One}}
	return &strip{users: users, dots: dots, schema: world.Schema{
		Name:   "strip",
		Tick:   50 * world.Millisecond,
		Bounds: bounds,
		Kinds: []world.Kind{
			{Name: "strip", Variables: []world.Variable{
				{Name: "text", Slot: world.AttrSlot(attrText), Max: 1 << 62},
				{Name: "mark", Slot: world.AttrSlot(attrMark), Max: markMod},
			}},
			{Name: "dot", Variables: append(world.Placed(bounds, 1, 1), world.Moving(bounds, fixed.One, 1, 1)...)},
		},
		Verbs: []world.Verb{{Name: "write", Args: []world.Variable{{Name: "digit", Min: 1, Max: 9}}}},
	}}
}

func (w *strip) Schema() *world.Schema { return &w.schema }

func (w *strip) Users() world.User { return w.users }

func (w *strip) Populate(s *world.State) {
	s.Put(world.Object{ID: 1})
	for i := range w.dots {
		s.Put(world.Object{ID: world.ID(i + 2), Kind: 1, Vel: fixed.Vec{X: fixed.One, Y: fixed.One}})
	}
}

func (w *strip) Act(v *world.Window, a *world.Action) {
	if o := v.Edit(1); o != nil {
		o.Attr[attrText] = o.Attr[attrText]%1e15*10 + a.Args[0]
	}
}

func (w *strip) Step(v *world.Window) {
	for o := range v.Open() {
		if o.Kind == 0 {
			o.Attr[attrMark] = (31*o.Attr[attrMark] + o.Attr[attrText] + 1) % markMod
			continue
		}
		world.Drift(o, w.schema.Tick)
		if !w.schema.Bounds.Contains(o.Pos) {
			o.Vel = o.Vel.Neg()
		}
	}
}

func (w *strip) Extrapolate(o *world.Object, dt world.Time) { world.Drift(o, dt) }

func (w *strip) Reach(_ *world.State, _ *world.Action, f *world.Footprint) { f.Write(1) }

func (w *strip) Player(_ world.User, r random.Stream) world.Player { return &writer{r} }

// writer writes a digit now and then.
type writer struct{ random random.Stream }

func (p *writer) Play(_ world.View, act func(world.Action)) {
	for p.random.Below(4) == 0 {
		act(write(int64(1 + p.random.Below(9))))
	}
}

func write(digit int64) world.Action {
	return world.Action{Args: [world.MaxArgs]int64{digit}}
}

// session lays out a run in a world.
func session(w world.World) *mechanism.Session {
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	return &mechanism.Session{World: w, Start: start, Places: mechanism.Peers(w)}
}

// timed is an action, and the tick at which it takes effect.
type timed struct {
	tick   world.Tick
	action world.Action
}

// straight is what becomes of the world when all actions are carried out in their ticks at the first attempt.
func straight(s *mechanism.Session, actions []timed, until world.Tick) *world.State {
	r := mechanism.NewReplica(s.World, s.Start)
	for {
		now := r.State.Tick()
		for u := world.User(1); u <= s.World.Users(); u++ {
			for i := range actions { // a user's own are in order
				if d := &actions[i]; d.tick == now && d.action.User == u {
					r.Do(&d.action)
				}
			}
		}
		if now == until {
			return r.State
		}
		r.Advance()
	}
}

package aos

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// traders is a world of people who walk to and fro and give each other gold, which takes both of them: what one gives the
// other must get.
type traders struct {
	users  world.User
	sight  fixed.F
	effect fixed.F
	schema world.Schema
}

const (
	verbGive world.VerbID = iota
	verbWalk
	verbShare // gives two others as much each, or neither
)

const gold = 0 // the attribute

func newTraders(users world.User, sight fixed.F) *traders {
	bounds := fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 400 * fixed.One}}
	return &traders{users: users, sight: sight, effect: 1000 * fixed.One, schema: world.Schema{
		Name: "traders", Tick: 50 * world.Millisecond, Bounds: bounds,
		Kinds: []world.Kind{{
			Name: "trader",
			Variables: append(append(world.Moving(bounds, 400*fixed.One, 1, 1), world.Placed(bounds, 1, 1)...),
				world.Variable{Name: "gold", Slot: world.AttrSlot(gold), Max: 1 << 40}),
			Threshold: fixed.One,
		}},
		Verbs: []world.Verb{
			verbGive:  {Name: "give", Args: []world.Variable{{Name: "gold", Max: 1000}}},
			verbShare: {Name: "share", Args: []world.Variable{{Name: "gold", Max: 1000}, {Name: "other", Slot: 1, Max: 1 << 20}}},
			verbWalk: {Name: "walk", Args: []world.Variable{
				{Name: "x", Slot: 0, Type: world.Fixed, Min: -int64(400 * fixed.One), Max: int64(400 * fixed.One)},
			}},
		},
	}}
}

func (w *traders) Schema() *world.Schema { return &w.schema }
func (w *traders) Users() world.User     { return w.users }
func (w *traders) Limits() world.Limits {
	return world.Limits{Sight: w.sight, Effect: w.effect, Speed: 400 * fixed.One}
}

func (w *traders) Populate(s *world.State) {
	for u := world.User(1); u <= w.users; u++ {
		o := world.Object{ID: world.ID(u), User: u, Pos: fixed.Vec{X: fixed.FromInt(1000 * int64(2*u-1) / int64(2*w.users)), Y: 100 * fixed.One}}
		o.Attr[gold] = 1000
		s.Put(o)
	}
}

func (w *traders) Act(win *world.Window, a *world.Action) {
	from := win.Edit(world.ID(a.User))
	if from == nil {
		return
	}
	if a.Verb == verbWalk {
		from.Vel.X = fixed.F(a.Args[0])
		return
	}
	if a.Verb == verbShare {
		one, other := win.Edit(a.Target), win.Edit(world.ID(a.Args[1]))
		if one != nil && other != nil && win.Edit(from.ID) != nil {
			win.Edit(from.ID).Attr[gold] -= 2 * a.Args[0]
			win.Edit(a.Target).Attr[gold] += a.Args[0]
			win.Edit(world.ID(a.Args[1])).Attr[gold] += a.Args[0]
		}
		return
	}
	if to := win.Edit(a.Target); to != nil && from.Attr[gold] >= a.Args[0] && from.ID != to.ID {
		win.Edit(from.ID).Attr[gold] -= a.Args[0]
		win.Edit(to.ID).Attr[gold] += a.Args[0]
	}
}

func (w *traders) Step(win *world.Window) {
	for o := range win.Open() {
		world.Drift(o, w.schema.Tick)
		if !w.schema.Bounds.Contains(o.Pos) {
			o.Pos = w.schema.Bounds.Clamp(o.Pos)
			o.Vel.X = -o.Vel.X
		}
	}
}

func (w *traders) Extrapolate(o *world.Object, dt world.Time) { world.Drift(o, dt) }

func (w *traders) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	f.Write(world.ID(a.User))
	if a.Verb != verbWalk && a.Target != 0 {
		f.Write(a.Target)
	}
	if a.Verb == verbShare {
		f.Write(world.ID(a.Args[1]))
	}
}

func (w *traders) Player(u world.User, r random.Stream) world.Player { return &dealer{w, r} }

// dealer gives gold to whoever, and walks about.
type dealer struct {
	world  *traders
	random random.Stream
}

func (p *dealer) Play(v world.View, act func(world.Action)) {
	switch p.random.Below(20) {
	case 0:
		act(world.Action{Verb: verbGive, Target: world.ID(1 + p.random.Below(uint64(p.world.users))), Args: [world.MaxArgs]int64{int64(p.random.Below(100))}})
	case 1:
		act(world.Action{Verb: verbWalk, Args: [world.MaxArgs]int64{int64(p.random.Between(-200*fixed.One, 200*fixed.One))}})
	}
}

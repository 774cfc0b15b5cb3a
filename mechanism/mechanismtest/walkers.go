package mechanismtest

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Go is the one verb of walkers: to walk to a place along the path.
const Go world.VerbID = 0

const (
	pathLength = 800 * fixed.One
	pathWidth  = 20 * fixed.One // between two users' lanes
	pace       = 40 * fixed.One // per second
	eyesight   = 120 * fixed.One
	walkerGoal = 0 // the attribute
)

// walkers is a world of people who walk up and down a long path, each in a lane of their own. Nobody is in anybody's way and the
// rules foresee every step but where somebody turns: a mechanism that shows a walker elsewhere has only itself to blame.
type walkers struct {
	users  world.User
	schema world.Schema
}

func newWalkers(users world.User) *walkers {
	bounds := fixed.Box{Max: fixed.Vec{X: pathLength, Y: pathWidth.MulInt(int64(users) + 1)}}
	goal := func(slot world.Slot) world.Variable {
		return world.Variable{Name: "goal", Slot: slot, Type: world.Fixed, Max: int64(pathLength)}
	}
	return &walkers{users: users, schema: world.Schema{
		Name: "walkers", Tick: 50 * world.Millisecond, Bounds: bounds,
		Kinds: []world.Kind{{
			Name:      "walker",
			Variables: append(world.Placed(bounds, 1, fixed.One/64), goal(world.AttrSlot(walkerGoal))),
			Threshold: fixed.One,
		}},
		Verbs: []world.Verb{Go: {Name: "go", Args: []world.Variable{goal(0)}}},
	}}
}

func (w *walkers) Schema() *world.Schema { return &w.schema }
func (w *walkers) Users() world.User     { return w.users }
func (w *walkers) Limits() world.Limits {
	return world.Limits{Sight: eyesight, Effect: fixed.One, Speed: pace}
}

func (w *walkers) Populate(s *world.State) {
	for u := world.User(1); u <= w.users; u++ {
		o := world.Object{ID: world.ID(u), User: u, Pos: fixed.Vec{X: pathLength.MulInt(int64(u)) / (fixed.F(w.users) + 1), Y: pathWidth.MulInt(int64(u))}}
		o.Attr[walkerGoal] = int64(o.Pos.X)
		s.Put(o)
	}
}

func (w *walkers) Act(win *world.Window, a *world.Action) {
	if o := win.Edit(world.ID(a.User)); o != nil {
		o.Attr[walkerGoal] = a.Args[0]
	}
}

func (w *walkers) Step(win *world.Window) {
	for o := range win.Open() {
		w.Extrapolate(o, w.schema.Tick)
	}
}

func (w *walkers) Extrapolate(o *world.Object, dt world.Time) {
	step := pace.Mul(world.Seconds(dt))
	o.Pos.X += (fixed.F(o.Attr[walkerGoal]) - o.Pos.X).Clamp(-step, step)
}

func (w *walkers) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	f.Write(world.ID(a.User))
}

func (w *walkers) Player(u world.User, r random.Stream) world.Player { return &stroller{u, r} }

// stroller goes somewhere else upon arrival, and now and then before.
type stroller struct {
	user   world.User
	random random.Stream
}

func (p *stroller) Play(v world.View, act func(world.Action)) {
	o := v.State.Get(world.ID(p.user))
	if o == nil || int64(o.Pos.X) != o.Attr[walkerGoal] && p.random.Below(100) != 0 || p.random.Below(5) != 0 {
		return
	}
	act(world.Action{Verb: Go, Target: o.ID, Args: [world.MaxArgs]int64{int64(p.random.Between(0, pathLength))}})
}

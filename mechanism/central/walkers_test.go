package central

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// walkers is a plain with people who walk about: each user has one walker, who sees a little way. Users come and go. Every
// third object is hidden from users who stand on the left half of the plain, if it is veiled.
type walkers struct {
	users  world.User
	schema world.Schema
	sight  fixed.F
}

const (
	steer       world.VerbID = 0
	walkerSpeed              = 2 * fixed.One
)

// newWalkers returns a plain so wide that a walker has about so many others within sight, or all of them.
func newWalkers(users world.User, neighbours int64) *walkers {
	const sight = 20 * fixed.One
	// Within sight of a walker are 1257 square metres.
	side := fixed.FromInt(1257 * int64(users)).DivInt(max(neighbours, 1)).Sqrt()
	w := &walkers{users: users, sight: sight}
	if neighbours >= int64(users) {
		w.sight = 4 * side
	}
	box := fixed.Box{Max: fixed.Vec{X: side, Y: side}}
	speed := func(name string, slot world.Slot) world.Variable {
		return world.Variable{Name: name, Slot: slot, Type: world.Fixed, Min: -int64(walkerSpeed), Max: int64(walkerSpeed)}
	}
	w.schema = world.Schema{
		Name: "walkers", Tick: 100 * world.Millisecond, Bounds: box,
		Kinds: []world.Kind{{
			Name:      "walker",
			Variables: append(world.Placed(box, 1, fixed.One/64), world.Moving(box, walkerSpeed, 1, fixed.One/64)...),
		}},
		Verbs: []world.Verb{{Name: "steer", Args: []world.Variable{speed("x", 0), speed("y", 1)}}},
	}
	return w
}

func (w *walkers) Schema() *world.Schema { return &w.schema }
func (w *walkers) Users() world.User     { return w.users }
func (w *walkers) Limits() world.Limits {
	return world.Limits{Sight: w.sight, Effect: fixed.One, Speed: 2 * walkerSpeed}
}

func (w *walkers) Populate(s *world.State) {
	for u := world.User(1); u <= w.users; u++ {
		s.Put(w.walker(s.Seed(), u))
	}
}

// walker is a user's walker where it starts.
func (w *walkers) walker(seed uint64, u world.User) world.Object {
	r := random.New(seed, "walkers", uint64(u))
	side := w.schema.Bounds.Max.X
	return world.Object{ID: world.ID(u), User: u, Pos: fixed.Vec{X: r.Between(0, side), Y: r.Between(0, side)}}
}

func (w *walkers) Enter(win *world.Window, u world.User) {
	if win.Get(world.ID(u)) == nil {
		win.State().Put(w.walker(win.State().Seed(), u))
	}
}

func (w *walkers) Leave(win *world.Window, u world.User) { win.Remove(world.ID(u)) }

func (w *walkers) Act(win *world.Window, a *world.Action) {
	if o := win.Edit(world.ID(a.User)); o != nil {
		o.Vel.X, o.Vel.Y = fixed.F(a.Args[0]), fixed.F(a.Args[1])
	}
}

func (w *walkers) Step(win *world.Window) {
	for o := range win.Open() {
		if o.Vel == (fixed.Vec{}) {
			continue
		}
		world.Drift(o, w.schema.Tick)
		o.Pos.X, o.Vel.X = bounce(o.Pos.X, o.Vel.X, w.schema.Bounds.Max.X)
		o.Pos.Y, o.Vel.Y = bounce(o.Pos.Y, o.Vel.Y, w.schema.Bounds.Max.Y)
	}
}

func bounce(at, speed, side fixed.F) (fixed.F, fixed.F) {
	switch {
	case at < 0:
		return -at, speed.Abs()
	case at > side:
		return 2*side - at, -speed.Abs()
	}
	return at, speed
}

func (w *walkers) Extrapolate(o *world.Object, dt world.Time) {
	world.Drift(o, dt)
	o.Pos = w.schema.Bounds.Clamp(o.Pos)
}

func (w *walkers) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	f.Write(world.ID(a.User))
}

// Player returns a user who often walks another way.
func (w *walkers) Player(_ world.User, r random.Stream) world.Player { return &stroller{r} }

type stroller struct{ random random.Stream }

func (p *stroller) Play(_ world.View, act func(world.Action)) {
	if p.random.Below(5) == 0 {
		act(steering(p.random.Between(-walkerSpeed, walkerSpeed), p.random.Between(-walkerSpeed, walkerSpeed)))
	}
}

func steering(x, y fixed.F) world.Action {
	return world.Action{Verb: steer, Args: [world.MaxArgs]int64{int64(x), int64(y)}}
}

// veiled is a plain on which not all can be seen.
type veiled struct{ *walkers }

func (v veiled) Sees(s *world.State, u world.User, o *world.Object) bool {
	me := s.Get(world.ID(u))
	return o.ID%3 != 0 || me == nil || me.Pos.X > v.schema.Bounds.Max.X/2
}

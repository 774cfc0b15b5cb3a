package rts

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects in the measured game, as they stand in the schema.
const (
	kindAvatar world.KindID = iota
	kindBase
)

// Go is the verb of the measured game, and the first of the playable one: the avatar Target goes straight to the place
// Args[0], Args[1], in sixteenths of a tile.
const Go world.VerbID = 0

// attrCollisions counts how often an avatar on its way has met another, standing or not: come nearer than both are wide.
const attrCollisions = 2

const (
	maxCollisions = 1 << 30
	camp          = 10 * tile // how far from the base a user's avatars are at first, along each axis
	captains      = 10        // one avatar in so many is worth more than the others
	captainValue  = 5
	threshold     = tile / 2 // how far an avatar may be misplaced before a user minds
)

// What the random streams of the rules are for.
const (
	purposeSettle = iota
	purposeGrid
	purposeStepOut
)

// march is the measured game: avatars that walk where their users send them.
type march struct {
	Config
	schema world.Schema
	gait   gait
}

var (
	_ world.Inhabited = (*march)(nil)
	_ world.Limited   = (*march)(nil)
	_ world.Valued    = (*march)(nil)
)

var _ interface {
	world.World
	world.Inhabited
	world.Limited
	world.Valued
} = (*march)(nil)

func newMarch(c Config) *march {
	m := &march{Config: c, gait: newGait(c.Speed, c.Tick, c.bounds())}
	m.schema = m.describe()
	return m
}

func (m *march) describe() world.Schema {
	bounds := m.bounds()
	avatar := append(walker(bounds, m.gait.speed),
		world.Variable{Name: "collisions", Slot: world.AttrSlot(attrCollisions), Max: maxCollisions})
	return world.Schema{
		Name:   "rts",
		Tick:   m.Tick,
		Bounds: bounds,
		Kinds: []world.Kind{
			kindAvatar: {Name: "avatar", Variables: avatar, Radius: avatarRadius, Threshold: threshold},
			kindBase:   {Name: "base", Variables: world.Placed(bounds, 0, 0), Radius: 2 * tile, Threshold: threshold},
		},
		Verbs: []world.Verb{Go: {Name: "go", Args: place(bounds, "", 0)}},
	}
}

// walker are the variables of something that walks: what users look at is where it is, then where it is heading.
func walker(bounds fixed.Box, speed fixed.F) []world.Variable {
	vars := append(world.Placed(bounds, 10, tile/32), world.Moving(bounds, speed, 3, tile/128)...)
	return append(vars, distance("goal-x", attrGoalX, bounds.Max.X), distance("goal-y", attrGoalY, bounds.Max.Y))
}

func distance(name string, attr int, most fixed.F) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Type: world.Fixed, Max: int64(most), Quantum: int64(tile / 32), Unit: "tiles"}
}

// place are the arguments of a verb that are a place, from a slot on.
func place(bounds fixed.Box, prefix string, slot world.Slot) []world.Variable {
	return []world.Variable{
		{Name: prefix + "x", Slot: slot, Max: sixteenths(bounds.Max.X), Unit: "tiles/16"},
		{Name: prefix + "y", Slot: slot + 1, Max: sixteenths(bounds.Max.Y), Unit: "tiles/16"},
	}
}

// sixteenths is a coordinate as commands have it.
func sixteenths(f fixed.F) int64 { return f.MulInt(16).Floor() }

// placeOf is the place that two arguments of an action stand for.
func placeOf(args []int64) fixed.Vec {
	return fixed.Vec{X: fixed.Ratio(args[0], 16), Y: fixed.Ratio(args[1], 16)}
}

// goTo is the action of sending an avatar to a place.
func goTo(avatar world.ID, to fixed.Vec) world.Action {
	return world.Action{Verb: Go, Target: avatar, Args: [world.MaxArgs]int64{sixteenths(to.X), sixteenths(to.Y)}}
}

// A user's objects are numbered in one row, the base first: whoever commands them knows them without looking.
func (m *march) baseOf(u world.User) world.ID {
	return 1 + world.ID(u-1)*world.ID(m.Avatars+1)
}

// avatarOf is a user's avatar by its number, from zero.
func (m *march) avatarOf(u world.User, n int) world.ID { return m.baseOf(u) + 1 + world.ID(n) }

// Schema describes avatars and bases.
func (m *march) Schema() *world.Schema { return &m.schema }

// Users is how many there are at the start.
func (m *march) Users() world.User { return world.User(m.Config.Users) }

// Populate puts every user's base somewhere, and the avatars around it.
func (m *march) Populate(s *world.State) {
	for u := world.User(1); u <= m.Users(); u++ {
		r := random.New(s.Seed(), "rts", uint64(u))
		m.settle(u, &r, func(o world.Object) { s.Put(o) })
	}
}

// settle makes a user's objects.
func (m *march) settle(u world.User, r *random.Stream, put func(world.Object)) {
	base := world.Object{ID: m.baseOf(u), User: u, Kind: kindBase, Pos: within(m.schema.Bounds, r)}
	put(base)
	for n := range m.Avatars {
		pos := m.schema.Bounds.Clamp(base.Pos.Add(within(around(camp), r)))
		o := world.Object{ID: m.avatarOf(u, n), User: u, Kind: kindAvatar, Pos: pos}
		setGoal(&o, pos)
		put(o)
	}
}

// around is a square about nothing.
func around(half fixed.F) fixed.Box {
	return fixed.Box{Min: fixed.Vec{X: -half, Y: -half}, Max: fixed.Vec{X: half, Y: half}}
}

// within returns a random place in a flat box.
func within(b fixed.Box, r *random.Stream) fixed.Vec {
	x := r.Between(b.Min.X, b.Max.X) // before y, since the stream has an order
	return fixed.Vec{X: x, Y: r.Between(b.Min.Y, b.Max.Y)}
}

// Act sends an avatar somewhere.
func (m *march) Act(w *world.Window, a *world.Action) {
	if !m.commands(w.Get(a.Target), a.User) {
		return
	}
	if o := w.Edit(a.Target); o != nil {
		m.gait.send(o, placeOf(a.Args[:]))
	}
}

// commands reports whether an object is an avatar of a user's.
func (m *march) commands(o *world.Object, u world.User) bool {
	return o != nil && o.Kind == kindAvatar && o.User == u
}

// Reach: a command touches the avatar that it is for. One for somebody else's avatar only finds that out.
func (m *march) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if a.Verb != Go { // the user comes or goes
		for id := m.baseOf(a.User); id < m.baseOf(a.User+1); id++ {
			f.Write(id)
		}
		return
	}
	if m.commands(s.Get(a.Target), a.User) {
		f.Write(a.Target)
	} else {
		f.Read(a.Target)
	}
}

// Step lets those that walk dodge one another and then walk. Those that stand, and those that are somebody else's to move, cost
// a look.
func (m *march) Step(w *world.Window) {
	for o := range w.All() {
		if m.Collide && moves(o) && w.May(o) {
			m.dodge(w, o)
		}
	}
	for o := range w.All() {
		if moves(o) && w.May(o) {
			o := w.Edit(o.ID)
			m.gait.walk(o, takeAside(o))
		}
	}
}

// dodge counts whom a walking avatar that may be changed meets, and notes how it steps aside.
func (m *march) dodge(w *world.Window, o *world.Object) {
	met, aside := m.gait.touch(w, o, isAvatar)
	if met == 0 && aside == (fixed.Vec{}) {
		return
	}
	o = w.Edit(o.ID)
	o.Attr[attrCollisions] = min(o.Attr[attrCollisions]+met, maxCollisions)
	noteAside(o, aside)
}

func isAvatar(k world.KindID) bool { return k == kindAvatar }

// Extrapolate lets an avatar walk on to where it was sent.
func (m *march) Extrapolate(o *world.Object, dt world.Time) {
	if o.Kind == kindAvatar {
		extrapolate(o, dt)
	}
}

// Enter gives a user a base and avatars.
func (m *march) Enter(w *world.Window, u world.User) {
	if u == 0 || w.Get(m.baseOf(u)) != nil {
		return
	}
	r := w.Random(m.baseOf(u), purposeSettle)
	m.settle(u, &r, func(o world.Object) { w.Put(o) })
}

// Leave takes a user's base and avatars away.
func (m *march) Leave(w *world.Window, u world.User) {
	if u == 0 {
		return
	}
	for n := range m.Avatars {
		w.Remove(m.avatarOf(u, n))
	}
	w.Remove(m.baseOf(u))
}

// Limits: an avatar sees as far as anything it does can reach, unless it is so fast that it meets others from beyond that.
func (m *march) Limits() world.Limits {
	return world.Limits{Sight: m.Vision, Effect: max(m.Vision, contact+2*m.gait.stride), Speed: m.gait.speed}
}

// Value: one avatar in ten is a captain and worth five others. The base is worth as much as all of them would without
// captains, so that a user's interest stays at home unless most of the avatars leave it.
func (m *march) Value(_ *world.State, o *world.Object) int64 {
	switch {
	case o.User == 0:
		return 0
	case o.Kind == kindBase:
		return int64(m.Avatars)
	case (o.ID-m.baseOf(o.User))%captains == 1:
		return captainValue
	}
	return 1
}

// Player returns an artificial user.
func (m *march) Player(u world.User, r random.Stream) world.Player {
	return &commander{march: m, user: u, random: r}
}

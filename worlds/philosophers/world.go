package philosophers

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects, as they stand in the schema.
const (
	kindPhilosopher world.KindID = iota
	kindFork
)

// The verbs of this world.
const (
	Grab    world.VerbID = iota // take both forks, if both are free
	Release                     // put them down
)

// The attributes.
const (
	attrEating = 0 // philosopher
	attrMeals  = 1 // philosopher: how many there were, the present one included
	attrHolder = 0 // fork: whose hand it is in, or zero
)

const mealsMax = 1 << 40

// forkBase is where the IDs of forks begin: philosophers have those of their users.
const forkBase world.ID = 1 << 32

func philosopherOf(u world.User) world.ID { return world.ID(u) }

// table is the world.
type table struct {
	Config
	schema world.Schema
	radius fixed.F
}

var (
	_ world.Limited = (*table)(nil)
	_ world.Scored  = (*table)(nil)
	_ world.Still   = (*table)(nil)
)

var _ interface {
	world.World
	world.Limited
	world.Scored
	world.Still
} = (*table)(nil)

func newTable(c Config) *table {
	t := &table{Config: c}
	const turn = 2 * 355 // by 113
	t.radius = max(c.Spacing.MulInt(int64(c.Count)*113).DivInt(turn), c.Spacing/2)
	edge := t.radius.MulInt(2) + fixed.One
	bounds := fixed.Box{Max: fixed.Vec{X: edge, Y: edge}}
	t.schema = world.Schema{
		Name:   "philosophers",
		Tick:   c.Tick,
		Bounds: bounds,
		Kinds: []world.Kind{
			kindPhilosopher: {Name: "philosopher", Radius: fixed.One, Threshold: fixed.One, Variables: append(world.Placed(bounds, 0, 0),
				world.Variable{Name: "eating", Slot: world.AttrSlot(attrEating), Type: world.Flag, Max: 1, Weight: 1},
				world.Variable{Name: "meals", Slot: world.AttrSlot(attrMeals), Max: mealsMax})},
			kindFork: {Name: "fork", Threshold: fixed.One, Variables: append(world.Placed(bounds, 0, 0),
				world.Variable{Name: "holder", Slot: world.AttrSlot(attrHolder), Max: int64(c.Count), Weight: 1})},
		},
		Verbs: []world.Verb{Grab: {Name: "grab"}, Release: {Name: "release"}},
	}
	return t
}

// Schema describes philosophers and forks.
func (t *table) Schema() *world.Schema { return &t.schema }

// Users is the number of philosophers.
func (t *table) Users() world.User { return world.User(t.Count) }

// forks are those to the right and to the left of a user.
func (t *table) forks(u world.User) [2]world.ID {
	return [2]world.ID{forkBase + world.ID(u), forkBase + world.ID(u%t.Users()+1)}
}

// Populate sets the table. A fork lies half a seat before the philosopher with its number.
func (t *table) Populate(s *world.State) {
	for u := world.User(1); u <= t.Users(); u++ {
		seat := 2 * int64(u)
		s.Put(world.Object{ID: philosopherOf(u), Kind: kindPhilosopher, User: u, Pos: t.at(seat)})
		s.Put(world.Object{ID: forkBase + world.ID(u), Kind: kindFork, Pos: t.at(seat - 1)})
	}
}

// at is a place on the ring, counted in half seats.
func (t *table) at(half int64) fixed.Vec {
	angle := fixed.Angle(uint64(half) << 31 / uint64(t.Count))
	centre := fixed.Vec{X: t.schema.Bounds.Max.X / 2, Y: t.schema.Bounds.Max.Y / 2}
	return centre.Add(fixed.Polar(t.radius, angle))
}

// Limits: one sees one's neighbours and reaches half as far, and nobody moves.
func (t *table) Limits() world.Limits {
	return world.Limits{Sight: t.Spacing + fixed.One, Effect: t.Spacing/2 + fixed.One}
}

// Still says that a step changes nothing.
func (t *table) Still() {}

// Score is how many meals were had.
func (t *table) Score(s *world.State) fixed.F {
	var sum int64
	for u := world.User(1); u <= t.Users(); u++ {
		if o := s.Get(philosopherOf(u)); o != nil {
			sum += o.Attr[attrMeals]
		}
	}
	return fixed.FromInt(sum)
}

// ScoreName is what is counted.
func (t *table) ScoreName() string { return "meals" }

// Player returns a philosopher's artificial user.
func (t *table) Player(u world.User, _ random.Stream) world.Player { return newPlayer(t, u) }

package manhattan

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// kindAvatar is the only kind of object.
const kindAvatar world.KindID = 0

// Move is the verb of this world: go a stride, in the direction Args[0] if that is not zero, else straight on. The
// directions are right, up, left and down, from one.
const Move world.VerbID = 0

// What random numbers of this world are for.
const (
	purposeWalls = iota
	purposeEnter
	purposeTurn
)

const (
	unit = fixed.One
	body = unit        // how near avatars come to one another; they are as square as the city
	gap  = unit / 1024 // how near they come to walls
)

// city is the world: its parameters, and what follows from them.
type city struct {
	Config
	schema world.Schema
	speed  fixed.F    // of those who move at the usual intervals
	cost   world.Work // of a move
}

var (
	_ world.Coster    = (*city)(nil)
	_ world.Inhabited = (*city)(nil)
	_ world.Limited   = (*city)(nil)
	_ world.Scenic    = (*city)(nil)
	_ world.Still     = (*city)(nil)
)

var _ interface {
	world.World
	world.Coster
	world.Inhabited
	world.Limited
	world.Scenic
	world.Still
} = (*city)(nil)

func newCity(c Config) *city {
	v := &city{Config: c, speed: c.Stride.Div(world.Seconds(c.Every)), cost: world.Work(c.Cost)}
	if c.Cost == 0 {
		v.cost = wallCost(c.Walls)
	}
	v.schema = describe(c, v.speed)
	return v
}

// wallCost is what a move costs among so many walls: 6.95 µs for each of those that are looked at, which is one in 93.4.
func wallCost(walls int) world.Work {
	const atMost, of = 7_440_000, 100_000
	return world.Work(walls) * atMost / of
}

func describe(c Config, speed fixed.F) world.Schema {
	bounds := fixed.Box{Max: fixed.Vec{X: c.Side, Y: c.Side}}
	return world.Schema{
		Name:   "manhattan",
		Tick:   c.Tick,
		Bounds: bounds,
		Kinds: []world.Kind{kindAvatar: {
			Name:      "avatar",
			Variables: append(world.Placed(bounds, 10, unit/256), world.Moving(bounds, speed, 1, 0)...),
			Radius:    body / 2,
			Threshold: c.Stride / 2,
		}},
		Verbs: []world.Verb{Move: {Name: "move", Args: []world.Variable{{Name: "direction", Slot: 0, Max: 4}}}},
	}
}

// Schema describes avatars and their moves.
func (c *city) Schema() *world.Schema { return &c.schema }

// Users is the number of avatars at the start.
func (c *city) Users() world.User { return world.User(c.Avatars) }

// avatarOf is the object that a user moves.
func avatarOf(u world.User) world.ID { return world.ID(u) }

// Populate puts the avatars where they start. In a block, they fill its rows one after the other.
func (c *city) Populate(s *world.State) {
	n := rows(c.Avatars)
	corner := (c.Side - c.Spacing.MulInt(n-1)) / 2
	for u := world.User(1); u <= c.Users(); u++ {
		o := c.arrive(s.Seed(), u)
		if c.Start == startBlock {
			at := int64(u - 1)
			o.Pos = fixed.Vec{X: corner + c.Spacing.MulInt(at%n), Y: corner + c.Spacing.MulInt(at/n)}
		}
		s.Put(o)
	}
}

// rows is how many rows and columns a block of avatars has.
func rows(avatars int) int64 {
	n := int64(1)
	for n*n < int64(avatars) {
		n++
	}
	return n
}

// arrive is a user's avatar as it comes into the city: anywhere, heading anywhere.
func (c *city) arrive(seed uint64, u world.User) world.Object {
	r := random.Of(seed, uint64(u), purposeEnter)
	at := fixed.Vec{X: r.Between(0, c.Side), Y: r.Between(0, c.Side)}
	return world.Object{ID: avatarOf(u), Kind: kindAvatar, User: u, Pos: at, Vel: c.heading(int64(r.Below(4)))}
}

// heading is the velocity in a direction: right, up, left and down, from zero.
func (c *city) heading(direction int64) fixed.Vec {
	return fixed.Polar(c.speed, fixed.QuarterTurn*fixed.Angle(direction))
}

// Limits: a user who moves at the usual intervals keeps them.
func (c *city) Limits() world.Limits {
	return world.Limits{Sight: c.Sight, Effect: c.Effect, Speed: c.speed}
}

// Cost is what a move takes to work out.
func (c *city) Cost(_ *world.State, a *world.Action) world.Work {
	if a.Verb != Move {
		return 0
	}
	return c.cost
}

// Still says that a step changes nothing.
func (c *city) Still() {}

// Player returns an avatar's artificial user.
func (c *city) Player(_ world.User, r random.Stream) world.Player { return newPlayer(c, r) }

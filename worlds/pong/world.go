package pong

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects, as they stand in the schema.
const (
	kindBall world.KindID = iota
	kindRacket
	kindScore
)

// Move is the verb of this world: let the racket go to the height Args[0], in whole px.
const Move world.VerbID = 0

// The attributes.
const (
	attrPast   = 0 // ball: how often it got past the first user's racket; after that, the second's
	attrGoal   = 0 // racket: where it should go
	attrPoints = 0 // score: how many points the user has made
)

// The objects: a step goes through them in this order.
const ball world.ID = 1

func racketOf(u world.User) world.ID { return ball + world.ID(u) }
func scoreOf(u world.User) world.ID  { return racketOf(users) + world.ID(u) }

// users is how many play: the first on the left, the second on the right.
const users world.User = 2

func opponent(u world.User) world.User { return users + 1 - u }

// px is a pixel.
const px = fixed.One

// Below these misplacements nobody minds; rackets are long.
const (
	ballThreshold   = 5 * px
	racketThreshold = 25 * px
)

// court is the world: its parameters, and what follows from them.
type court struct {
	Config
	schema     world.Schema
	dt         fixed.F // a tick, in seconds
	deflection fixed.Angle
	steepest   fixed.Angle
}

var (
	_ world.Answerer = (*court)(nil)
	_ world.Scored   = (*court)(nil)
)

var _ interface {
	world.World
	world.Answerer
	world.Scored
} = (*court)(nil)

func newCourt(c Config) *court {
	return &court{
		Config:     c,
		schema:     describe(c),
		dt:         world.Seconds(c.Tick),
		deflection: fixed.Degrees(int64(c.Deflection)),
		steepest:   fixed.Degrees(int64(c.Steepest)),
	}
}

func describe(c Config) world.Schema {
	const countMax = 1 << 40
	box := fixed.Box{Max: fixed.Vec{X: c.Width, Y: c.Height}}
	// Users look at where ball and rackets are, then at where the ball is heading. Points sum up the past: a mistake made
	// once would count against a replica for ever.
	ballVars := append(world.Placed(box, 10, px/64), world.Moving(box, c.Top, 3, px/16)...)
	ballVars = append(ballVars,
		world.Variable{Name: "past1", Slot: world.AttrSlot(attrPast), Max: countMax},
		world.Variable{Name: "past2", Slot: world.AttrSlot(attrPast + 1), Max: countMax})
	racket := world.Placed(box, 10, px/64)
	racket[0].Weight = 0 // x never changes
	racket = append(racket, world.Variable{Name: "goal", Slot: world.AttrSlot(attrGoal), Type: world.Fixed,
		Max: int64(c.Height), Quantum: int64(px), Unit: "px"})
	return world.Schema{
		Name:   "pong",
		Tick:   c.Tick,
		Bounds: box,
		Kinds: []world.Kind{
			kindBall:   {Name: "ball", Variables: ballVars, Radius: c.Radius, Threshold: ballThreshold},
			kindRacket: {Name: "racket", Variables: racket, Radius: c.Racket / 2, Threshold: racketThreshold},
			kindScore: {Name: "score", Variables: []world.Variable{
				{Name: "points", Slot: world.AttrSlot(attrPoints), Max: countMax},
			}},
		},
		Verbs: []world.Verb{
			Move: {Name: "move", Args: []world.Variable{{Name: "y", Slot: 0, Max: c.Height.Floor(), Unit: "px"}}},
		},
	}
}

// Schema describes ball, rackets and scores.
func (c *court) Schema() *world.Schema { return &c.schema }

// Users is two.
func (c *court) Users() world.User { return users }

// Populate puts the rackets into the middle of their lines and tosses the ball in.
func (c *court) Populate(s *world.State) {
	b := s.Put(world.Object{ID: ball, Kind: kindBall})
	c.toss(b, random.New(s.Seed(), "pong"))
	for u := world.User(1); u <= users; u++ {
		o := world.Object{ID: racketOf(u), Kind: kindRacket, User: u}
		o.Pos = fixed.Vec{X: c.Inset, Y: c.Height / 2}
		if u == 2 {
			o.Pos.X = c.Width - c.Inset
		}
		o.SetFixed(attrGoal, o.Pos.Y)
		s.Put(o)
		s.Put(world.Object{ID: scoreOf(u), Kind: kindScore, User: u})
	}
}

// Answers gives the ball to the user it flies away from, and each user's points to the opponent.
func (c *court) Answers(_ *world.State, o *world.Object) world.User {
	switch o.Kind {
	case kindBall:
		return opponent(catcher(o))
	case kindScore:
		return opponent(o.User)
	}
	return o.User
}

// catcher is whom the ball flies towards.
func catcher(ball *world.Object) world.User {
	if ball.Vel.X < 0 {
		return 1
	}
	return 2
}

// Score is the points of both users together.
func (c *court) Score(s *world.State) fixed.F {
	var sum int64
	for u := world.User(1); u <= users; u++ {
		if o := s.Get(scoreOf(u)); o != nil {
			sum += o.Attr[attrPoints]
		}
	}
	return fixed.FromInt(sum)
}

// ScoreName is what is counted; the fewer there are, the better the game was shared.
func (c *court) ScoreName() string { return "points" }

// Player returns an artificial user.
func (c *court) Player(u world.User, r random.Stream) world.Player { return newPlayer(c, u, r) }

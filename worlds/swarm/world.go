package swarm

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects, as they stand in the schema.
const (
	kindQueen world.KindID = iota
	kindBee
	kindHoney
)

// Steer is the verb of this world: set the bee's acceleration to Args[0], Args[1], in whole px/s².
const Steer world.VerbID = 0

// The attributes of balls.
const (
	attrAX    = 0 // the acceleration, in px/s²
	attrAY    = 1
	attrDead  = 2 // 1 while the bee is dead
	attrWakes = 3 // the tick at which a dead bee lives again

	// What a step notes about a ball while it looks for collisions. No kind declares these, and they are zero again
	// when the step is done.
	attrShiftX = 5 // how far bounces have moved the ball's path within the tick
	attrShiftY = 6
	attrSince  = 7 // when, in ticks, the ball bounced last
)

// attrHoney is how much a honey object holds.
const attrHoney = 0

// queen is the queen's ID. The bees follow, then their honey: balls come before honey in the order of IDs.
const queen world.ID = 1

func beeOf(u world.User) world.ID { return queen + world.ID(u) }

func (h *hive) honeyOf(u world.User) world.ID { return beeOf(h.users) + world.ID(u) }

// hive is the world: its parameters, and what follows from them.
type hive struct {
	Config
	schema world.Schema
	users  world.User
	dt     fixed.F      // a tick, in seconds
	room   [2]fixed.Box // where the centre of a queen or bee can be, by kind
	reach  [2]fixed.F   // how far a queen or bee can be from a bee that it meets within a tick, by kind
	dead   world.Tick
	turn   world.Tick
	pass   world.Tick

	strips fixed.Vec // how wide the strips are in which collisions are looked for: the upright ones, the level ones
}

var (
	_ world.Answerer = (*hive)(nil)
	_ world.Limited  = (*hive)(nil)
	_ world.Scored   = (*hive)(nil)
)

var _ interface {
	world.World
	world.Answerer
	world.Limited
	world.Scored
} = (*hive)(nil)

func newHive(c Config) *hive {
	h := &hive{
		Config: c,
		users:  world.User(c.Bees),
		dt:     world.Seconds(c.Tick),
		dead:   world.TicksIn(c.Dead, c.Tick),
		turn:   world.TicksIn(c.QueenTurn, c.Tick),
		pass:   world.TicksIn(c.QueenPass, c.Tick),
	}
	for kind, radius := range [...]fixed.F{kindQueen: c.QueenRadius, kindBee: c.BeeRadius} {
		inset := fixed.Vec{X: radius, Y: radius}
		box := c.box()
		h.room[kind] = fixed.Box{Min: box.Min.Add(inset), Max: box.Max.Sub(inset)}
	}
	way := 2 * c.Speed.Mul(h.dt)
	h.reach = [...]fixed.F{kindQueen: c.QueenRadius + c.BeeRadius + way, kindBee: 2*c.BeeRadius + way}
	h.schema = describe(c)
	h.cutStrips()
	return h
}

// px is a pixel.
const px = fixed.One

// threshold is how far a ball may be misplaced before a user minds.
const threshold = 5 * px

func describe(c Config) world.Schema {
	box := c.box()
	// What users look at is where everybody is; after that who is dead, and where everybody is heading. An acceleration is
	// seen only by what it does to the motion and counts least, as Adam suggests (section 6). Honey does not count: it sums
	// up the past, and a mistake made once would count against a replica for ever.
	ball := append(world.Placed(box, 10, px/64), world.Moving(box, c.Speed, 3, px/16)...)
	for i, name := range [...]string{"ax", "ay"} {
		ball = append(ball, world.Variable{Name: name, Slot: world.AttrSlot(attrAX + i), Type: world.Fixed,
			Min: int64(-c.Acceleration), Max: int64(c.Acceleration), Weight: 1, Smooth: true, Quantum: int64(px), Unit: "px/s²"})
	}
	bee := append(ball[:len(ball):len(ball)],
		world.Variable{Name: "dead", Slot: world.AttrSlot(attrDead), Type: world.Flag, Max: 1, Weight: 3},
		world.Variable{Name: "wakes", Slot: world.AttrSlot(attrWakes), Type: world.Moment, Max: 1 << 40},
	)
	honey := []world.Variable{
		{Name: "honey", Slot: world.AttrSlot(attrHoney), Type: world.Fixed, Max: int64(honeyMax), Quantum: int64(fixed.One / 64)},
	}
	limit := c.Acceleration.Floor()
	return world.Schema{
		Name:   "swarm",
		Tick:   c.Tick,
		Bounds: box,
		Kinds: []world.Kind{
			kindQueen: {Name: "queen", Variables: ball, Radius: c.QueenRadius, Threshold: threshold},
			kindBee:   {Name: "bee", Variables: bee, Radius: c.BeeRadius, Threshold: threshold},
			kindHoney: {Name: "honey", Variables: honey},
		},
		Verbs: []world.Verb{
			Steer: {Name: "steer", Args: []world.Variable{
				{Name: "ax", Slot: 0, Min: -limit, Max: limit, Unit: "px/s²"},
				{Name: "ay", Slot: 1, Min: -limit, Max: limit, Unit: "px/s²"},
			}},
		},
	}
}

// Schema describes queen, bees and honey.
func (h *hive) Schema() *world.Schema { return &h.schema }

// Users is the number of bees.
func (h *hive) Users() world.User { return h.users }

// Populate puts every ball into a cell of its own, at rest: the queen into the middle one, the bees in random order.
func (h *hive) Populate(s *world.State) {
	columns, rows, size := h.cells()
	ids := make([]world.ID, columns*rows)
	for i := range ids {
		ids[i] = queen + world.ID(i)
	}
	r := random.New(s.Seed(), "swarm")
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	middle := rows/2*columns + columns/2
	for i := range ids {
		if ids[i] == queen {
			ids[i], ids[middle] = ids[middle], ids[i]
			break
		}
	}
	for i, id := range ids {
		if id > beeOf(h.users) {
			continue // a cell that nobody needs
		}
		o := world.Object{ID: id, Kind: kindBee, User: world.User(id - queen)}
		if id == queen {
			o.Kind = kindQueen
		}
		o.Pos.X = size.X.MulInt(int64(i%columns)) + size.X/2
		o.Pos.Y = size.Y.MulInt(int64(i/columns)) + size.Y/2
		s.Put(o)
	}
	for u := world.User(1); u <= h.users; u++ {
		s.Put(world.Object{ID: h.honeyOf(u), Kind: kindHoney, User: u})
	}
}

// Answers passes the queen round among the users, and has each bee's honey kept by the user of the next bee.
func (h *hive) Answers(s *world.State, o *world.Object) world.User {
	switch o.Kind {
	case kindQueen:
		return 1 + world.User(s.Tick()/h.pass%world.Tick(h.users))
	case kindHoney:
		return o.User%h.users + 1
	}
	return o.User
}

// Limits: everybody sees the whole box. A step reaches as far as honey is earned or balls meet, whichever is more.
func (h *hive) Limits() world.Limits {
	return world.Limits{Sight: h.schema.Bounds.Size().Len() + px, Effect: max(h.Forage, h.reach[kindQueen], h.reach[kindBee]), Speed: h.Speed}
}

// Score is the honey of all bees together.
func (h *hive) Score(s *world.State) fixed.F {
	var sum fixed.F
	for u := world.User(1); u <= h.users; u++ {
		if o := s.Get(h.honeyOf(u)); o != nil {
			sum += o.Fixed(attrHoney)
		}
	}
	return sum
}

// ScoreName is what is gathered.
func (h *hive) ScoreName() string { return "honey" }

// Player returns a bee's artificial user.
func (h *hive) Player(u world.User, _ random.Stream) world.Player { return newPlayer(h, u) }

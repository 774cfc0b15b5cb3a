package combat

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects.
const (
	kindTank world.KindID = iota
	kindPlane
	kindMissile
)

// The verbs of this world.
const (
	Steer world.VerbID = iota // towards the velocity Args[0], Args[1], in thousandths of the unit's highest
	Fire                      // a missile at the place Args[0], Args[1], in metres
)

// The attributes of units.
const (
	attrGoalX = iota // where the user steers, in thousandths
	attrGoalY
	attrHealth  // how many hits it can take
	attrHits    // how often it has hit somebody
	attrReady   // when it may fire again
	attrRises   // when it starts again; zero while it is up
	attrHeading // where it looks
	attrWound   // the missile that hit it last
)

// attrEnds is when a missile burns out.
const attrEnds = 0

// What random numbers of this world are for.
const (
	purposeEnter = iota
	purposeRise
	purposeHills
)

const (
	metre     = fixed.One
	full      = 1000 // thousandths
	healthMax = 3
	hitsMax   = 1 << 40
	reload    = 800 * world.Millisecond
	downtime  = 3 * world.Second
	burning   = 2 * world.Second // for which a missile flies
	blast     = 8 * metre        // how near a missile must come
)

// class is what units of a kind can do.
type class struct{ speed, least, acceleration, radius fixed.F }

var classes = [...]class{
	kindTank:    {speed: 20 * metre, acceleration: 10 * metre, radius: 4 * metre},
	kindPlane:   {speed: 100 * metre, least: 40 * metre, acceleration: 40 * metre, radius: 6 * metre},
	kindMissile: {speed: 250 * metre, least: 250 * metre, radius: metre},
}

// battle is the world: its parameters, and what follows from them.
type battle struct {
	Config
	schema world.Schema
	dt     fixed.F // of a tick, in seconds
}

var (
	_ world.Inhabited = (*battle)(nil)
	_ world.Limited   = (*battle)(nil)
	_ world.Scenic    = (*battle)(nil)
	_ world.Scored    = (*battle)(nil)
	_ world.Veiled    = (*battle)(nil)
)

func newBattle(c Config) *battle {
	return &battle{Config: c, schema: describe(c), dt: world.Seconds(c.Tick)}
}

func describe(c Config) world.Schema {
	bounds := fixed.Box{Max: fixed.Vec{X: c.Side, Y: c.Side}}
	unit := func(name string, k world.KindID) world.Kind {
		goal := func(name string, slot int) world.Variable {
			return world.Variable{Name: name, Slot: world.AttrSlot(slot), Min: -full, Max: full}
		}
		vars := append(world.Placed(bounds, 10, metre/16), world.Moving(bounds, classes[k].speed, 1, metre/64)...)
		return world.Kind{Name: name, Radius: classes[k].radius, Threshold: classes[k].radius, Variables: append(vars,
			goal("goal-x", attrGoalX), goal("goal-y", attrGoalY),
			world.Variable{Name: "health", Slot: world.AttrSlot(attrHealth), Max: healthMax, Weight: 5},
			world.Variable{Name: "hits", Slot: world.AttrSlot(attrHits), Max: hitsMax},
			world.Variable{Name: "ready", Slot: world.AttrSlot(attrReady), Type: world.Moment, Max: 1 << 50},
			world.Variable{Name: "rises", Slot: world.AttrSlot(attrRises), Type: world.Moment, Max: 1 << 50},
			world.Variable{Name: "heading", Slot: world.AttrSlot(attrHeading), Type: world.Angle, Max: 1<<32 - 1, Quantum: 1 << 24, Smooth: true},
			world.Variable{Name: "wound", Slot: world.AttrSlot(attrWound), Type: world.Reference},
		)}
	}
	place := func(name string, slot world.Slot) world.Variable {
		return world.Variable{Name: name, Slot: slot, Max: c.Side.Floor(), Unit: "m"}
	}
	share := func(name string, slot world.Slot) world.Variable {
		return world.Variable{Name: name, Slot: slot, Min: -full, Max: full}
	}
	return world.Schema{
		Name: "combat", Tick: c.Tick, Bounds: bounds,
		Kinds: []world.Kind{
			kindTank:  unit("tank", kindTank),
			kindPlane: unit("plane", kindPlane),
			kindMissile: {Name: "missile", Radius: classes[kindMissile].radius, Threshold: metre, Variables: append(
				append(world.Placed(bounds, 1, metre/16), world.Moving(bounds, classes[kindMissile].speed, 1, metre/64)...),
				world.Variable{Name: "ends", Slot: world.AttrSlot(attrEnds), Type: world.Moment, Max: 1 << 50})},
		},
		Verbs: []world.Verb{
			Steer: {Name: "steer", Args: []world.Variable{share("x", 0), share("y", 1)}},
			Fire:  {Name: "fire", Args: []world.Variable{place("x", 0), place("y", 1)}},
		},
	}
}

// Schema describes units and missiles, and what users can do.
func (b *battle) Schema() *world.Schema { return &b.schema }

// Users is the number of units at the start.
func (b *battle) Users() world.User { return world.User(b.Units) }

// unitOf is the object that a user steers.
func unitOf(u world.User) world.ID { return world.ID(u) }

// Populate puts the units anywhere.
func (b *battle) Populate(s *world.State) {
	for u := world.User(1); u <= b.Users(); u++ {
		s.Put(b.arrive(s.Seed(), u))
	}
}

// arrive is a user's unit as it comes into the battle.
func (b *battle) arrive(seed uint64, u world.User) world.Object {
	r := random.Of(seed, uint64(u), purposeEnter)
	o := world.Object{ID: unitOf(u), Kind: kindTank, User: u, Pos: b.place(&r)}
	if r.Chance(b.Planes) {
		o.Kind = kindPlane
	}
	o.Attr[attrHealth] = healthMax
	heading := r.Angle()
	o.Attr[attrHeading] = int64(heading)
	o.Vel = fixed.Polar(classes[o.Kind].least, heading)
	return o
}

// place is somewhere on the map, or near its middle where everybody walks there.
func (b *battle) place(r *random.Stream) fixed.Vec {
	p := fixed.Vec{X: r.Between(0, b.Side), Y: r.Between(0, b.Side)}
	if b.Walk == walkBorder {
		p.X = b.Side/2 + r.Between(-b.Side/40, b.Side/40)
	}
	return p
}

// Limits: users see as far as the unit with the longest sight, and missiles are the fastest.
func (b *battle) Limits() world.Limits {
	return world.Limits{Sight: max(b.TankSight, b.PlaneSight), Effect: blast + classes[kindMissile].speed.Mul(b.dt), Speed: classes[kindMissile].speed}
}

// Score is how often anybody was hit.
func (b *battle) Score(s *world.State) fixed.F {
	var sum int64
	for o := range s.All() {
		if o.Kind != kindMissile {
			sum += o.Attr[attrHits]
		}
	}
	return fixed.FromInt(sum)
}

// ScoreName is what is counted.
func (b *battle) ScoreName() string { return "hits" }

// Player returns a unit's artificial user.
func (b *battle) Player(u world.User, r random.Stream) world.Player { return newPlayer(b, u, r) }

package crowd

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds of objects, as they stand in the schema.
const (
	kindWalker world.KindID = iota
	kindPlace
	kindShout
)

// The verbs of this world.
const (
	Walk  world.VerbID = iota // walk at the velocity Args[0], Args[1], in cm/s, until told otherwise; zero stops
	Goto                      // go to the place Args[0], Args[1], in cm, around houses
	Shout                     // say something; see Say
)

// The attributes of walkers.
const (
	attrDoing   = 0
	attrFaces   = 1 // where a walker who stands looks; one who walks looks ahead
	attrLook    = 2 // what a walker looks like and is called, for whoever draws them
	attrGoalX   = 3 // where to, for those who are on their way, else where last
	attrGoalY   = 4
	attrArrives = 5 // the tick at which the present leg of the way ends
	attrQuiet   = 6 // the tick before which the walker cannot shout again
	attrErrands = 7 // how many errands the walker has run
)

// What a walker is doing.
const (
	standing  = iota
	walking   // wherever the user steers
	strolling // to a goal nearby
	running   // an errand: to a goal worth the name
)

// The attributes of places.
const (
	attrSort    = 0
	attrWidth   = 1
	attrDepth   = 2
	attrEvent   = 3
	attrChanges = 4 // the tick at which a square's event begins or ends
)

// The sorts of places.
const (
	house = iota
	square
)

// The events that a square can have.
const (
	nothing = iota
	fountain
	market
	concert
	events // how many there are, nothing included
)

// The attributes of shouts. The text is in the first ones; see Said.
const attrFades = world.MaxArgs // the tick at which the shout is gone

// IDs tell kinds apart, and walkers come first: a walker has the user's number, and so has their shout, of which there is
// at most one.
const (
	placeBase world.ID = 1 << 32
	shoutBase world.ID = 2 << 32
)

func walkerOf(u world.User) world.ID { return world.ID(u) }

func shoutOf(u world.User) world.ID { return shoutBase + world.ID(u) }

func (p *plan) placeOf(b block) world.ID { return placeBase + world.ID(b.j*p.blocks+b.i) }

// What the random streams of this world's rules are for.
const (
	purposeEnter = iota
	purposeEvent
)

// maxTick bounds moments in time, for measures and decoders.
const maxTick = 1 << 40

// town is the world: its parameters, and what follows from them.
type town struct {
	Config
	schema world.Schema
	plan   plan
	dt     fixed.F // a tick, in seconds
	sight  fixed.F
	lasts  world.Tick // how long a shout does
	quiet  world.Tick // how long a walker is after one
}

var (
	_ world.Inhabited = (*town)(nil)
	_ world.Limited   = (*town)(nil)
	_ world.Scored    = (*town)(nil)
	_ world.Spoken    = (*town)(nil)
)

var _ interface {
	world.World
	world.Inhabited
	world.Limited
	world.Scored
	world.Spoken
} = (*town)(nil)

func newTown(c Config) *town {
	t := &town{
		Config: c,
		plan:   c.plan(),
		dt:     world.Seconds(c.Tick),
		sight:  c.Sight,
		lasts:  world.TicksIn(c.ShoutLasts, c.Tick),
		quiet:  world.TicksIn(c.ShoutEvery, c.Tick),
	}
	if c.Mode == modeDense {
		t.sight = max(c.Sight, t.plan.bounds.Size().Len()+1)
	}
	t.schema = describe(c, t.plan.bounds)
	return t
}

// Schema describes walkers, places and shouts.
func (t *town) Schema() *world.Schema { return &t.schema }

// Users is the number of walkers at the start.
func (t *town) Users() world.User { return world.User(t.Walkers) }

// Populate builds the town and puts the walkers into it, all of them standing.
func (t *town) Populate(s *world.State) {
	r := random.New(s.Seed(), "crowd")
	for u := world.User(1); u <= t.Users(); u++ {
		s.Put(newWalker(u, t.plan.anywhere(&r), &r))
	}
	for j := range t.plan.blocks {
		for i := range t.plan.blocks {
			s.Put(t.newPlace(block{i, j}, &r))
		}
	}
}

func newWalker(u world.User, at fixed.Vec, r *random.Stream) world.Object {
	o := world.Object{ID: walkerOf(u), Kind: kindWalker, User: u, Pos: at}
	o.Attr[attrLook] = int64(r.Below(looks))
	o.Attr[attrFaces] = int64(r.Angle())
	return o
}

// newPlace returns a house, or a square as it might be found on any day.
func (t *town) newPlace(b block, r *random.Stream) world.Object {
	o := world.Object{ID: t.plan.placeOf(b), Kind: kindPlace, Pos: b.lot().Centre()}
	if t.plan.open(b) {
		o.Attr[attrSort] = square
		if r.Below(uint64(t.EventLasts+t.EventPause)) < uint64(t.EventLasts) {
			t.begin(&o, 0, r)
		} else {
			t.end(&o, 0, r)
		}
		// It has been like that for some time.
		o.Attr[attrChanges] = 1 + int64(r.Below(uint64(o.Attr[attrChanges])))
	}
	o.SetFixed(attrWidth, lot)
	o.SetFixed(attrDepth, lot)
	return o
}

// Limits: nobody's step or action reaches beyond the next step of their own.
func (t *town) Limits() world.Limits {
	return world.Limits{Sight: t.sight, Effect: t.Speed.Mul(t.dt), Speed: t.Speed}
}

// Score is how many errands those present have run.
func (t *town) Score(s *world.State) fixed.F {
	var sum int64
	for o := range s.All() {
		if o.Kind == kindWalker {
			sum += o.Attr[attrErrands]
		}
	}
	return fixed.FromInt(sum)
}

// ScoreName is what is counted.
func (t *town) ScoreName() string { return "errands" }

// Player returns a walker's artificial user.
func (t *town) Player(u world.User, r random.Stream) world.Player {
	return &player{town: t, user: u, random: r}
}

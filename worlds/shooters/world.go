package shooters

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// kindArcher is the only kind of object.
const kindArcher world.KindID = 0

// The verbs of this world.
const (
	Shoot world.VerbID = iota // at the target, if that can be seen
	Rise                      // after a fall
)

// The attributes of archers.
const (
	attrDown  = 0
	attrFalls = 1 // how often the archer was shot
)

// The users, who have the archers with their own numbers.
const (
	userA world.User = 1 + iota
	userB
	userC
	users = userC
)

const (
	metre    = fixed.One
	fallsMax = 1 << 40
)

// Where everybody stands, and the wall.
var (
	bounds = fixed.Box{Max: at(100, 100)}
	posts  = [users + 1]fixed.Vec{userA: at(20, 20), userB: at(80, 20), userC: at(80, 80)}
	wall   = world.Segment{From: at(35, 65), To: at(65, 35)}
)

func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

// yard is the world.
type yard struct {
	Config
	schema world.Schema
}

var (
	_ world.Limited = (*yard)(nil)
	_ world.Scenic  = (*yard)(nil)
	_ world.Scored  = (*yard)(nil)
	_ world.Still   = (*yard)(nil)
	_ world.Veiled  = (*yard)(nil)
)

var _ interface {
	world.World
	world.Limited
	world.Scenic
	world.Scored
	world.Still
	world.Veiled
} = (*yard)(nil)

func newYard(c Config) *yard {
	return &yard{Config: c, schema: world.Schema{
		Name:   "shooters",
		Tick:   c.Tick,
		Bounds: bounds,
		Kinds: []world.Kind{kindArcher: {
			Name: "archer",
			Variables: append(world.Placed(bounds, 1, metre/16),
				world.Variable{Name: "down", Slot: world.AttrSlot(attrDown), Type: world.Flag, Max: 1, Weight: 10},
				world.Variable{Name: "falls", Slot: world.AttrSlot(attrFalls), Max: fallsMax}),
			Radius:    metre,
			Threshold: metre,
		}},
		Verbs: []world.Verb{Shoot: {Name: "shoot"}, Rise: {Name: "rise"}},
	}}
}

// Schema describes archers and what they do.
func (y *yard) Schema() *world.Schema { return &y.schema }

// Users is three.
func (y *yard) Users() world.User { return users }

func archerOf(u world.User) world.ID { return world.ID(u) }

// Populate puts everybody at their posts.
func (y *yard) Populate(s *world.State) {
	for u := userA; u <= users; u++ {
		s.Put(world.Object{ID: archerOf(u), Kind: kindArcher, User: u, Pos: posts[u]})
	}
}

// Limits: an arrow flies across the yard, and nobody moves.
func (y *yard) Limits() world.Limits {
	across := bounds.Size().Len()
	return world.Limits{Sight: across, Effect: across}
}

// Still says that a step changes nothing.
func (y *yard) Still() {}

// Scenery is the wall.
func (y *yard) Scenery(dst []world.Segment, _ uint64, box fixed.Box) []world.Segment {
	if box.Intersects(fixed.Box{Min: wall.From, Max: wall.From}.Union(fixed.Box{Min: wall.To, Max: wall.To})) {
		dst = append(dst, wall)
	}
	return dst
}

// Score is how often anybody was shot.
func (y *yard) Score(s *world.State) fixed.F {
	var sum int64
	for o := range s.All() {
		sum += o.Attr[attrFalls]
	}
	return fixed.FromInt(sum)
}

// ScoreName is what is counted.
func (y *yard) ScoreName() string { return "falls" }

// Player returns an archer's artificial user.
func (y *yard) Player(u world.User, _ random.Stream) world.Player { return newPlayer(y, u) }

package rts

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The verbs of the playable game beside Go. Each is for one of the user's own objects, the target.
const (
	Gather world.VerbID = 1 + iota // a worker gathers from the field at Args[0], Args[1] for the base at Args[2], Args[3]
	Build                          // a base sends a cart to Args[1], Args[2], where it becomes a building of kind Args[0]
	Train                          // a base or barracks trains a unit of kind Args[0]
	Attack                         // a fighter attacks Args[0], last seen at Args[1], Args[2]
	March                          // a fighter goes to Args[0], Args[1] and fights whom it meets
	Offer                          // a base offers Args[0] (ore if positive, wood if negative) for Args[1] of the other
	Trade                          // a worker takes the offer of the base Args[0] beside it
	Stop                           // a unit stays where it is
)

const (
	firstWorkers = 5
	firstOre     = 100
	firstWood    = 100
	fieldRing    = 8 * tile // how far from a base the fields around it are
	fieldsAround = 4
	fieldLeft    = 1500
	spacing      = tile      // how far apart buildings are, between their edges
	room         = 12 * tile // how far from the edge bases are

	digging = 2 * world.Second        // how long it takes to fill a load
	watch   = 200 * world.Millisecond // how often those on guard look around
)

// realm is the playable game.
type realm struct {
	Config
	schema world.Schema
	gaits  [kinds]gait
	takes  [kinds]world.Tick // to train or build one
	rests  [kinds]world.Tick // between blows
	mines  world.Tick        // to fill a load
	glance world.Tick        // how often those on guard look around
}

var (
	_ world.Explained = (*realm)(nil)
	_ world.Inhabited = (*realm)(nil)
	_ world.Limited   = (*realm)(nil)
	_ world.Scored    = (*realm)(nil)
	_ world.Valued    = (*realm)(nil)
	_ world.Veiled    = (*realm)(nil)
)

var _ interface {
	world.World
	world.Inhabited
	world.Limited
	world.Scored
	world.Valued
	world.Veiled
} = (*realm)(nil)

func newRealm(c Config) *realm {
	r := &realm{Config: c, mines: world.TicksIn(digging, c.Tick), glance: world.TicksIn(watch, c.Tick)}
	for k := range sorts {
		s := &sorts[k]
		r.takes[k], r.rests[k] = world.TicksIn(s.takes, c.Tick), world.TicksIn(s.rests, c.Tick)
		if s.walks() {
			r.gaits[k] = newGait(s.speed.Mul(world.Seconds(c.Tick)), c.Tick, c.bounds())
		}
	}
	r.schema = r.describe()
	return r
}

// What a user starts with is numbered in one row; what is made later has the numbers that Window.Create gives.
func homeOf(u world.User) world.ID { return world.ID(u) << 8 }

func workerOf(u world.User, n int) world.ID { return homeOf(u) + 1 + world.ID(n) }

func fieldOf(u world.User, n int) world.ID { return homeOf(u) + 128 + world.ID(n) }

// wild is the number that a field far from anybody's base goes by.
func wild(n int) world.ID { return 1<<32 + world.ID(n) }

// Schema describes fields, buildings and units.
func (r *realm) Schema() *world.Schema { return &r.schema }

// Users is how many there are at the start.
func (r *realm) Users() world.User { return world.User(r.Config.Users) }

// Populate spreads the users' bases evenly over the map, in random order, and fields between them.
func (r *realm) Populate(s *world.State) {
	stream := random.New(s.Seed(), "realm")
	columns, rows := r.sites()
	order := make([]int, columns*rows)
	for i := range order {
		order[i] = i
	}
	stream.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for u := world.User(1); u <= r.Users(); u++ {
		at := r.site(order[u-1], columns, rows)
		r.settle(u, r.inland(at.Add(within(around(2*tile), &stream))), &stream, func(o world.Object) { s.Put(o) })
	}
	n := 0
	for i := range columns * rows {
		if i%columns+1 < columns {
			n = r.putWild(s, n, r.site(i, columns, rows), r.site(i+1, columns, rows))
		}
		if i/columns+1 < rows {
			n = r.putWild(s, n, r.site(i, columns, rows), r.site(i+columns, columns, rows))
		}
	}
}

// putWild puts a field of each sort halfway between two sites, and returns the number of the next field.
func (r *realm) putWild(s *world.State, n int, one, other fixed.Vec) int {
	for _, sort := range []int64{ore, wood} {
		aside := fixed.Vec{X: fixed.FromInt(6*sort - 3)}
		s.Put(r.newField(wild(n), sort, one.Lerp(other, tile/2).Add(aside)))
		n++
	}
	return n
}

// sites cuts the map into as many rectangles as there are users or a few more, each about as wide as high.
func (r *realm) sites() (columns, rows int) {
	rows = 1
	for columns = 1; columns*rows < r.Config.Users; {
		if r.Width*rows >= r.Height*columns {
			columns++
		} else {
			rows++
		}
	}
	return columns, rows
}

// site is the middle of one of these.
func (r *realm) site(n, columns, rows int) fixed.Vec {
	return fixed.Vec{
		X: fixed.Ratio(int64(r.Width*(2*(n%columns)+1)), int64(2*columns)),
		Y: fixed.Ratio(int64(r.Height*(2*(n/columns)+1)), int64(2*rows)),
	}
}

// inland is the place nearest to a given one where a base has room around it.
func (r *realm) inland(at fixed.Vec) fixed.Vec { return r.schema.Bounds.Grow(-room).Clamp(at) }

// settle makes what a user starts with: a base with something in it, a few workers, and fields around.
func (r *realm) settle(u world.User, at fixed.Vec, stream *random.Stream, put func(world.Object)) {
	base := r.newBuilding(homeOf(u), u, kindHall, at)
	base.Attr[attrOre], base.Attr[attrWood] = firstOre, firstWood
	put(base)
	for n := range firstWorkers {
		o := r.newUnit(workerOf(u, n), u, kindWorker, at.Add(fixed.Polar(3*tile, stream.Angle())))
		o.Attr[attrHome] = spot(base.Pos)
		put(o)
	}
	turn := stream.Angle()
	for n := range fieldsAround {
		put(r.newField(fieldOf(u, n), int64(n%2), at.Add(fixed.Polar(fieldRing, turn))))
		turn += fixed.QuarterTurn
	}
}

func (r *realm) newField(id world.ID, sort int64, at fixed.Vec) world.Object {
	o := world.Object{ID: id, Kind: kindField, Pos: snap(r.schema.Bounds.Clamp(at))}
	o.Attr[attrSort], o.Attr[attrLeft] = sort, fieldLeft
	return o
}

func (r *realm) newBuilding(id world.ID, u world.User, kind world.KindID, at fixed.Vec) world.Object {
	o := world.Object{ID: id, Kind: kind, User: u, Pos: snap(r.schema.Bounds.Clamp(at))}
	o.Attr[attrHealth] = sorts[kind].health
	return o
}

func (r *realm) newUnit(id world.ID, u world.User, kind world.KindID, at fixed.Vec) world.Object {
	o := r.newBuilding(id, u, kind, at)
	setGoal(&o, o.Pos)
	return o
}

// entries is how many places are looked at for somebody who enters.
const entries = 32

// Enter gives a user a base where bases of others, and whatever of theirs is armed, are farthest: time to get ready.
func (r *realm) Enter(w *world.Window, u world.User) {
	if u == 0 || w.Get(homeOf(u)) != nil {
		return
	}
	stream := w.Random(homeOf(u), purposeSettle)
	var best fixed.Vec
	farthest := fixed.F(-1)
	for range entries {
		at := r.inland(within(r.schema.Bounds, &stream))
		nearest := fixed.Max
		for o := range w.All() {
			if o.User != 0 && o.User != u && (o.Kind == kindHall || sorts[o.Kind].armed()) {
				nearest = min(nearest, o.Pos.Dist(at))
			}
		}
		if nearest > farthest {
			best, farthest = at, nearest
		}
	}
	r.settle(u, best, &stream, func(o world.Object) { w.Put(o) })
}

// Leave takes all that a user has away. The fields stay.
func (r *realm) Leave(w *world.Window, u world.User) {
	inBatches(w, func(o *world.Object) bool { return u != 0 && o.User == u }, func(id world.ID) { w.Remove(id) })
}

// inBatches does something with all objects that are picked, adding or removing objects included.
func inBatches(w *world.Window, pick func(*world.Object) bool, do func(world.ID)) {
	var batch [64]world.ID // nothing may be added or removed while looking, so it goes in rounds
	for n, last := len(batch), world.ID(0); n == len(batch); last = batch[len(batch)-1] {
		n = 0
		for o := range w.All() {
			if o.ID <= last || !pick(o) {
				continue
			}
			batch[n] = o.ID
			if n++; n == len(batch) {
				break
			}
		}
		for _, id := range batch[:n] {
			do(id)
		}
	}
}

// Limits: nothing acts beyond what it sees.
func (r *realm) Limits() world.Limits {
	return world.Limits{Sight: r.Vision, Effect: r.Vision, Speed: r.gaits[kindRider].speed}
}

// Sees reports whether something of the user's is near enough to see an object.
func (r *realm) Sees(s *world.State, u world.User, o *world.Object) bool {
	if o.User == u {
		return true
	}
	for eye := range s.All() {
		if eye.User == u && eye.Pos.Within(o.Pos, r.Vision) {
			return true
		}
	}
	return false
}

// Value is what it cost to train or build an object.
func (r *realm) Value(_ *world.State, o *world.Object) int64 {
	switch {
	case o.User == 0:
		return 0
	case o.Kind == kindCart:
		return sorts[buildingOf(o)].worth()
	}
	return sorts[o.Kind].worth()
}

// Score is the wealth of all users: what they have gathered and not spent, and the cost of all that they have.
func (r *realm) Score(s *world.State) fixed.F {
	var sum int64
	for o := range s.All() {
		sum += r.wealth(s, o)
	}
	return fixed.FromInt(sum)
}

func (r *realm) wealth(s *world.State, o *world.Object) int64 {
	sum := r.Value(s, o)
	if o.Kind == kindHall {
		sum += o.Attr[attrOre] + o.Attr[attrWood]
	}
	return sum
}

// ScoreName is what is counted.
func (r *realm) ScoreName() string { return "wealth" }

// Player returns an artificial opponent of the skill that the world is set to.
func (r *realm) Player(u world.User, stream random.Stream) world.Player {
	return newRival(r, u, stream, r.Skill)
}

// buildingOf is the kind of building that a cart becomes.
func buildingOf(cart *world.Object) world.KindID {
	return world.KindID(min(max(cart.Attr[attrOrder], int64(kindHall)), int64(kindTower)))
}

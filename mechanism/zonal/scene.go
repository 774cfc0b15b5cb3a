package zonal

import (
	"throng/mechanism"
	"throng/mechanism/parts/sight"
	"throng/world"
	"throng/world/fixed"
)

// scene is the part of the world that a node knows. The node runs the rules on what it answers for; the rest is as others told of
// it, and goes on as the rules guess.
type scene struct {
	world     world.World
	schema    *world.Schema
	land      land
	state     *world.State
	window    *world.Window
	placeless []bool
	still     bool
	answerer  world.Answerer
	mine      func(o *world.Object) bool

	ledger world.ByID[entry]
	own    []told // what the node answers for, in the order of IDs
	next   []told
	gone   []removal
	graves []grave    // what others have removed, so that older news does not bring it back
	drop   []world.ID // scratch

	sweepAt world.Time // when something may be due to be forgotten
}

// entry is what is known of something that somebody else answers for.
type entry struct {
	stamp world.Time // when the newest state of it was sent, by this node's clock
	until world.Time // when it is forgotten if nothing is heard of it
}

// told is what others know of something that this node answers for.
type told struct {
	object world.Object // as it was last sent
	at     world.Time   // when that was; never before the first time
}

// removal is something that this node answered for and that is gone. It is said several times, since letters get lost.
type removal struct {
	id   world.ID
	at   world.Object // as it was last told of
	left int
}

const removalRepeats = 3

// grave is something that is gone, and when that is forgotten.
type grave struct {
	id    world.ID
	until world.Time
}

// gravesMax is how much of what is gone is remembered.
const gravesMax = 1 << 12

func newScene(w world.World, l land, seed uint64) *scene {
	s := &scene{world: w, schema: w.Schema(), land: l, state: world.NewState(w.Schema(), seed), placeless: sight.Placeless(w.Schema())}
	s.window = world.NewWindow(s.state)
	s.window.Restrict(func(o *world.Object) bool { return s.mine(o) })
	s.answerer, _ = w.(world.Answerer)
	_, s.still = w.(world.Still)
	return s
}

// owner is the user who answers for an object, or zero where it is for a hybrid node to.
func (s *scene) owner(o *world.Object) world.User {
	if s.answerer != nil {
		if u := s.answerer.Answers(s.state, o); u != 0 {
			return u
		}
	}
	return o.User
}

// zoneOf is the zone whose hybrid node answers for what no user does: what is nowhere is the first one's.
func (s *scene) zoneOf(o *world.Object) int {
	if s.placeless[o.Kind] {
		return 0
	}
	return s.land.Of(o.Pos)
}

func (s *scene) tick() world.Tick { return s.state.Tick() }

// catchUp brings the scene to the tick of a time.
func (s *scene) catchUp(now world.Time) {
	target := mechanism.TickAt(now, s.schema.Tick)
	if behind := target - s.tick(); behind > ticksMax {
		s.state.SetTick(target - ticksMax)
	}
	for s.tick() < target {
		s.window.Look(s.state)
		s.window.Advance(s.world)
		s.drift()
	}
}

// ticksMax is how many ticks are made up for. Who was away for longer has missed the rest.
const ticksMax = 100

// drift moves on by a tick what others answer for.
func (s *scene) drift() {
	if s.still {
		return
	}
	for o := range s.state.All() {
		if !s.mine(o) {
			o = s.state.Edit(o.ID)
			s.world.Extrapolate(o, s.schema.Tick)
			s.schema.Confine(o)
		}
	}
}

// do carries an action out on what the node answers for.
func (s *scene) do(a *world.Action) {
	s.window.Look(s.state)
	s.window.Do(s.world, a)
}

// anybody is a writer who may tell of everything: a hybrid node.
const anybody = ^world.User(0)

// entitled reports whether a user may tell of an object: it answers for it, or did until now.
func (s *scene) entitled(by world.User, known, o *world.Object) bool {
	return by == anybody || s.owner(o) == by || known != nil && s.owner(known) == by
}

// take overwrites an object by its state in a letter of some age, by somebody who is entitled to tell of it, and reports whether it was news.
func (s *scene) take(now, age world.Time, o *world.Object, by world.User, keep world.Time) bool {
	known := s.state.Get(o.ID)
	if !s.entitled(by, known, o) {
		return false
	}
	if known != nil && (known.Kind != o.Kind || s.mine(known)) || known == nil && s.mine(o) {
		return false
	}
	e, heard := s.ledger.Get(o.ID)
	if heard && e.stamp >= now-age {
		return false
	}
	s.ledger.Set(o.ID, entry{stamp: now - age, until: now + keep})
	s.sweepAt = min(s.sweepAt, now+keep)
	s.world.Extrapolate(o, age/s.schema.Tick*s.schema.Tick)
	s.schema.Confine(o)
	s.state.Put(*o)
	return true
}

// lose removes an object because whoever answers for it said so.
func (s *scene) lose(now, age world.Time, id world.ID, by world.User, keep world.Time) {
	known := s.state.Get(id)
	if known != nil && (s.mine(known) || !s.entitled(by, known, known)) {
		return
	}
	if e, heard := s.ledger.Get(id); heard && e.stamp >= now-age {
		return
	}
	s.state.Remove(id)
	if len(s.graves) < gravesMax {
		s.ledger.Set(id, entry{stamp: now - age, until: now + keep})
		s.graves = append(s.graves, grave{id, now + keep})
	}
}

// sweepMax is how long at most nobody looks for what is to be forgotten: things may cease to be kept at any time.
const sweepMax = 250 * world.Millisecond

// forget drops what has not been heard of for too long, unless keeps says that it is to stay.
func (s *scene) forget(now world.Time, keeps func(o *world.Object) bool) {
	if now < s.sweepAt {
		return
	}
	s.drop, s.sweepAt = s.drop[:0], now+sweepMax
	for o := range s.state.All() {
		if s.mine(o) {
			continue
		}
		if e, ok := s.ledger.Get(o.ID); ok && e.until > now {
			s.sweepAt = min(s.sweepAt, e.until)
		} else if !keeps(o) {
			s.drop = append(s.drop, o.ID)
		}
	}
	for _, id := range s.drop {
		s.state.Remove(id)
		s.ledger.Delete(id)
	}
	old := 0
	for ; old < len(s.graves) && s.graves[old].until <= now; old++ {
		if id := s.graves[old].id; s.state.Get(id) == nil {
			s.ledger.Delete(id)
		}
	}
	s.graves = s.graves[:copy(s.graves, s.graves[old:])]
}

// review goes through what the node answers for, and calls due for each object that is to be told of now. What the node no longer
// answers for is somebody else's to tell of; what is no longer there is gone.
func (s *scene) review(now, refresh world.Time, due func(o *world.Object)) (work world.Work) {
	s.next = s.next[:0]
	at := 0
	for o := range s.state.All() {
		for ; at < len(s.own) && s.own[at].object.ID < o.ID; at++ {
			s.miss(&s.own[at])
		}
		known := at < len(s.own) && s.own[at].object.ID == o.ID
		if !s.mine(o) {
			if known {
				at++
			}
			continue
		}
		work++
		t := told{at: -world.Never}
		if known {
			t = s.own[at]
			at++
		}
		rounded := *o
		s.schema.Round(&rounded)
		if rounded != t.object || now-t.at >= refresh {
			t = told{rounded, now}
			due(o)
			work++
		}
		s.next = append(s.next, t)
	}
	for ; at < len(s.own); at++ {
		s.miss(&s.own[at])
	}
	s.own, s.next = s.next, s.own
	return work
}

// miss notes that something that the node answered for is gone.
func (s *scene) miss(t *told) {
	s.gone = append(s.gone, removal{t.object.ID, t.object, removalRepeats})
}

// look sets what a user sees: as far as sight reaches around each of the user's objects. It returns where the user is: at the first of
// them that is anywhere.
func (s *scene) look(u world.User, g *gaze) (at fixed.Vec, somewhere bool) {
	g.centres, g.radius, g.all = g.centres[:0], s.land.sight, s.land.open
	for i := range s.own {
		o := s.state.Get(s.own[i].object.ID)
		if o == nil || o.User != u || s.placeless[o.Kind] {
			continue
		}
		if !somewhere {
			at, somewhere = o.Pos, true
		}
		if len(g.centres) == centreMax {
			g.all = true
			break
		}
		p := o.Pos
		p.Z = 0
		g.centres = append(g.centres, p)
	}
	return at, somewhere
}

// bytes is the memory that the scene holds.
func (s *scene) bytes() int {
	return s.state.Bytes() + 32*s.ledger.Len() + 144*(cap(s.own)+cap(s.next))
}

package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/memo"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// replica is an area as its server and all who simulate it have it: the objects in it, which it alone moves, and those of its
// neighbours that are near. What is where decides whose it is: an object is moved by the area that its place is in. One that
// leaves is no longer moved, or only as the rules guess, until the server that it was handed over to tells of it.
//
// All replicas take the same orders, so that they are equal at equal ticks, and where a run shares work they share the step.
type replica struct {
	world    world.World
	plan     *area.Map
	area     int
	pace     turn.Pace
	follower *memo.Follower
	whole    bool       // it has yet to be cut out of the world: only when all who follow it from the start are there
	work     world.Work // of the whole time

	input  []byte
	reader turn.Reader
	held   world.Set
	news   news
	reckon bool         // whether what is not the area's own goes on as the rules guess
	guess  world.Object // scratch, since rules are handed a pointer to it
	do     func(*world.Window, []byte)
	may    func(*world.Object) bool
}

// newReplica returns a replica of an area as it is at the world's start.
func newReplica(c *Config, s *mechanism.Session, plan *area.Map, number int) *replica {
	r := &replica{world: s.World, plan: plan, area: number, pace: c.pace(s.World.Schema()), reckon: c.Reckon, whole: true}
	r.Rebind()
	r.follower = s.Shared.Follow(uint64(number), s.Start)
	return r
}

// Rebind makes the functions that a replica keeps, so that calling them costs no allocation. Who makes a replica from saved
// memory calls it: functions cannot be saved.
func (r *replica) Rebind() { r.do, r.may = r.run, r.moves }

// restoreReplica returns a replica that goes on from a state of the area.
func restoreReplica(c *Config, s *mechanism.Session, plan *area.Map, number int, at *world.State) *replica {
	r := newReplica(c, s, plan, number)
	r.whole = false
	r.follower.Restart(at)
	return r
}

// state is how the area is, for reading until the next step of any replica.
func (r *replica) state() *world.State {
	if r.whole {
		r.whole = false
		r.follower.Step([]byte{inputCut}, r.do)
	}
	return r.follower.State()
}

func (r *replica) tick() world.Tick { return r.state().Tick() }

// owns reports whether the area moves an object.
func (r *replica) owns(o *world.Object) bool { return r.plan.AreaOf(o) == r.area }

func (r *replica) moves(o *world.Object) bool {
	return r.plan.AreaOf(o) == r.area && (len(r.held) == 0 || !r.held.Has(o.ID))
}

// step lets one tick pass under the orders of its turn.
func (r *replica) step(o *orders) world.Work {
	r.input = o.appendInput(r.input[:0], r.pace.Begins(r.tick()))
	work := r.follower.Step(r.input, r.do)
	r.work += work
	return work
}

// run does what an input says. It must depend on the window's state and on the input alone.
func (r *replica) run(w *world.Window, input []byte) {
	in := wire.NewReader(input)
	switch in.Byte() {
	case inputCut:
		r.cut(w.State())
		return
	case inputTurn:
		r.news.read(w.Schema(), in.Bytes(), w.State())
		r.news.carryOut(w.State())
		w.Look(w.State())
		r.held = readHeld(&in, r.held)
		w.Restrict(r.may)
		r.play(w, in.Rest())
	case inputTick:
		r.held = readHeld(&in, r.held)
		w.Restrict(r.may)
	}
	w.Advance(r.world)
	if r.reckon {
		r.reckonAll(w.State())
	}
}

// reckonAll lets a tick pass for what is not the area's own.
func (r *replica) reckonAll(s *world.State) {
	for o := range s.All() {
		if r.owns(o) {
			continue
		}
		r.guess = *o
		if r.pass(1, false); r.guess != *o {
			*s.Edit(o.ID) = r.guess
		}
	}
}

// goes reports whether the rules guess that an object changes by itself.
func (r *replica) goes(o *world.Object) bool {
	r.guess = *o
	r.world.Extrapolate(&r.guess, r.pace.Tick)
	return r.guess != *o
}

// pass lets some ticks pass for the guess, as the rules guess. It stops before it enters the area, or leaves it if it is
// within: who has an object is decided by its server.
func (r *replica) pass(ticks world.Tick, within bool) {
	for range min(ticks, reckonMax) {
		was := r.guess
		r.world.Extrapolate(&r.guess, r.pace.Tick)
		if r.owns(&r.guess) != within {
			r.guess = was
		}
		if r.guess == was {
			return
		}
	}
}

// reckonMax bounds how far ahead anything is guessed.
const reckonMax = 256

// since brings an object that was so at the end of a turn to the beginning of another one.
func (r *replica) since(o *world.Object, then, now turn.Number, within bool) *world.Object {
	r.guess = *o
	if r.reckon {
		r.pass(r.pace.First(now)-r.pace.First(then+1), within)
	}
	return &r.guess
}

// play carries out what users do. One who enters may appear anywhere; the server hands over who appears elsewhere.
func (r *replica) play(w *world.Window, batch []byte) {
	r.reader.Open(batch)
	for a := r.reader.Next(); a != nil; a = r.reader.Next() {
		if a.Verb == world.Enter {
			w.Restrict(nil)
		}
		w.Do(r.world, a)
		w.Restrict(r.may)
	}
}

// cut leaves of the world what belongs to the area or is near.
func (r *replica) cut(s *world.State) {
	var gone []world.ID
	for o := range s.All() {
		if !r.owns(o) && !r.plan.Concerns(r.area, o) {
			gone = append(gone, o.ID)
		}
	}
	for _, id := range gone {
		s.Remove(id)
	}
}

func (r *replica) close() { r.follower.Close() }

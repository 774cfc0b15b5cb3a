package aos

import (
	"throng/mechanism"
	"throng/mechanism/area"
	"throng/mechanism/lineage"
	"throng/mechanism/turn"
	"throng/world"
	"throng/world/wire"
)

// replica is an area as its server and all who simulate it have it: the objects in it, which it alone moves, and those of its
// neighbours that are near. What is where decides whose it is: an object is moved by the area that its place is in. One that
// leaves stands still from then on, until the server that it was handed over to has something to say of it.
//
// All replicas take the same orders, so that they are equal at equal ticks, and where a run shares work they share the step.
type replica struct {
	world    world.World
	plan     *area.Map
	area     int
	pace     turn.Pace
	follower *lineage.Follower
	whole    bool       // it has yet to be cut out of the world: only when all who follow it from the start are there
	work     world.Work // of the whole time

	input  []byte
	reader turn.Reader
	held   world.Set
	news   news
	do     func(*world.Window, []byte)
	may    func(*world.Object) bool
}

// newReplica returns a replica of an area as it is at the world's start.
func newReplica(s *mechanism.Session, plan *area.Map, number int, pace turn.Pace) *replica {
	r := &replica{world: s.World, plan: plan, area: number, pace: pace, whole: true}
	r.do, r.may = r.run, r.moves
	r.follower = s.Shared.Follow(uint64(number), s.Start)
	return r
}

// restoreReplica returns a replica that goes on from a state of the area.
func restoreReplica(s *mechanism.Session, plan *area.Map, number int, pace turn.Pace, at *world.State) *replica {
	r := newReplica(s, plan, number, pace)
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

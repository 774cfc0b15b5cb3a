package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/memo"
	"throng/mechanism/parts/turn"
	"throng/world"
)

const (
	// longAgo is before anything happened.
	longAgo = -world.Never / 2

	// A replica that is behind takes its ticks faster, by one part in hurryDivisor. Slack is how far behind it makes up for.
	hurryDivisor = 4
	slack        = world.Second
)

// replica is a copy of the world that goes on tick by tick in real time, as long as it knows what to carry out: what the
// server and its clients have in common.
//
// Time is the server's: tick t is due t lengths after the server's clock showed zero, and later by as much as the world has
// fallen behind for good (slip). A replica that is late for its next tick, since it had to wait, makes up for it by and by.
type replica struct {
	world    world.World
	pace     turn.Pace
	follower *memo.Follower
	batches  batches
	trail    trail
	keeps    bool // whether past states are kept
	reader   turn.Reader
	do       func(w *world.Window, batch []byte)

	ahead world.Time // how much more the server's clock shows than the own one
	slip  world.Time
	last  world.Time // when the last tick was taken
	work  world.Work // since it was last charged
}

func newReplica(c *Config, s *mechanism.Session) replica {
	return replica{
		world:    s.World,
		pace:     turn.NewPace(c.Turn, s.World.Schema().Tick),
		follower: s.Shared.Follow(0, s.Start),
		keeps:    c.Check > 0,
		last:     longAgo,
	}
}

// bind is called when the replica is where it stays.
func (r *replica) bind() {
	r.do = func(w *world.Window, batch []byte) {
		r.reader.Play(w, r.world, batch)
		w.Advance(r.world)
	}
}

func (r *replica) tick() world.Tick { return r.follower.State().Tick() }

// restart goes on from another state.
func (r *replica) restart(s *world.State) {
	r.follower.Restart(s)
	r.trail.clear()
	r.batches.begin(r.wants())
}

// wants is the next turn that the replica has to know.
func (r *replica) wants() turn.Number {
	n := r.pace.Of(r.tick())
	if !r.pace.Begins(r.tick()) {
		n++
	}
	return n
}

// missing reports whether the replica has to wait for a turn.
func (r *replica) missing() bool {
	return r.pace.Begins(r.tick()) && !r.batches.has(r.pace.Of(r.tick()))
}

// target is the tick that a replica which has nothing to wait for has reached by now.
func (r *replica) target(now world.Time) world.Tick {
	return mechanism.TickAt(now+r.ahead-r.slip, r.pace.Tick)
}

// due is when the next tick is due: never, while the replica has to wait for what to carry out in it.
func (r *replica) due() world.Time {
	if r.missing() {
		return world.Never
	}
	return r.dueAfter(r.pace.Tick - r.pace.Tick/hurryDivisor)
}

// dueAfter is when the next tick is due if it may follow the last one after a span.
func (r *replica) dueAfter(span world.Time) world.Time {
	return max(mechanism.TimeOf(r.tick()+1, r.pace.Tick)+r.slip-r.ahead, r.last+span)
}

// take lets a tick pass that is due. It returns what was carried out before it, if it is the first of a turn, and for how long
// that was waited for.
func (r *replica) take() (carried []byte, stalled world.Time) {
	at := r.due()
	if tick := r.tick(); r.pace.Begins(tick) {
		_, came := r.batches.get(r.pace.Of(tick))
		stalled = max(came-r.dueAfter(r.pace.Tick), 0)
		at = max(at, came)
	}
	r.last = at
	return r.step(), stalled
}

// step lets a tick pass. It returns what was carried out before it, if it is the first of a turn; that is for reading, until
// another turn comes.
func (r *replica) step() (carried []byte) {
	if tick := r.tick(); r.pace.Begins(tick) {
		carried, _ = r.batches.get(r.pace.Of(tick))
	}
	r.work += r.follower.Step(carried, r.do)
	if r.keeps {
		r.trail.add(r.follower)
	}
	return carried
}

// charge counts the work since the last time.
func (r *replica) charge(out *mechanism.Outbox) {
	out.Charge(r.work)
	r.work = 0
}

// Simulates implements mechanism.Simulating.
func (r *replica) Simulates() int { return r.follower.State().Len() }

// bytes is the memory that the replica takes, if all objects change in each of the ticks kept.
func (r *replica) bytes() int { return r.follower.Bytes()*(1+len(r.trail.past)) + r.batches.bytes() }

package mechanism

import "throng/world"

// Replica is a copy of the world that can be acted on and moved in time: what every mechanism that runs the rules builds
// on. It checks what comes from outside and counts the work.
type Replica struct {
	World  world.World
	State  *world.State
	Window *world.Window
}

// NewReplica returns a replica of the whole world as it is in start.
func NewReplica(w world.World, start *world.State) Replica {
	s := start.Detach()
	return Replica{World: w, State: s, Window: world.NewWindow(s)}
}

// Do carries out an action.
func (r *Replica) Do(a *world.Action) { r.Window.Do(r.World, a) }

// Advance lets one tick pass.
func (r *Replica) Advance() { r.Window.Advance(r.World) }

// Restore puts the replica back into an earlier state.
func (r *Replica) Restore(s *world.State) {
	r.State.CopyFrom(s)
	r.Window.Look(r.State)
}

// TickAt is the tick that a replica in step with the clock has reached at a time.
func TickAt(now, length world.Time) world.Tick {
	if now < 0 {
		return 0
	}
	return world.Tick(now / length)
}

// TimeOf is when a tick begins.
func TimeOf(t world.Tick, length world.Time) world.Time { return world.Time(t) * length }

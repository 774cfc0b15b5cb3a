package measure

import (
	"slices"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Truth is the world as it would be on a network without delay: every user's action is applied in the tick in which it was
// taken, in the canonical order. It runs beside any mechanism, so that drift from it means the same for all.
type Truth struct {
	replica mechanism.Replica
	tick    world.Time
	pending []world.Action
	issued  []world.Tick // of each pending action
}

// NewTruth starts a truth for r. It must observe the run before anything that reads it.
func NewTruth(r *sim.Run) *Truth {
	return &Truth{replica: mechanism.NewReplica(r.Setup().World, r.Start()), tick: r.Start().Schema().Tick}
}

// State is the truth at this tick, for reading.
func (t *Truth) State() *world.State { return t.replica.State }

// Acted implements sim.ActionObserver.
func (t *Truth) Acted(_ *sim.Host, now world.Time, a *world.Action) {
	t.pending = append(t.pending, *a)
	t.issued = append(t.issued, mechanism.TickAt(now, t.tick))
}

// Tick implements sim.TickObserver.
func (t *Truth) Tick(now world.Time) { t.At(now) }

// At is the truth at a time at which everything that happens has happened, for reading.
func (t *Truth) At(now world.Time) *world.State {
	due := mechanism.TickAt(now, t.tick)
	for t.replica.State.Tick() < due {
		t.apply(t.replica.State.Tick())
		t.replica.Advance()
	}
	t.apply(due)
	return t.replica.State
}

// apply carries out the pending actions of a tick.
func (t *Truth) apply(tick world.Tick) {
	n := 0
	for n < len(t.issued) && t.issued[n] <= tick {
		n++
	}
	actions := t.pending[:n]
	slices.SortStableFunc(actions, func(a, b world.Action) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	for i := range actions {
		t.replica.Do(&actions[i])
	}
	t.pending = append(t.pending[:0], t.pending[n:]...)
	t.issued = append(t.issued[:0], t.issued[n:]...)
}

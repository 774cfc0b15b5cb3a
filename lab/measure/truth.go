package measure

import (
	"slices"

	"throng/lab/churn"
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
	coming  []coming
}

// coming is a user who has yet to enter the world, and what they do until that shows.
type coming struct {
	host *sim.Host
	acts []world.Action
}

// NewTruth starts a truth for r. It must observe the run before anything that reads it.
func NewTruth(r *sim.Run) *Truth {
	return &Truth{replica: mechanism.NewReplica(r.Setup().World, r.Start()), tick: r.Start().Schema().Tick}
}

// State is the truth at this tick, for reading.
func (t *Truth) State() *world.State { return t.replica.State }

// Acted implements sim.ActionObserver.
func (t *Truth) Acted(h *sim.Host, now world.Time, a *world.Action) {
	if i := slices.IndexFunc(t.coming, func(c coming) bool { return c.host == h }); i >= 0 {
		if a.Verb != world.Enter { // which shows in the own view
			t.coming[i].acts = append(t.coming[i].acts, *a)
		}
		return
	}
	t.pending = append(t.pending, *a)
	t.issued = append(t.issued, mechanism.TickAt(now, t.tick))
}

// Started implements sim.LifeObserver.
func (t *Truth) Started(h *sim.Host, _ world.Time, e *churn.Event) {
	if h.Place.User != 0 && e.Kind.Starts() {
		t.coming = append(t.coming, coming{host: h})
	}
}

// Stopped implements sim.LifeObserver: who says goodbye leaves.
func (t *Truth) Stopped(h *sim.Host, now world.Time, e *churn.Event) {
	t.coming = slices.DeleteFunc(t.coming, func(c coming) bool { return c.host == h })
	if _, inhabited := t.replica.World.(world.Inhabited); inhabited && e.Kind == churn.Leave && h.Place.User != 0 {
		t.Acted(h, now, &world.Action{User: h.Place.User, Verb: world.Leave})
	}
}

// Tick implements sim.TickObserver.
func (t *Truth) Tick(now world.Time) {
	t.At(now)
	t.coming = slices.DeleteFunc(t.coming, func(c coming) bool {
		entered := t.enter(c.host.Place.User, c.host.View())
		for i := range c.acts {
			if entered {
				t.replica.Do(&c.acts[i])
			}
		}
		return entered
	})
}

// enter takes over what a user has in the own view, once it is there: where somebody enters is the mechanism's doing, and shows
// there first. It reports whether the user is in the world.
func (t *Truth) enter(u world.User, view *world.State) bool {
	if world.Present(t.replica.State, u) {
		return true
	}
	entered := false
	for o := range view.All() {
		if o.User == u && t.replica.State.Get(o.ID) == nil {
			t.replica.State.Put(*o)
			entered = true
		}
	}
	if entered {
		t.replica.Window.Look(t.replica.State)
	}
	return entered
}

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

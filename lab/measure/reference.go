package measure

import (
	"slices"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// outstandingMax is how many of a user's actions are remembered that no authority has carried out yet.
const outstandingMax = 1024

// Reference is the world as it would be if nobody had divided it: one replica that carries out the actions that
// authorities carry out, before the very same ticks. Where two come before the same tick, it follows the order of the
// reports.
type Reference struct {
	replica     mechanism.Replica
	outstanding [][]world.Action // by user, in the order of their numbers
	due         []dueAction      // in the order of the reports
	executed    int64
}

type dueAction struct {
	tick   world.Tick
	action world.Action
}

// NewReference starts a reference for r.
func NewReference(r *sim.Run) *Reference {
	w := r.Setup().World
	return &Reference{replica: mechanism.NewReplica(w, r.Start()), outstanding: make([][]world.Action, lastUser(r)+1)}
}

// State is how far the reference has come, for reading.
func (r *Reference) State() *world.State { return r.replica.State }

// Acted implements sim.ActionObserver.
func (r *Reference) Acted(_ *sim.Host, _ world.Time, a *world.Action) {
	queue := &r.outstanding[a.User]
	if len(*queue) == outstandingMax {
		*queue = slices.Delete(*queue, 0, 1)
	}
	*queue = append(*queue, *a)
}

// Event implements sim.EventObserver.
func (r *Reference) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	if e.Name != mechanism.Executed || int(e.User) >= len(r.outstanding) {
		return
	}
	queue := &r.outstanding[e.User]
	i := slices.IndexFunc(*queue, func(a world.Action) bool { return a.Seq == e.Seq })
	if i < 0 {
		return
	}
	r.executed++
	r.due = append(r.due, dueAction{world.Tick(e.Value), (*queue)[i]})
	*queue = slices.Delete(*queue, i, i+1)
}

// Do carries out what has been reported for the tick that the reference is at, or came too late for an earlier one.
func (r *Reference) Do() {
	now := r.State().Tick()
	kept := r.due[:0]
	for i := range r.due {
		if r.due[i].tick > now {
			kept = append(kept, r.due[i])
			continue
		}
		r.replica.Do(&r.due[i].action)
	}
	r.due = kept
}

// Step carries out what is due and lets one tick pass.
func (r *Reference) Step() {
	r.Do()
	r.replica.Advance()
}

// past are the last states of the reference. Copies share the memory of what does not change.
type past struct{ ring []*world.State }

func newPast(tick world.Time) past {
	return past{make([]*world.State, world.TicksIn(pastKept, tick)+1)}
}

func (p *past) slot(tick world.Tick) **world.State { return &p.ring[int(tick%world.Tick(len(p.ring)))] }

// keep copies a state, also one of the same tick in which more has been done since.
func (p *past) keep(s *world.State) {
	slot := p.slot(s.Tick())
	if *slot == nil {
		*slot = s.Clone()
		return
	}
	(*slot).CopyFrom(s)
}

// at returns the state at a tick, or nil if it is not kept.
func (p *past) at(tick world.Tick) *world.State {
	if s := *p.slot(tick); s != nil && s.Tick() == tick {
		return s
	}
	return nil
}

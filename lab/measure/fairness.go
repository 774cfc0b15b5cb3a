package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

var fairnessFigures = []string{"drops", "drops.max", "drops.spread"}

// Fairness measures which share of the actions that users took were dropped, and whether that hits some more than others.
type Fairness struct {
	users []allotment // by user
}

// allotment is what became of one user's actions.
type allotment struct {
	first   uint32 // the first action that counts
	taken   int
	dropped map[uint32]bool // several nodes may report the same one
}

// NewFairness watches r.
func NewFairness(r *sim.Run) *Fairness {
	return &Fairness{users: make([]allotment, lastUser(r)+1)}
}

// Begin implements sim.Beginner.
func (f *Fairness) Begin(world.Time) { clear(f.users) }

// Acted implements sim.ActionObserver.
func (f *Fairness) Acted(_ *sim.Host, _ world.Time, a *world.Action) {
	u := &f.users[a.User]
	if u.taken == 0 {
		u.first = a.Seq
	}
	u.taken++
}

// Event implements sim.EventObserver.
func (f *Fairness) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	if e.Name != mechanism.Dropped || e.User == 0 || int(e.User) >= len(f.users) {
		return
	}
	u := &f.users[e.User]
	if u.taken == 0 || e.Seq < u.first {
		return
	}
	if u.dropped == nil {
		u.dropped = map[uint32]bool{}
	}
	u.dropped[e.Seq] = true
}

// Report implements Probe.
func (f *Fairness) Report(_ world.Time, emit Emit) {
	var shares stats.Running
	taken, dropped := 0, 0
	for i := range f.users {
		u := &f.users[i]
		if u.taken > 0 {
			shares.Add(float64(len(u.dropped)) / float64(u.taken))
		}
		taken += u.taken
		dropped += len(u.dropped)
	}
	emit("drops", "", over(float64(dropped), taken))
	emit("drops.max", "", shares.Max())
	emit("drops.spread", "", shares.StdDev())
}

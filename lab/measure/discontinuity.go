package measure

import (
	"throng/lab/sim"
	"throng/world"
)

var discontinuityFigures = []string{"discontinuity", "discontinuity.all"}

// Discontinuity measures how much views jump: how far they are, from one tick to the next, from their own continuation.
type Discontinuity struct {
	hosts int
	views *continuations
	sum   gap
	ticks int64
}

// NewDiscontinuity watches r.
func NewDiscontinuity(r *sim.Run) *Discontinuity {
	d := &Discontinuity{hosts: len(clients(r)), views: newContinuations(r)}
	watchEffects(r, d)
	return d
}

// Begin implements sim.Beginner.
func (d *Discontinuity) Begin(world.Time) { d.sum, d.ticks = gap{}, 0 }

func (d *Discontinuity) effect(h *sim.Host, _ world.Time, t *taken) { d.views.applied(h, &t.action) }

// Look implements sim.ViewObserver.
func (d *Discontinuity) Look(_ world.Time, h *sim.Host, view *world.State) {
	g := d.views.follow(h, view)
	d.sum.jump += g.jump
	d.sum.change += g.change
}

// Tick implements sim.TickObserver.
func (d *Discontinuity) Tick(world.Time) {
	d.views.forget()
	d.ticks++
}

// Report implements Probe.
func (d *Discontinuity) Report(_ world.Time, emit Emit) {
	looks := float64(d.ticks) * float64(d.hosts)
	emit(discontinuityFigures[0], "", d.sum.jump/looks)
	emit(discontinuityFigures[1], "", d.sum.change/looks)
}

package measure

import (
	"throng/lab/sim"
	"throng/world"
)

// Discontinuity measures how much views jump because of others.
type Discontinuity struct {
	hosts  int
	scales scales
	weight float64 // of everything, when there were count objects
	count  int
	sum    float64
	ticks  int64
}

// NewDiscontinuity watches r.
func NewDiscontinuity(r *sim.Run) *Discontinuity {
	return &Discontinuity{hosts: len(clients(r)), scales: newScales(r.Start().Schema()), count: -1}
}

// Begin implements sim.Beginner.
func (d *Discontinuity) Begin(world.Time) { d.sum, d.ticks = 0, 0 }

// Tick implements sim.TickObserver.
func (d *Discontinuity) Tick(world.Time) { d.ticks++ }

// Jump implements sim.JumpObserver. An object that appears or goes is no jump of a variable.
func (d *Discontinuity) Jump(_ *sim.Host, before, after *world.State) {
	if n := after.Len(); n != d.count {
		d.weight, d.count = d.scales.jumps(after), n
	}
	var sum float64
	for c := range world.Diff(before, after) {
		if c.Old == nil || c.New == nil || c.Old.Kind != c.New.Kind {
			continue
		}
		for _, sc := range d.scales.kinds[c.New.Kind] {
			g := float64(c.New.Get(sc.slot)-c.Old.Get(sc.slot)) * sc.unit
			sum += float64(sc.jump * g * g)
		}
	}
	if d.weight > 0 {
		d.sum += sum / d.weight
	}
}

// Report implements Probe.
func (d *Discontinuity) Report(_ world.Time, emit Emit) {
	emit("discontinuity", "", d.sum/float64(d.ticks)/float64(d.hosts))
}

package measure

import (
	"math"
	"slices"

	"throng/lab/sim"
	"throng/world"
)

// Divergence measures how far the hosts' views are apart.
type Divergence struct {
	hosts   []*sim.Host
	scales  scales
	objects []spread // in the order of IDs
	sum     float64
	ticks   int64
}

// spread gathers one object's variables over the hosts, as differences from the first host's: integers subtract exactly,
// so that nearly equal values lose no digits.
type spread struct {
	id    world.ID
	kind  world.KindID
	n     int
	first world.Object
	vars  [maxScales]struct{ sum, squares float64 }
}

const maxScales = 6 + world.MaxAttributes

// NewDivergence watches r.
func NewDivergence(r *sim.Run) *Divergence {
	return &Divergence{hosts: clients(r), scales: newScales(r.Start().Schema())}
}

// Begin implements sim.Beginner.
func (d *Divergence) Begin(world.Time) { d.sum, d.ticks = 0, 0 }

// Tick implements sim.TickObserver.
func (d *Divergence) Tick(world.Time) {
	d.sum += d.Now()
	d.ticks++
}

// Now is the divergence at this moment.
func (d *Divergence) Now() float64 {
	d.gather()
	var sum, weights float64
	for i := range d.objects {
		s := &d.objects[i]
		if s.n == 0 {
			continue
		}
		n := float64(s.n)
		for j, sc := range d.scales.kinds[s.kind] {
			v := &s.vars[j]
			mean := v.sum / n
			if variance := v.squares/n - float64(mean*mean); variance > 0 {
				sum += float64(sc.weight * sc.unit * math.Sqrt(variance))
			}
		}
		weights += d.scales.weight[s.kind]
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

func (d *Divergence) gather() {
	for i := range d.objects {
		d.objects[i].n = 0
	}
	for _, h := range d.hosts {
		part, _ := h.Node.(holder)
		at := 0
		for o := range h.View().All() {
			if !holds(part, o.ID) {
				continue
			}
			for at < len(d.objects) && d.objects[at].id < o.ID {
				at++
			}
			if at == len(d.objects) || d.objects[at].id != o.ID {
				d.objects = slices.Insert(d.objects, at, spread{id: o.ID})
			}
			d.add(&d.objects[at], o)
		}
	}
	d.objects = slices.DeleteFunc(d.objects, func(s spread) bool { return s.n == 0 })
}

func (d *Divergence) add(s *spread, o *world.Object) {
	if s.n == 0 {
		s.kind, s.first, s.n = o.Kind, *o, 1
		clear(s.vars[:len(d.scales.kinds[o.Kind])])
		return
	}
	if s.kind != o.Kind {
		return // hosts that disagree on what it is have no common variables
	}
	s.n++
	for j, sc := range d.scales.kinds[s.kind] {
		if delta := float64(o.Get(sc.slot) - s.first.Get(sc.slot)); delta != 0 {
			v := &s.vars[j]
			v.sum += delta
			v.squares += float64(delta * delta)
		}
	}
}

// Report implements Probe.
func (d *Divergence) Report(_ world.Time, emit Emit) {
	emit("divergence", "", d.sum/float64(d.ticks))
}

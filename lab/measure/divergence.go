package measure

import (
	"math"
	"slices"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Divergence measures how far the hosts' views are apart.
type Divergence struct {
	hosts   []*sim.Host
	scales  scales
	objects []spread // in the order of IDs
	known   perView[echo]
	own     echo // of the view that is being looked at
	sum     float64
	ticks   int64
}

// spread gathers one object's variables over the hosts.
type spread struct {
	id   world.ID
	kind world.KindID
	n    int32
	vars []variable
}

// variable gathers differences from the first host's value: integers subtract exactly, so that nearly equal values lose no
// digits.
type variable struct {
	first        int64
	sum, squares float64
}

func (v *variable) add(delta float64) {
	v.sum += delta
	v.squares += float64(delta * delta)
}

// echo is what a view adds to the spreads, for other hosts with the same view.
type echo struct {
	objects int // how many spreads there were, of which the view had part in all
	differs []difference
}

// difference is what is added to one variable.
type difference struct {
	object, variable int32
	delta            float64
}

// differencesMax is in how many variables a view may differ from the first host's to be noted. Views that differ in more are
// none that many share.
const differencesMax = 256

// NewDivergence watches r.
func NewDivergence(r *sim.Run) *Divergence {
	return &Divergence{hosts: clients(r), scales: newScales(r.Start().Schema())}
}

// Begin implements sim.Beginner.
func (d *Divergence) Begin(world.Time) { d.sum, d.ticks = 0, 0 }

// Tick implements sim.TickObserver.
func (d *Divergence) Tick(world.Time) {
	d.sum += d.conclude()
	d.ticks++
}

// Now is the divergence at this moment, for whoever asks for it without observing the run.
func (d *Divergence) Now() float64 {
	for _, h := range d.hosts {
		if view := h.View(); view != nil {
			d.Look(0, h, view)
		}
	}
	return d.conclude()
}

// Look implements sim.ViewObserver.
func (d *Divergence) Look(_ world.Time, h *sim.Host, view *world.State) {
	part, partial := h.Node.(mechanism.Holder)
	if e := d.known.of(view); e != nil && !partial && e.objects == len(d.objects) {
		d.repeat(e)
		return
	}
	d.own.differs = d.own.differs[:0]
	at, had := 0, 0
	for o := range view.All() {
		if !holds(part, o.ID) {
			continue
		}
		for at < len(d.objects) && d.objects[at].id < o.ID {
			at++
		}
		if at == len(d.objects) || d.objects[at].id != o.ID {
			d.objects = slices.Insert(d.objects, at, spread{id: o.ID})
		}
		if d.add(at, o) {
			had++
		}
	}
	if !partial && had == len(d.objects) && len(d.own.differs) < differencesMax {
		d.own.objects = had
		kept := d.known.add(view)
		*kept, d.own = d.own, *kept
	}
}

// add takes a host's object. It reports false where hosts disagree on what it is, and so have no common variables.
func (d *Divergence) add(at int, o *world.Object) bool {
	s, scales := &d.objects[at], d.scales.kinds[o.Kind]
	if s.n == 0 {
		s.kind, s.n = o.Kind, 1
		s.vars = slices.Grow(s.vars[:0], len(scales))[:len(scales)]
		for j, sc := range scales {
			s.vars[j] = variable{first: o.Get(sc.slot)}
		}
		return true
	}
	if s.kind != o.Kind {
		return false
	}
	s.n++
	for j, sc := range scales {
		v := &s.vars[j]
		if delta := float64(o.Get(sc.slot) - v.first); delta != 0 {
			v.add(delta)
			if len(d.own.differs) < differencesMax {
				d.own.differs = append(d.own.differs, difference{int32(at), int32(j), delta})
			}
		}
	}
	return true
}

// repeat takes a view that another host had as well.
func (d *Divergence) repeat(e *echo) {
	for i := range d.objects {
		d.objects[i].n++
	}
	for _, x := range e.differs {
		d.objects[x.object].vars[x.variable].add(x.delta)
	}
}

// conclude is the divergence of the views looked at, and makes ready for the next.
func (d *Divergence) conclude() float64 {
	d.objects = slices.DeleteFunc(d.objects, func(s spread) bool { return s.n == 0 })
	d.known.forget()
	var sum, weights float64
	for i := range d.objects {
		s := &d.objects[i]
		n := float64(s.n)
		for j, sc := range d.scales.kinds[s.kind] {
			v := &s.vars[j]
			mean := v.sum / n
			if variance := v.squares/n - float64(mean*mean); variance > 0 {
				sum += float64(sc.weight * sc.unit * math.Sqrt(variance))
			}
		}
		weights += d.scales.weight[s.kind]
		s.n = 0
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

// Report implements Probe.
func (d *Divergence) Report(_ world.Time, emit Emit) {
	emit("divergence", "", d.sum/float64(d.ticks))
}

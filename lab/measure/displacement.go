package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

var displacementFigures = []string{"displacement.mean", "displacement.p50", "displacement.p995", "displacement.max",
	"displacement.time.p50", "displacement.time.p995", "displacement.time.max",
	"displacement.view.mean", "displacement.view.p50", "displacement.view.p995", "displacement.view.max"}

const (
	viewEvery = 10               // ticks of a view from one look at it to the next
	behindMax = 2 * world.Second // how far the reference falls behind where authorities do not tell how far they are
	pastKept  = 2 * world.Second // how far views may be behind the reference
	waitMax   = 400              // samples of one host that wait for the reference; more are dropped
)

// Displacement measures how far avatars, the objects that belong to users, are from where the undivided world has them at
// the same tick: in the states of the servers that decide about them, and in users' views. What was displaced is followed
// until it is in its place again.
type Displacement struct {
	run         *sim.Run
	reference   *Reference
	placed      []bool // by kind
	unit        string
	authorities []*watched
	views       []*watched
	past        past
	spare       []sample

	server, view distances
	converged    stats.Histogram // how long avatars were displaced
	since        map[world.ID]world.Tick
}

// watched is a host whose samples may have to wait for the reference.
type watched struct {
	host    *sim.Host
	own     mechanism.Authority // nil for views
	looked  world.Tick          // the last tick that a sample was taken of
	waiting []sample            // by tick
}

// sample is where a host has avatars at a tick.
type sample struct {
	tick    world.Tick
	avatars []avatar
}

type avatar struct {
	id  world.ID
	pos fixed.Vec
}

// distances gathers the distances of all avatars at all ticks.
type distances struct {
	mean stats.Running
	all  stats.Histogram
}

func (d *distances) add(v float64) {
	d.mean.Add(v)
	d.all.Add(v)
}

func (d *distances) report(name, unit string, emit Emit) {
	emit(name+".mean", unit, d.mean.Mean())
	emit(name+".p50", unit, quantile(&d.all, 0.5))
	emit(name+".p995", unit, quantile(&d.all, 0.995))
	emit(name+".max", unit, d.mean.Max())
}

// NewDisplacement watches r. The reference must observe the run already.
func NewDisplacement(r *sim.Run, reference *Reference) *Displacement {
	schema := r.Start().Schema()
	d := &Displacement{run: r, reference: reference, placed: placedKinds(schema), unit: lengthUnit(schema),
		since: map[world.ID]world.Tick{}, past: newPast(schema.Tick)}
	for _, h := range r.Hosts() {
		if a, ok := h.Node.(mechanism.Authority); ok {
			d.authorities = append(d.authorities, &watched{host: h, own: a, looked: -1})
		}
		if h.Place.User != 0 {
			d.views = append(d.views, &watched{host: h, looked: -viewEvery})
		}
	}
	return d
}

// Begin implements sim.Beginner.
func (d *Displacement) Begin(world.Time) {
	d.server, d.view = distances{}, distances{}
	d.converged.Reset()
}

// Tick implements sim.TickObserver.
func (d *Displacement) Tick(now world.Time) {
	reached := mechanism.TickAt(now-behindMax, d.run.Start().Schema().Tick)
	first := true
	for _, w := range d.authorities {
		if w.own, _ = w.host.Node.(mechanism.Authority); w.own == nil {
			continue // it is not there
		}
		at := w.own.Held().Tick()
		if first || at < reached {
			reached, first = at, false
		}
		if at != w.looked {
			d.look(w, w.own.Held())
		}
	}
	for _, w := range d.views {
		if view := w.host.View(); view != nil && view.Tick() >= w.looked+viewEvery {
			d.look(w, view)
		}
	}
	d.compare()
	for d.reference.State().Tick() < reached {
		d.reference.Step()
		d.compare()
	}
}

// look takes a sample of where a host has avatars.
func (d *Displacement) look(w *watched, s *world.State) {
	w.looked = s.Tick()
	var taken sample
	if n := len(d.spare); n > 0 {
		taken, d.spare = d.spare[n-1], d.spare[:n-1]
	}
	taken.tick, taken.avatars = s.Tick(), taken.avatars[:0]
	part, _ := w.host.Node.(mechanism.Holder)
	for o := range s.All() {
		if o.User == 0 || !d.placed[o.Kind] || w.own != nil && !w.own.Owns(o.ID) || w.own == nil && !holds(part, o.ID) {
			continue
		}
		taken.avatars = append(taken.avatars, avatar{o.ID, o.Pos})
	}
	if len(w.waiting) == waitMax {
		d.drop(w)
	}
	w.waiting = append(w.waiting, taken)
}

// drop gives the memory of a host's first sample back.
func (d *Displacement) drop(w *watched) {
	d.spare = append(d.spare, w.waiting[0])
	w.waiting = append(w.waiting[:0], w.waiting[1:]...)
}

// compare holds all samples that the reference has reached against it.
func (d *Displacement) compare() {
	d.reference.Do()
	d.past.keep(d.reference.State())
	for _, w := range d.authorities {
		for len(w.waiting) > 0 && w.waiting[0].tick <= d.reference.State().Tick() {
			if w.waiting[0].tick == d.reference.State().Tick() {
				d.compareServer(&w.waiting[0])
			}
			d.drop(w)
		}
	}
	for _, w := range d.views {
		for len(w.waiting) > 0 && w.waiting[0].tick <= d.reference.State().Tick() {
			if there := d.past.at(w.waiting[0].tick); there != nil {
				d.compareView(&w.waiting[0], there)
			}
			d.drop(w)
		}
	}
}

func (d *Displacement) compareServer(s *sample) {
	there := d.reference.State()
	for _, a := range s.avatars {
		o := there.Get(a.id)
		if o == nil {
			continue
		}
		distance := apart(o.Pos, a.pos)
		d.server.add(distance)
		since, displaced := d.since[a.id]
		switch {
		case distance > 0 && !displaced:
			d.since[a.id] = s.tick
		case distance == 0 && displaced:
			d.converged.Add(seconds(world.Time(s.tick-since) * there.Schema().Tick))
			delete(d.since, a.id)
		}
	}
}

func (d *Displacement) compareView(s *sample, there *world.State) {
	for _, a := range s.avatars {
		if o := there.Get(a.id); o != nil {
			d.view.add(apart(o.Pos, a.pos))
		}
	}
}

func apart(a, b fixed.Vec) float64 {
	if a == b {
		return 0
	}
	return float64(a.Dist(b)) / float64(fixed.One)
}

// Report implements Probe. Without a word from any authority there is nothing to compare with.
func (d *Displacement) Report(_ world.Time, emit Emit) {
	if d.reference.executed == 0 {
		d.server, d.view = distances{}, distances{}
	}
	d.server.report("displacement", d.unit, emit)
	emit("displacement.time.p50", "s", quantile(&d.converged, 0.5))
	emit("displacement.time.p995", "s", quantile(&d.converged, 0.995))
	emit("displacement.time.max", "s", quantile(&d.converged, 1))
	d.view.report("displacement.view", d.unit, emit)
}

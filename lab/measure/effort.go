package measure

import (
	"math"

	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

// Effort measures how much of the world hosts of each side simulate, how long they have to wait, how many ticks they get done, what
// they compute and what they hold.
type Effort struct {
	run   *sim.Run
	ticks int64
	hosts []toil
}

// toil is what one host has done.
type toil struct {
	begun             world.Tick // how far it was when measuring began
	simulated, memory stats.Running
	stalled           world.Time
	work              world.Work
}

func effortFigures() []string {
	var names []string
	for s := range sides {
		names = append(names, "simulated."+s.String(), "simulated."+s.String()+most, "stall."+s.String(), "ticks."+s.String())
		names = append(names, sideNamesOfOne("work."+s.String())...)
		names = append(names, sideNamesOfOne("memory."+s.String())...)
	}
	return names
}

// NewEffort watches r.
func NewEffort(r *sim.Run) *Effort { return &Effort{run: r} }

// Begin implements sim.Beginner.
func (e *Effort) Begin(world.Time) {
	e.ticks = 0
	clear(e.hosts)
	for _, h := range e.run.Hosts() {
		e.of(h).begun, _ = progress(h)
	}
}

// of is what a host has done.
func (e *Effort) of(h *sim.Host) *toil {
	for int(h.Place.ID) > len(e.hosts) {
		e.hosts = append(e.hosts, toil{})
	}
	return &e.hosts[h.Place.ID-1]
}

// progress is the tick that a host has come to, if it tells.
func progress(h *sim.Host) (world.Tick, bool) {
	if a, ok := h.Node.(mechanism.Authority); ok {
		return a.Held().Tick(), true
	}
	if view := h.View(); view != nil {
		return view.Tick(), true
	}
	return 0, false
}

// Event implements sim.EventObserver.
func (e *Effort) Event(h *sim.Host, _ world.Time, ev mechanism.Event) {
	if ev.Name == mechanism.Stalled {
		e.of(h).stalled += world.Time(ev.Value)
	}
}

// Worked implements sim.WorkObserver.
func (e *Effort) Worked(h *sim.Host, w world.Work) { e.of(h).work += w }

// Tick implements sim.TickObserver.
func (e *Effort) Tick(world.Time) {
	e.ticks++
	for _, h := range e.run.Hosts() {
		if s, ok := h.Node.(mechanism.Simulating); ok {
			e.of(h).simulated.Add(float64(s.Simulates()))
		}
		if s, ok := h.Node.(mechanism.Sized); ok {
			e.of(h).memory.Add(float64(s.Bytes()))
		}
	}
}

// Report implements Probe.
func (e *Effort) Report(span world.Time, emit Emit) {
	ticks := float64(e.ticks)
	for s := range sides {
		e.reportSimulated(s, emit)
		var stalled, done stats.Running
		for _, h := range e.run.Hosts() {
			if sideOf(h) != s {
				continue
			}
			stalled.Add(seconds(e.of(h).stalled) / ticks)
			if at, ok := progress(h); ok {
				done.Add(float64(at-e.of(h).begun) / seconds(span))
			}
		}
		emit("stall."+s.String(), "s/tick", stalled.Mean())
		emit("ticks."+s.String(), "1/s", done.Mean())
		e.emitOne(s, "work."+s.String(), "op/tick", emit, func(t *toil) float64 { return float64(t.work) / ticks })
		e.emitOne(s, "memory."+s.String(), "B", emit, func(t *toil) float64 { return t.memory.Mean() })
	}
}

// reportSimulated tells how many objects a host of a side simulates that simulates any, and the one that simulates most. Where only the other
// side does, it is none.
func (e *Effort) reportSimulated(s side, emit Emit) {
	var own, other stats.Running
	present := false
	for _, h := range e.run.Hosts() {
		t := e.of(h)
		present = present || sideOf(h) == s
		switch {
		case t.simulated.N() == 0:
		case sideOf(h) == s:
			own.Add(t.simulated.Mean())
		default:
			other.Add(t.simulated.Mean())
		}
	}
	mean, greatest := own.Mean(), own.Max()
	if present && own.N() == 0 && other.N() > 0 {
		mean, greatest = 0, 0
	}
	emit("simulated."+s.String(), "objects/tick", mean)
	emit("simulated."+s.String()+most, "objects/tick", greatest)
}

// sideNamesOfOne are the names of figures whose plain name is that of one host on average, on either side.
func sideNamesOfOne(name string) []string { return []string{name, name + all, name + most} }

// emitOne reports a figure whose plain name is that of one host on average. Hosts that do not tell are left out.
func (e *Effort) emitOne(s side, name, unit string, emit Emit, of func(*toil) float64) {
	var values stats.Running
	sum := math.NaN()
	for _, h := range e.run.Hosts() {
		v := of(e.of(h))
		if sideOf(h) != s || math.IsNaN(v) {
			continue
		}
		values.Add(v)
		if math.IsNaN(sum) {
			sum = 0
		}
		sum += v
	}
	names := sideNamesOfOne(name)
	emit(names[0], unit, values.Mean())
	emit(names[1], unit, sum)
	emit(names[2], unit, values.Max())
}

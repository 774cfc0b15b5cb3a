package measure

import (
	"math"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Effort measures how much of the world each side simulates, how long it has to wait, how many ticks it gets done, and what it
// computes.
type Effort struct {
	run       *sim.Run
	hosts     [sides]int
	ticks     int64
	simulates [sides]int64 // how often a node said what it simulates,
	simulated [sides]int64 // and the sum of what they said
	stalled   [sides]world.Time
	work      [sides]world.Work
	begun     []world.Tick // by host, how far it was when measuring began
}

func effortFigures() []string {
	var names []string
	for s := range sides {
		names = append(names, "simulated."+s.String(), "stall."+s.String(), "ticks."+s.String(), "work."+s.String())
	}
	return names
}

// NewEffort watches r.
func NewEffort(r *sim.Run) *Effort {
	return &Effort{run: r, hosts: census(r), begun: make([]world.Tick, len(r.Hosts()))}
}

// Begin implements sim.Beginner.
func (e *Effort) Begin(world.Time) {
	*e = Effort{run: e.run, hosts: e.hosts, begun: e.begun}
	for i, h := range e.run.Hosts() {
		e.begun[i], _ = progress(h)
	}
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
		e.stalled[sideOf(h)] += world.Time(ev.Value)
	}
}

// Worked implements sim.WorkObserver.
func (e *Effort) Worked(h *sim.Host, w world.Work) { e.work[sideOf(h)] += w }

// Tick implements sim.TickObserver.
func (e *Effort) Tick(world.Time) {
	e.ticks++
	for _, h := range e.run.Hosts() {
		if s, ok := h.Node.(mechanism.Simulating); ok {
			e.simulates[sideOf(h)]++
			e.simulated[sideOf(h)] += int64(s.Simulates())
		}
	}
}

// Report implements Probe.
func (e *Effort) Report(span world.Time, emit Emit) {
	var done, tellers [sides]int64
	for i, h := range e.run.Hosts() {
		if at, ok := progress(h); ok {
			done[sideOf(h)] += int64(at - e.begun[i])
			tellers[sideOf(h)]++
		}
	}
	ticks := float64(e.ticks)
	for s := range sides {
		emit("simulated."+s.String(), "objects/tick", e.perSimulator(s))
		emit("stall."+s.String(), "s/tick", over(seconds(e.stalled[s])/ticks, e.hosts[s]))
		emit("ticks."+s.String(), "1/s", over(float64(done[s])/seconds(span), int(tellers[s])))
		emit("work."+s.String(), "op/tick", over(float64(e.work[s])/ticks, e.hosts[s]))
	}
}

// perSimulator is how many objects a host of a side simulates that simulates any. Where only the other side does, it is none.
func (e *Effort) perSimulator(s side) float64 {
	switch {
	case e.hosts[s] == 0 || e.simulates == [sides]int64{}:
		return math.NaN()
	case e.simulates[s] == 0:
		return 0
	}
	return float64(e.simulated[s]) / float64(e.simulates[s])
}

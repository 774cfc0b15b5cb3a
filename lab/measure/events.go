package measure

import (
	"math"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// reported are the events that are counted, by their names.
var reported = [...]string{mechanism.Rollback, mechanism.Repeated, mechanism.Late, mechanism.Dropped, mechanism.Malformed,
	mechanism.Differed, mechanism.Repaired}

func eventFigures() []string {
	return append(reported[:len(reported):len(reported)], "rollback.depth", "actions", "lost.network", "lost.link", "lost.host")
}

// Events counts what nodes report, and what became of datagrams on the way.
type Events struct {
	run    *sim.Run
	counts [len(reported)]int64
	depth  int64 // the sum of all roll-backs' ticks
	acts   int64
	lost   sim.Losses // when measuring began
}

// NewEvents watches r.
func NewEvents(r *sim.Run) *Events { return &Events{run: r} }

// Begin implements sim.Beginner.
func (e *Events) Begin(world.Time) { *e = Events{run: e.run, lost: e.run.Lost()} }

// Acted implements sim.ActionObserver.
func (e *Events) Acted(*sim.Host, world.Time, *world.Action) { e.acts++ }

// Event implements sim.EventObserver.
func (e *Events) Event(_ *sim.Host, _ world.Time, ev mechanism.Event) {
	for i, name := range reported {
		if ev.Name == name {
			e.counts[i]++
		}
	}
	if ev.Name == mechanism.Rollback {
		e.depth += ev.Value
	}
}

// Report implements Probe.
func (e *Events) Report(span world.Time, emit Emit) {
	per := float64(len(e.run.Hosts())) * seconds(span)
	for i, name := range reported {
		emit(name, "1/s", float64(e.counts[i])/per)
	}
	depth := math.NaN()
	if n := e.counts[0]; n > 0 {
		depth = float64(e.depth) / float64(n)
	}
	emit("rollback.depth", "ticks", depth)
	emit("actions", "1/s", float64(e.acts)/per)
	lost := e.run.Lost()
	emit("lost.network", "1/s", float64(lost.Network-e.lost.Network)/per)
	emit("lost.link", "1/s", float64(lost.Link-e.lost.Link)/per)
	emit("lost.host", "1/s", float64(lost.Host-e.lost.Host)/per)
}

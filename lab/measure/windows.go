package measure

import (
	"math"
	"sync"

	"throng/lab/sim"
	"throng/world"
)

// Windows take the figures of probes again and again, each for a window of time, so that they can be drawn as curves.
type Windows struct {
	span   world.Time
	probes []Probe
	from   world.Time
	labels []Figure // names and units
	values []float64
	next   int
}

// NewWindows has a run that has not started yet measured by the given probes, from window to window. Those that need the truth get the
// one given, which must observe the run already; nil makes one.
func NewWindows(r *sim.Run, entries []Entry, truth *Truth, span world.Time) *Windows {
	w := &Windows{span: span}
	shared := sync.OnceValue(func() *Truth {
		if truth == nil {
			truth = NewTruth(r)
			r.Observe(truth)
		}
		return truth
	})
	for _, e := range entries {
		probe := e.New(r, shared)
		r.Observe(probe)
		w.probes = append(w.probes, probe)
		again(probe, 0)
		probe.Report(span, func(name, unit string, _ float64) {
			w.labels = append(w.labels, Figure{Name: name, Unit: unit})
			w.values = append(w.values, math.NaN())
		})
	}
	r.Observe(w)
	return w
}

// lasting is a probe for which what began in an earlier window counts when it ends.
type lasting interface{ again() }

// again has a probe forget what it has seen.
func again(p Probe, now world.Time) {
	if l, ok := p.(lasting); ok {
		l.again()
	} else if b, ok := p.(sim.Beginner); ok {
		b.Begin(now)
	}
}

// Tick implements sim.TickObserver.
func (w *Windows) Tick(now world.Time) {
	if now-w.from < w.span {
		return
	}
	w.next = 0
	for _, p := range w.probes {
		p.Report(now-w.from, w.emit)
		again(p, now)
	}
	w.from = now
}

func (w *Windows) emit(_, _ string, value float64) {
	w.values[w.next] = value
	w.next++
}

// Labels are the names and units of the figures. Their values mean nothing.
func (w *Windows) Labels() []Figure { return w.labels }

// Value is a figure's value in the last window that is over; not a number where there is none.
func (w *Windows) Value(i int) float64 { return w.values[i] }

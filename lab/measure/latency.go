package measure

import (
	"slices"

	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

// Latency measures the time from a user's action to its effect: in the user's own view, in others' views, and until it is
// final where a mechanism tells.
type Latency struct {
	effects  *effects
	began    world.Time
	response series
	observed series
	final    series
}

// percentiles are what is reported of a series of times beside its mean.
var percentiles = [...]struct {
	name  string
	share float64
}{{".p50", 0.5}, {".p90", 0.9}, {".p99", 0.99}}

func latencyFigures() []string {
	return slices.Concat(seriesFigures("response"), seriesFigures("observation"), seriesFigures("final"))
}

// seriesFigures are what is reported of a series of times.
func seriesFigures(name string) []string {
	names := []string{name + ".mean"}
	for _, p := range percentiles {
		names = append(names, name+p.name)
	}
	return names
}

type series struct {
	mean stats.Running
	all  stats.Histogram
}

func (s *series) add(t world.Time) {
	v := seconds(t)
	s.mean.Add(v)
	s.all.Add(v)
}

func (s *series) report(name string, emit Emit) {
	emit(name+".mean", "s", s.mean.Mean())
	for _, p := range percentiles {
		emit(name+p.name, "s", quantile(&s.all, p.share))
	}
}

// NewLatency watches r.
func NewLatency(r *sim.Run) *Latency {
	l := &Latency{}
	l.effects = watchEffects(r, l)
	return l
}

// Begin implements sim.Beginner.
func (l *Latency) Begin(now world.Time) {
	*l = Latency{effects: l.effects, began: now}
}

// again implements lasting: an action taken in one window may take effect in the next.
func (l *Latency) again() { *l = Latency{effects: l.effects, began: l.began} }

func (l *Latency) effect(h *sim.Host, now world.Time, t *taken) {
	switch {
	case t.at < l.began:
	case h.Place.User == t.action.User:
		l.response.add(now - t.at)
	default:
		l.observed.add(now - t.at)
	}
}

// Event implements sim.EventObserver.
func (l *Latency) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	if e.Name != mechanism.Confirmed || h.Place.User != e.User {
		return
	}
	if t := l.effects.find(e.User, e.Seq); t != nil && t.at >= l.began {
		l.final.add(now - t.at)
	}
}

// Report implements Probe.
func (l *Latency) Report(_ world.Time, emit Emit) {
	l.response.report("response", emit)
	l.observed.report("observation", emit)
	l.final.report("final", emit)
}

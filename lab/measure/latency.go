package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

// remembered is how many of a user's latest actions are waited for.
const remembered = 4096

// Latency measures the time from a user's action to its effect: in the user's own view, in others' views, and until it is
// final where a mechanism tells.
type Latency struct {
	run      *sim.Run
	issued   [][remembered]world.Time // by user, then by sequence number
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
	var names []string
	for _, series := range []string{"response", "observation", "final"} {
		names = append(names, series+".mean")
		for _, p := range percentiles {
			names = append(names, series+p.name)
		}
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
	return &Latency{run: r, issued: make([][remembered]world.Time, lastUser(r)+1)}
}

// Begin implements sim.Beginner.
func (l *Latency) Begin(now world.Time) {
	l.began = now
	l.response, l.observed, l.final = series{}, series{}, series{}
}

// Acted implements sim.ActionObserver.
func (l *Latency) Acted(_ *sim.Host, now world.Time, a *world.Action) {
	l.issued[a.User][a.Seq%remembered] = now
}

// Event implements sim.EventObserver.
func (l *Latency) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	if e.Name != mechanism.Applied && e.Name != mechanism.Confirmed {
		return
	}
	if int(e.User) >= len(l.issued) {
		return
	}
	issued := l.issued[e.User][e.Seq%remembered]
	if issued < l.began {
		return
	}
	switch own := h.Place.User == e.User; {
	case e.Name == mechanism.Confirmed && own:
		l.final.add(now - issued)
	case e.Name == mechanism.Applied && own:
		l.response.add(now - issued)
	case e.Name == mechanism.Applied:
		l.observed.add(now - issued)
	}
}

// Report implements Probe.
func (l *Latency) Report(_ world.Time, emit Emit) {
	l.response.report("response", emit)
	l.observed.report("observation", emit)
	l.final.report("final", emit)
}

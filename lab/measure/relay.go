package measure

import (
	"slices"
	"strconv"

	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

const (
	hopsShown    = 6                       // times passed on of which the delay is reported apart
	withinLimit  = 200 * world.Millisecond // what is soon enough
	blindFrom    = 100 * world.Millisecond // gaps shorter than this are nobody's concern
	relaySamples = 500 * world.Millisecond // how often trees are looked at
	lateWindow   = 100 * world.Millisecond // over which it is judged whether news comes soon enough
)

func relayFigures() []string {
	names := slices.Concat(seriesFigures("tree.join"), seriesFigures("tree.activation"), seriesFigures("relay.delay"))
	for i := range hopsShown {
		names = append(names, relayHop(i))
	}
	return append(names, "relay.within", "relay.hops", "zone.changes", "orphans", "tree.depth", "tree.degree", "tree.degree.max", "blind.p99", "blind.max", "late.longest", "zones.shared")
}

func relayHop(hops int) string { return "relay.delay." + strconv.Itoa(hops) }

// Relay measures trees of users' machines: how long it takes to join one and to turn to a backup parent, how old what is passed on along it
// is on arrival, how deep trees are and how many each node feeds, and for how long anybody hears nothing.
type Relay struct {
	run               *sim.Run
	join, activation  series
	delay             series
	hops              [hopsShown]stats.Running
	passed            stats.Running
	within, delivered int
	moved, orphans    int
	shared            int
	late              lateness

	depth, degree stats.Running
	degreeMax     int
	last          []world.Time // when each host was last told something
	blind         []world.Time // the longest that it was told nothing
	due           world.Time
}

// NewRelay watches r.
func NewRelay(r *sim.Run) *Relay { return &Relay{run: r} }

// Begin implements sim.Beginner.
func (m *Relay) Begin(now world.Time) {
	*m = Relay{run: m.run, last: m.last, blind: m.blind}
	clear(m.blind)
	for i := range m.last {
		if m.last[i] != 0 {
			m.last[i] = now
		}
	}
}

// Event implements sim.EventObserver.
func (m *Relay) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	switch e.Name {
	case mechanism.Joined:
		m.join.add(world.Time(e.Value))
	case mechanism.Activated:
		m.activation.add(world.Time(e.Value))
	case mechanism.Moved:
		m.moved++
	case mechanism.Orphaned:
		m.orphans++
	case mechanism.Shared:
		m.shared++
	case mechanism.Delivered:
		m.arrived(h, now, int(e.Seq), world.Time(e.Value))
	}
}

func (m *Relay) arrived(h *sim.Host, now world.Time, hops int, age world.Time) {
	m.delay.add(age)
	m.passed.Add(float64(hops))
	if hops < hopsShown {
		m.hops[hops].Add(seconds(age))
	}
	m.delivered++
	if age <= withinLimit {
		m.within++
	}
	m.late.add(now, age <= withinLimit)
	at := int(h.Place.ID)
	for len(m.last) <= at {
		m.last, m.blind = append(m.last, 0), append(m.blind, 0)
	}
	if h.Place.User != 0 && m.last[at] != 0 {
		m.blind[at] = max(m.blind[at], now-m.last[at])
	}
	m.last[at] = now
}

// Tick implements sim.TickObserver.
func (m *Relay) Tick(now world.Time) {
	if now < m.due {
		return
	}
	m.due = now + relaySamples
	for _, h := range m.run.Hosts() {
		node, ok := h.Node.(mechanism.Relaying)
		if !ok {
			continue
		}
		parent, level, children := node.Fed()
		if parent != 0 {
			m.depth.Add(float64(level))
		}
		if children > 0 {
			m.degree.Add(float64(children))
			m.degreeMax = max(m.degreeMax, children)
		}
	}
}

// Report implements Probe.
func (m *Relay) Report(span world.Time, emit Emit) {
	m.join.report("tree.join", emit)
	m.activation.report("tree.activation", emit)
	m.delay.report("relay.delay", emit)
	for i := range m.hops {
		emit(relayHop(i), "s", m.hops[i].Mean())
	}
	emit("relay.within", "", share(m.within, m.delivered))
	emit("relay.hops", "", m.passed.Mean())
	users := float64(len(clients(m.run)))
	emit("zone.changes", "1/min", float64(m.moved)/users/seconds(span)*60)
	emit("orphans", "1/s", float64(m.orphans)/seconds(span))
	emit("tree.depth", "levels", m.depth.Mean())
	emit("tree.degree", "", m.degree.Mean())
	emit("tree.degree.max", "", float64(m.degreeMax))
	var blind stats.Histogram
	for i, t := range m.blind {
		if m.last[i] != 0 {
			blind.Add(seconds(max(t, blindFrom)))
		}
	}
	emit("blind.p99", "s", quantile(&blind, 0.99))
	emit("blind.max", "s", quantile(&blind, 1))
	emit("late.longest", "s", seconds(m.late.end()))
	emit("zones.shared", "1/min", float64(m.shared)/seconds(span)*60)
}

// lateness is for how long at a stretch less than 99% of the news that came within a window was soon enough.
type lateness struct {
	window       world.Time // the present one, counted in windows
	soon, all    int        // of its news
	run, longest world.Time
}

func (l *lateness) add(now world.Time, soon bool) {
	if w := now / lateWindow; w != l.window {
		l.judge()
		l.window = w
	}
	l.all++
	if soon {
		l.soon++
	}
}

// judge ends the present window.
func (l *lateness) judge() {
	if 100*l.soon < 99*l.all {
		l.run += lateWindow
		l.longest = max(l.longest, l.run)
	} else {
		l.run = 0
	}
	l.soon, l.all = 0, 0
}

func (l *lateness) end() world.Time {
	l.judge()
	return l.longest
}

package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// cheatsEvery is how often trees and views are looked at.
const cheatsEvery = 500 * world.Millisecond

var cheatFigures = []string{"cheats.relaying", "cheats.noticed", "cheats.notice.mean", "cheats.notice.max", "cheats.wronged", "cheats.above", "cheats.elsewhere"}

// Cheats measures how nodes fare of which some cheat where they pass on what others say: how many of those that somebody hangs on are left
// for it and how soon, how many honest ones are, what share of nodes hangs on a cheat at any moment, directly or not, and what share of the others' things
// that users are shown is elsewhere, by more than a quarter of what one sees.
type Cheats struct {
	run              *sim.Run
	due              world.Time
	feeds            map[mechanism.NodeID]world.Time // since when cheats feed somebody; never once they are found out
	noticed, wronged int
	notice           stats.Running
	noticeMax        float64
	above            stats.Running

	sight            fixed.F
	actual           *world.State
	shown, elsewhere int
}

// NewCheats watches r.
func NewCheats(r *sim.Run) *Cheats {
	s := NewSightings(r)
	return &Cheats{run: r, feeds: map[mechanism.NodeID]world.Time{}, sight: s.sight, actual: s.actual}
}

// Begin implements sim.Beginner.
func (m *Cheats) Begin(world.Time) {
	m.wronged, m.shown, m.elsewhere, m.above = 0, 0, 0, stats.Running{}
}

func (m *Cheats) cheats(h *sim.Host) bool {
	node, ok := h.Node.(mechanism.Cheating)
	return ok && node.Cheats()
}

// Event implements sim.EventObserver.
func (m *Cheats) Event(_ *sim.Host, now world.Time, e mechanism.Event) {
	if e.Name != mechanism.Distrusted {
		return
	}
	bad := mechanism.NodeID(e.Value)
	for _, h := range m.run.Hosts() {
		if h.Place.ID == bad && !m.cheats(h) {
			m.wronged++
			return
		}
	}
	if since, ok := m.feeds[bad]; ok && since != world.Never {
		m.feeds[bad] = world.Never
		m.noticed++
		m.notice.Add(seconds(now - since))
		m.noticeMax = max(m.noticeMax, seconds(now-since))
	}
}

// Tick implements sim.TickObserver.
func (m *Cheats) Tick(now world.Time) {
	if now < m.due {
		return
	}
	m.due = now + cheatsEvery
	parents, bad := map[mechanism.NodeID]mechanism.NodeID{}, map[mechanism.NodeID]bool{}
	for _, h := range m.run.Hosts() {
		node, ok := h.Node.(mechanism.Relaying)
		if !ok {
			continue
		}
		parent, _, children := node.Fed()
		parents[h.Place.ID] = parent
		if bad[h.Place.ID] = m.cheats(h); !bad[h.Place.ID] || children == 0 {
			continue
		}
		if _, known := m.feeds[h.Place.ID]; !known {
			m.feeds[h.Place.ID] = now
		}
	}
	for _, h := range clients(m.run) {
		parent, above := parents[h.Place.ID], 0.0
		for steps := 0; parent != 0 && steps < len(parents); steps++ {
			if bad[parent] {
				above = 1
				break
			}
			parent = parents[parent]
		}
		m.above.Add(above)
	}
	m.compare()
}

// compare compares what users are shown with where it is.
func (m *Cheats) compare() {
	collect(m.run, m.actual)
	for _, h := range clients(m.run) {
		view := h.View()
		if view == nil {
			continue
		}
		for o := range view.All() {
			at := m.actual.Get(o.ID)
			if at == nil || o.User == h.Place.User {
				continue
			}
			m.shown++
			if !at.Pos.Within(o.Pos, m.sight/4) {
				m.elsewhere++
			}
		}
	}
}

// Report implements Probe.
func (m *Cheats) Report(span world.Time, emit Emit) {
	emit("cheats.relaying", "", float64(len(m.feeds)))
	emit("cheats.noticed", "", share(m.noticed, len(m.feeds)))
	emit("cheats.notice.mean", "s", m.notice.Mean())
	emit("cheats.notice.max", "s", m.noticeMax)
	emit("cheats.wronged", "1/min", float64(m.wronged)/seconds(span)*60)
	emit("cheats.above", "", m.above.Mean())
	emit("cheats.elsewhere", "", share(m.elsewhere, m.shown))
}

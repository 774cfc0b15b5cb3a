package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

var transitionFigures = []string{"promotions", "demotions", "demotions.forced", "promotion.mean", "promotion.max",
	"promotion.pause.mean", "promotion.pause.max", "handovers"}

// Transitions measures how often users begin and cease to simulate areas and what that takes, and how often objects change
// servers.
type Transitions struct {
	run                *sim.Run
	promotions, pauses stats.Running
	demotions, forced  int64
	handed             int64
}

// NewTransitions watches r.
func NewTransitions(r *sim.Run) *Transitions { return &Transitions{run: r} }

// Begin implements sim.Beginner.
func (t *Transitions) Begin(world.Time) { *t = Transitions{run: t.run} }

// Event implements sim.EventObserver.
func (t *Transitions) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	switch e.Name {
	case mechanism.Promoted:
		t.promotions.Add(seconds(world.Time(e.Value)))
	case mechanism.Paused:
		t.pauses.Add(seconds(world.Time(e.Value)))
	case mechanism.Demoted:
		t.demotions++
		t.forced += min(e.Value, 1)
	case mechanism.Handed:
		t.handed++
	}
}

// Report implements Probe.
func (t *Transitions) Report(span world.Time, emit Emit) {
	areas := t.areas()
	emit("promotions", "per user and area", over(float64(t.promotions.N()), areas))
	emit("demotions", "per user and area", over(float64(t.demotions), areas))
	emit("demotions.forced", "per user and area", over(float64(t.forced), areas))
	emit("promotion.mean", "s", t.promotions.Mean())
	emit("promotion.max", "s", t.promotions.Max())
	emit("promotion.pause.mean", "s", t.pauses.Mean())
	emit("promotion.pause.max", "s", t.pauses.Max())
	emit("handovers", "1/s", float64(t.handed)/seconds(span))
}

// areas is how many areas there are for all users together.
func (t *Transitions) areas() int {
	var areas []mechanism.Area
	for _, h := range t.run.Hosts() {
		if m, ok := h.Node.(mechanism.Mapped); ok && h.Client != nil {
			areas = m.Areas(areas)
		}
	}
	return len(areas)
}

package measure

import (
	"throng/lab/sim"
	"throng/world"
)

// LoadUp and LoadDown are the figures that tell whether links carry what they are given.
const (
	LoadUp   = "load.up"
	LoadDown = "load.down"
)

var loadFigures = []string{LoadUp, LoadDown}

// Load measures what hosts' links are given over what they carry, of the host that has most: 1 is all, and beyond it queues grow
// until packets are dropped. What is sent again since it was dropped, or since its receipt waits in a queue, counts as often.
type Load struct {
	hosts    []*sim.Host
	up, down []world.Time // by host, when measuring began
}

// NewLoad watches r.
func NewLoad(r *sim.Run) *Load {
	hosts := r.Hosts()
	return &Load{hosts, make([]world.Time, len(hosts)), make([]world.Time, len(hosts))}
}

// LoadEntry is the probe by itself, for runs whose links have a bandwidth.
func LoadEntry() Entry {
	return Entry{"load", "what hosts' links are given over what they carry: of the host that has most, where links have a bandwidth",
		loadFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewLoad(r) }}
}

// Begin implements sim.Beginner.
func (l *Load) Begin(world.Time) {
	for i, h := range l.hosts {
		l.up[i], l.down[i] = h.Offered()
	}
}

// Report implements Probe.
func (l *Load) Report(span world.Time, emit Emit) {
	var up, down world.Time
	for i, h := range l.hosts {
		u, d := h.Offered()
		up, down = max(up, u-l.up[i]), max(down, d-l.down[i])
	}
	emit(LoadUp, "", seconds(up)/seconds(span))
	emit(LoadDown, "", seconds(down)/seconds(span))
}

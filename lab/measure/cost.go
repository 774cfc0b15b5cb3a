package measure

import (
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

var costFigures = []string{"work", "work.max", "memory", "memory.max"}

// Cost measures what hosts compute and hold.
type Cost struct {
	hosts  []*sim.Host
	work   []world.Work // by host, since the last tick
	spent  stats.Running
	memory stats.Running
}

// NewCost watches r.
func NewCost(r *sim.Run) *Cost {
	return &Cost{hosts: r.Hosts(), work: make([]world.Work, len(r.Hosts()))}
}

// Begin implements sim.Beginner.
func (c *Cost) Begin(world.Time) {
	clear(c.work)
	c.spent, c.memory = stats.Running{}, stats.Running{}
}

// Worked implements sim.WorkObserver.
func (c *Cost) Worked(h *sim.Host, w world.Work) { c.work[h.Place.ID-1] += w }

// Tick implements sim.TickObserver.
func (c *Cost) Tick(world.Time) {
	for i, h := range c.hosts {
		if h.Node != nil || c.work[i] > 0 { // else nobody is there
			c.spent.Add(float64(c.work[i]))
			c.work[i] = 0
		}
		if s, ok := h.Node.(mechanism.Sized); ok {
			c.memory.Add(float64(s.Bytes()))
		}
	}
}

// Report implements Probe.
func (c *Cost) Report(_ world.Time, emit Emit) {
	emit(costFigures[0], "op/tick", c.spent.Mean())
	emit(costFigures[1], "op/tick", c.spent.Max())
	emit(costFigures[2], "B", c.memory.Mean())
	emit(costFigures[3], "B", c.memory.Max())
}

package trace

import (
	"throng/lab/record"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

const (
	frameSpan = world.Second      // from one frame to the next: a frame only counts the actions
	groupSpan = 10 * world.Second // what a process that is killed loses at most
)

// Save has the actions of a run that has not started yet kept in a file, which is complete once the writer is closed. Of the
// options, those that describe the run count.
func Save(r *sim.Run, path string, about record.Options) (*record.Writer, error) {
	c := &counter{}
	r.Observe(c)
	about.Every, about.Group = world.TicksIn(frameSpan, r.Start().Schema().Tick), groupSpan
	about.Hosts, about.Truth = []mechanism.NodeID{}, nil
	about.Curves = []record.Curve{{Name: "actions", Value: c.take}}
	return record.Create(r, path, about)
}

// counter counts actions from one frame to the next.
type counter struct{ n int }

// Acted implements sim.ActionObserver.
func (c *counter) Acted(*sim.Host, world.Time, *world.Action) { c.n++ }

func (c *counter) take() float64 {
	n := c.n
	c.n = 0
	return float64(n)
}

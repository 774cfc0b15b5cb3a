package measure

import (
	"math"

	"throng/lab/sim"
	"throng/world"
	"throng/world/fixed"
)

// Score measures how well the users did, by the world's own count: the mean over what the hosts believe.
type Score struct {
	hosts []*sim.Host
	world world.Scored // nil where the world keeps no score
	from  []fixed.F    // by host, when measuring began
	there []bool       // by host: whether there was a view then
}

// NewScore watches r.
func NewScore(r *sim.Run) *Score {
	s := &Score{hosts: clients(r)}
	s.world, _ = r.Setup().World.(world.Scored)
	return s
}

// Begin implements sim.Beginner.
func (s *Score) Begin(world.Time) {
	if s.world == nil {
		return
	}
	s.from, s.there = make([]fixed.F, len(s.hosts)), make([]bool, len(s.hosts))
	for i, h := range s.hosts {
		if view := h.View(); view != nil {
			s.from[i], s.there[i] = s.world.Score(view), true
		}
	}
}

// Report implements Probe.
func (s *Score) Report(span world.Time, emit Emit) {
	if s.world == nil {
		emit("score", "1/s", math.NaN())
		return
	}
	var sum fixed.F
	count := 0
	for i, h := range s.hosts { // those who are there from the beginning to the end
		if view := h.View(); view != nil && s.there[i] {
			sum += s.world.Score(view) - s.from[i]
			count++
		}
	}
	gained := float64(sum) / float64(fixed.One) / float64(count)
	emit("score", s.world.ScoreName()+"/s", gained/seconds(span))
}

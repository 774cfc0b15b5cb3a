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
	s.from = s.from[:0]
	for _, h := range s.hosts {
		s.from = append(s.from, s.world.Score(h.View()))
	}
}

// Report implements Probe.
func (s *Score) Report(span world.Time, emit Emit) {
	if s.world == nil {
		emit("score", "1/s", math.NaN())
		return
	}
	var sum fixed.F
	for i, h := range s.hosts {
		sum += s.world.Score(h.View()) - s.from[i]
	}
	gained := float64(sum) / float64(fixed.One) / float64(len(s.hosts))
	emit("score", s.world.ScoreName()+"/s", gained/seconds(span))
}

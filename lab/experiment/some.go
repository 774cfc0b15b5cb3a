package experiment

import (
	"context"
	"runtime"
)

// Sampling runs an experiment some runs at a time, for those who decide by what came of the last ones which are worth having.
type Sampling struct{ runner }

// Sample begins. Progress may be nil; it is told of plans by Expect.
func (e *Experiment) Sample(trial Trial, progress Progress) *Sampling {
	if progress == nil {
		progress = silent{}
	}
	return &Sampling{runner{experiment: e, trial: trial, progress: progress, points: make([]tally, len(e.points))}}
}

// Expect says how many runs there may be in all.
func (s *Sampling) Expect(runs int) { s.progress.Planned(runs) }

// More has each of some points run once more, with the seed of its next replication, on so many goroutines, or one for each processor
// if that is 0. It reports whether it was interrupted.
func (s *Sampling) More(ctx context.Context, points []int, workers int) (interrupted bool) {
	for _, p := range points {
		s.plan(p)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return s.loop(ctx, workers)
}

// Runs are the finished runs of a point, by replication. One that failed is missing.
func (s *Sampling) Runs(point int) (list []Run) {
	for _, o := range s.points[point].ordered() {
		if o.failure == nil {
			list = append(list, Run{o.replication, replicationSeed(s.experiment.Seed, o.replication), o.measures})
		}
	}
	return list
}

// Tried is how often a point was run, with or without success.
func (s *Sampling) Tried(point int) int { return len(s.points[point].done) }

// Result ends the sampling. It has the points that were run.
func (s *Sampling) Result(interrupted bool) *Result {
	s.progress.Ended(interrupted)
	r := s.result(interrupted)
	var tried []PointResult
	for i, p := range r.Points {
		if s.Tried(i) > 0 {
			tried = append(tried, p)
		}
	}
	r.Points = tried
	return r
}

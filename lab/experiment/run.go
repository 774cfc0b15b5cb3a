package experiment

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"

	"throng/lab/stats"
)

// Trial carries out one run. It should give up when ctx is cancelled. The set-up is its own to keep; trials run
// concurrently.
type Trial func(ctx context.Context, s Setup) (Measures, error)

// RoundSize is how many runs are added to a point that is not yet precise enough. It is fixed, so that when a point stops
// does not depend on how many of its runs happen to be under way.
const RoundSize = 4

// replicationSeed derives the seed of a replication (splitmix64, whose outputs for different inputs look unrelated). It
// keeps 48 bits: few enough that spreadsheets and JavaScript, which compute in floats, show the seed as it is.
func replicationSeed(seed uint64, replication int) uint64 {
	z := seed + uint64(replication+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return (z ^ z>>31) >> 16
}

// Run carries out all runs on the given number of goroutines, or on one per processor if that is 0, and condenses what
// they measured. A run that fails is reported in the result and does not stop the others. When ctx is cancelled, the runs
// under way are abandoned and the result has what was finished. Progress may be nil.
func (e *Experiment) Run(ctx context.Context, trial Trial, workers int, progress Progress) *Result {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if progress == nil {
		progress = silent{}
	}
	r := &runner{experiment: e, trial: trial, progress: progress, points: make([]tally, len(e.points))}
	r.schedule()
	progress.Planned(r.planned)
	interrupted := r.loop(ctx, workers)
	progress.Ended(interrupted)
	return r.result(interrupted)
}

// job is a run to be carried out, and outcome what became of it.
type job struct{ point, replication int }

type outcome struct {
	job
	measures Measures
	failure  *Failure
}

// tally is what is known about one point.
type tally struct {
	planned int
	done    []outcome // in the order in which they finished
}

type runner struct {
	experiment *Experiment
	trial      Trial
	progress   Progress
	points     []tally
	queue      []job
	planned    int
	finished   int // without failure
}

// schedule plans the first round of every point: one replication of all points after the other. What is known about all
// points thus grows evenly, which is best for the estimate of the time left and for whoever interrupts.
func (r *runner) schedule() {
	first := r.experiment.Replications
	if p := r.experiment.Precision; p != nil {
		first = p.Min
	}
	for range first {
		for i := range r.points {
			r.plan(i)
		}
	}
}

func (r *runner) plan(point int) {
	r.queue = append(r.queue, job{point, r.points[point].planned})
	r.points[point].planned++
	r.planned++
}

// loop feeds the workers and collects what they return until nothing is left to do or ctx is cancelled.
func (r *runner) loop(ctx context.Context, workers int) (interrupted bool) {
	jobs := make(chan job)
	defer close(jobs)
	// Every worker that was abandoned can leave its last outcome here and end.
	outcomes := make(chan outcome, workers)
	for range workers {
		go func() {
			for j := range jobs {
				outcomes <- r.carryOut(ctx, j)
			}
		}()
	}
	for under := 0; under > 0 || len(r.queue) > 0; {
		var feed chan job
		var next job
		if len(r.queue) > 0 {
			feed, next = jobs, r.queue[0]
		}
		select {
		case <-ctx.Done():
			return true
		case feed <- next:
			r.queue = r.queue[1:]
			under++
		case o := <-outcomes:
			if ctx.Err() != nil {
				return true // o may have failed for no other reason
			}
			under--
			r.collect(o)
		}
	}
	return false
}

// carryOut runs one trial; it is called concurrently.
func (r *runner) carryOut(ctx context.Context, j job) (o outcome) {
	p := r.experiment.points[j.point]
	seed := replicationSeed(r.experiment.Seed, j.replication)
	o.job = j
	fail := func(err, stack string) {
		o.failure = &Failure{Params: p.params, Replication: j.replication, Seed: seed, Err: firstLine(err), Stack: stack}
	}
	defer func() {
		if cause := recover(); cause != nil {
			fail(fmt.Sprintf("panic: %v", cause), string(debug.Stack()))
		}
	}()
	setup := p.build()
	setup.Seed, setup.Replication = seed, j.replication
	measures, err := r.trial(ctx, setup)
	if err == nil {
		err = r.check(measures)
	}
	if err != nil {
		fail(err.Error(), "")
		return o
	}
	o.measures = measures
	return o
}

// check holds what a trial returns against what a result can hold.
func (r *runner) check(measures Measures) error {
	seen := map[string]bool{}
	for _, m := range measures {
		if seen[m.Name] {
			return fmt.Errorf("measure %s is there twice", m.Name)
		}
		if math.IsInf(m.Value, 0) {
			return fmt.Errorf("measure %s is infinite", m.Name)
		}
		seen[m.Name] = true
	}
	if p := r.experiment.Precision; p != nil && !seen[p.Measure] {
		return fmt.Errorf("the run did not measure %s, which is to be precise", p.Measure)
	}
	return nil
}

// collect notes an outcome, and if it completes a round decides about another one.
func (r *runner) collect(o outcome) {
	t := &r.points[o.point]
	t.done = append(t.done, o)
	if o.failure == nil {
		r.finished++
	}
	r.progress.Finished(r.experiment.points[o.point].params, o.replication, o.failure)
	if len(t.done) == t.planned && r.experiment.Precision != nil && !t.failed() && !r.precise(t) {
		more := min(RoundSize, r.experiment.Precision.Max-t.planned)
		for range more {
			r.plan(o.point)
		}
		if more > 0 {
			r.progress.Planned(r.planned)
		}
	}
}

func (t *tally) failed() bool {
	for _, o := range t.done {
		if o.failure != nil {
			return true
		}
	}
	return false
}

// precise says whether the measure in question is known well enough. The runs are taken in their own order: rounding
// depends on it.
func (r *runner) precise(t *tally) bool {
	p := r.experiment.Precision
	var series stats.Running
	for _, o := range t.ordered() {
		for _, m := range o.measures {
			if m.Name == p.Measure && !math.IsNaN(m.Value) {
				series.Add(m.Value)
			}
		}
	}
	return series.RelativePrecision() <= p.Relative
}

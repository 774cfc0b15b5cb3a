package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"throng/world"
)

// noisy measures something that depends on the set-up, its seed and nothing else.
func noisy(_ context.Context, s Setup) (Measures, error) {
	delay := float64(s.Network.Config.(*constantConfig).Delay) / float64(world.Second)
	noise := float64(s.Seed>>24) / (1 << 24) // between 0 and 1
	divergence := delay * (1 + 0.5*noise)
	return Measures{{"divergence", "", divergence}, {"packets.sent", "1/s", 20 + noise}}, nil
}

const swept = plain + "sweep: {network.delay: [100ms, 200ms], world.bees: [2, 4, 8]}\n"

// written returns the files of a result.
func written(t *testing.T, r *Result) string {
	t.Helper()
	var buf bytes.Buffer
	if err := errors.Join(r.WriteCSV(&buf), r.WriteJSON(&buf)); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestWorkersDoNotMatter(t *testing.T) {
	for name, text := range map[string]string{
		"replications": swept + "replications: 7\n",
		"precision":    swept + "precision: {measure: divergence, relative: 7%, min: 3, max: 30}\n",
	} {
		t.Run(name, func(t *testing.T) {
			e := load(t, text, Options{})
			want := written(t, e.Run(t.Context(), noisy, 1, nil))
			for _, workers := range []int{0, 2, 3, 16} {
				if got := written(t, e.Run(t.Context(), noisy, workers, nil)); got != want {
					t.Errorf("%d workers:\n%s\nwant\n%s", workers, got, want)
				}
			}
		})
	}
}

func TestPointsShareSeeds(t *testing.T) {
	e := load(t, swept+"replications: 3\nseed: 5\n", Options{})
	r := e.Run(t.Context(), noisy, 2, nil)
	seen := map[uint64]bool{}
	for i, p := range r.Points {
		for j, run := range p.Runs {
			if run.Replication != j || run.Seed != r.Points[0].Runs[j].Seed {
				t.Errorf("point %d, run %d: replication %d, seed %d", i, j, run.Replication, run.Seed)
			}
			seen[run.Seed] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d different seeds, want 3", len(seen))
	}
	if other := load(t, swept+"seed: 6\n", Options{}).Run(t.Context(), noisy, 2, nil); seen[other.Points[0].Runs[0].Seed] {
		t.Error("another experiment seed gives the same replication seed")
	}
}

func TestReplicationSeedsStayWhatTheyAre(t *testing.T) {
	// Published results can be repeated only while these hold.
	for replication, want := range []uint64{0x910a2dec8902, 0xbeeb8da1658e, 0xf893a2eefb32} {
		if got := replicationSeed(1, replication); got != want {
			t.Errorf("replication %d: %#x, want %#x", replication, got, want)
		}
	}
}

func TestResultByHand(t *testing.T) {
	e := load(t, plain+"title: By hand\nreplications: 4\nsweep: {network.delay: [100ms, 2s]}\nmeasures: [divergence]\n", Options{Quick: true})
	values := []float64{1, 2, 3, 6}
	trial := func(_ context.Context, s Setup) (Measures, error) {
		for i, v := range values {
			if s.Seed == replicationSeed(1, i) {
				rare := math.NaN()
				if i == 2 {
					rare = 5
				}
				return Measures{{"divergence", "", v}, {"rare", "ms", rare}, {"never", "", math.NaN()}}, nil
			}
		}
		return nil, errors.New("unexpected seed")
	}
	r := e.Run(t.Context(), trial, 2, nil)
	if r.Name != "x" || r.Title != "By hand" || !r.Quick || r.Duration != "60s" || r.Warmup != "0s" || r.Replications != 4 {
		t.Errorf("result is about %+v", r)
	}
	if r.Planned != 8 || r.Finished != 8 || r.Interrupted || len(r.Failures) != 0 {
		t.Errorf("planned %d, finished %d, failures %v", r.Planned, r.Finished, r.Failures)
	}
	p := &r.Points[1]
	if q, _ := p.Param("network.delay"); q.Value != "2s" || q.Number != 2 || q.Unit != "s" {
		t.Errorf("parameter %+v, want 2 s", q)
	}
	// The deviation of 1, 2, 3, 6 is sqrt(14/3), and t(3) = 3.182446.
	d, _ := p.Measure("divergence")
	if half := 3.182446 * math.Sqrt(14.0/3/4); d.Mean != 3 || math.Abs(d.CI95-half) > 1e-12 || d.N != 4 || d.Min != 1 || d.Max != 6 {
		t.Errorf("divergence %+v, want mean 3 ± %v of 4 between 1 and 6", d, half)
	}
	if s, _ := p.Measure("rare"); s.Mean != 5 || !math.IsNaN(s.CI95) || s.N != 1 || s.Unit != "ms" {
		t.Errorf("rare %+v, want 5 once", s)
	}
	if s, _ := p.Measure("never"); !math.IsNaN(s.Mean) || s.N != 0 {
		t.Errorf("never %+v, want nothing", s)
	}
	if _, ok := p.Measure("other"); ok {
		t.Error("there is a measure that nobody made")
	}
	fixed := "world=swarm world.bees=8 mechanism=optimistic mechanism.local-lag=10ms mechanism.states= network=constant network.loss=0.001 host.cpu=0 "
	if got := joinParams(r.Fixed); !strings.HasPrefix(got, fixed) {
		t.Errorf("fixed: %s\nwant   %s", got, fixed)
	}
	if got := joinParams(p.All); !strings.Contains(got, "network.delay=2s") {
		t.Errorf("all parameters of the point: %s", got)
	}
}

func TestPrecisionStopsWhenItKnows(t *testing.T) {
	const text = plain + "sweep: {network.delay: [1s, 2s, 3s]}\nprecision: {measure: divergence, relative: 10%, min: 3, max: 12}\n"
	e := load(t, text, Options{})
	trial := func(_ context.Context, s Setup) (Measures, error) {
		delay := s.Network.Config.(*constantConfig).Delay / world.Second
		v := 1.0
		switch {
		case delay == 2 && s.Seed == replicationSeed(1, 0):
			v = 1.2 // hurts a mean of three, not one of seven
		case delay == 3:
			v = float64(s.Seed % 1000)
		}
		return Measures{{"divergence", "", v}}, nil
	}
	var log progressLog
	r := e.Run(t.Context(), trial, 3, &log)
	for i, want := range []struct {
		runs      int
		imprecise bool
	}{{3, false}, {3 + RoundSize, false}, {12, true}} {
		if p := r.Points[i]; len(p.Runs) != want.runs || p.Imprecise != want.imprecise {
			t.Errorf("point %d: %d runs, imprecise %v; want %+v", i, len(p.Runs), p.Imprecise, want)
		}
	}
	if total := 3 + 7 + 12; r.Planned != total || r.Finished != total || log.planned != total || log.finished != total {
		t.Errorf("planned %d, finished %d, progress %+v; want %d", r.Planned, r.Finished, log, total)
	}
}

func TestFailuresDoNotStopTheOthers(t *testing.T) {
	e := load(t, plain+"replications: 3\nsweep: {network.delay: [1s, 2s, 3s, 4s]}\n", Options{})
	second := replicationSeed(1, 1)
	trial := func(ctx context.Context, s Setup) (Measures, error) {
		switch delay := s.Network.Config.(*constantConfig).Delay / world.Second; {
		case delay == 2 && s.Seed == second:
			return nil, errors.New("the ball left the world\nand more")
		case delay == 3 && s.Seed == second:
			panic("index out of range")
		case delay == 4:
			return Measures{{"divergence", "", math.Inf(1)}}, nil
		}
		return noisy(ctx, s)
	}
	r := e.Run(t.Context(), trial, 4, nil)
	var got []string
	for _, f := range r.Failures {
		got = append(got, f.String())
	}
	want := []string{
		fmt.Sprintf("failed: network.delay=2s, replication 1 (seed %d): the ball left the world", second),
		fmt.Sprintf("failed: network.delay=3s, replication 1 (seed %d): panic: index out of range", second),
	}
	for i := range 3 {
		want = append(want, fmt.Sprintf("failed: network.delay=4s, replication %d (seed %d): measure divergence is infinite", i, replicationSeed(1, i)))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("failures:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(r.Failures[1].Stack, "TestFailuresDoNotStopTheOthers") {
		t.Errorf("the stack does not lead to the panic:\n%s", r.Failures[1].Stack)
	}
	for i, want := range []int{3, 2, 2, 0} {
		if len(r.Points[i].Runs) != want {
			t.Errorf("point %d: %d runs, want %d", i, len(r.Points[i].Runs), want)
		}
	}
	if r.Interrupted || r.Finished != 7 || r.Planned != 12 {
		t.Errorf("interrupted %v, finished %d of %d; want 7 of 12", r.Interrupted, r.Finished, r.Planned)
	}
}

func TestFailedPointGetsNoFurtherRounds(t *testing.T) {
	e := load(t, plain+"precision: {measure: divergence, min: 2}\n", Options{})
	trial := func(context.Context, Setup) (Measures, error) { return Measures{{"packets.sent", "1/s", 1}}, nil }
	r := e.Run(t.Context(), trial, 1, nil)
	if len(r.Failures) != 2 || r.Failures[0].Err != "the run did not measure divergence, which is to be precise" {
		t.Errorf("failures %v", r.Failures)
	}
}

func TestInterruption(t *testing.T) {
	e := load(t, plain+"replications: 10\n", Options{})
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	trial := func(ctx context.Context, s Setup) (Measures, error) {
		switch s.Seed {
		case replicationSeed(1, 4):
			<-release // a run that does not listen is left behind
		case replicationSeed(1, 5):
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return noisy(ctx, s)
	}
	log := progressLog{finish: func(finished int) {
		if finished == 4 {
			cancel() // the two workers are by now, or will be, in runs 4 and 5
		}
	}}
	r := e.Run(ctx, trial, 2, &log)
	if !r.Interrupted || !log.interrupted || r.Finished != 4 || r.Planned != 10 || len(r.Failures) != 0 {
		t.Errorf("interrupted %v, finished %d of %d, failures %v; want 4 of 10", r.Interrupted, r.Finished, r.Planned, r.Failures)
	}
	if p := r.Points[0]; len(p.Runs) != 4 || p.Measures[0].N != 4 {
		t.Errorf("%d runs are left, want 4", len(p.Runs))
	}
	written(t, r)
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var ran atomic.Int32
	trial := func(ctx context.Context, s Setup) (Measures, error) { ran.Add(1); return nil, ctx.Err() }
	r := load(t, swept, Options{}).Run(ctx, trial, 2, nil)
	if !r.Interrupted || r.Finished != 0 || len(r.Failures) != 0 || len(r.Points) != 6 {
		t.Errorf("interrupted %v, finished %d, failures %v", r.Interrupted, r.Finished, r.Failures)
	}
	written(t, r)
}

// progressLog remembers what it was told.
type progressLog struct {
	planned, finished int
	interrupted       bool
	finish            func(finished int)
}

func (p *progressLog) Planned(runs int) { p.planned = runs }

func (p *progressLog) Finished([]Param, int, *Failure) {
	p.finished++
	if p.finish != nil {
		p.finish(p.finished)
	}
}

func (p *progressLog) Ended(interrupted bool) { p.interrupted = interrupted }

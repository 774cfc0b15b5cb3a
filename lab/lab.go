// Package lab turns an experiment's set-up into a run and a run into figures: the glue between the experiment files, the
// simulator, the probes that measure a run and the checks that can fail it.
package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"throng/lab/check"
	"throng/lab/churn"
	"throng/lab/consensus"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/lab/trace"
	"throng/mechanism"
)

// Build prepares a run. Its set-up has no time to settle.
func Build(s experiment.Setup) (*sim.Run, error) { return build(s, false) }

// build prepares a run, with time to settle if the mechanism makes promises about that.
func build(s experiment.Setup, settle bool) (*sim.Run, error) {
	setup, err := prepare(s)
	if err != nil {
		return nil, err
	}
	if settle {
		setup.Settle = settleTime(setup.Mechanism)
	}
	if s.Commands == "" {
		return sim.New(setup)
	}
	commands, err := trace.Load(s.Commands)
	if err != nil {
		return nil, err
	}
	if err := commands.Check(setup.World, experiment.Assignments(s.Params())); err != nil {
		return nil, err
	}
	setup.Seed = commands.Header.Seed // the world must begin as it did then; the network has the run's own seed
	run, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	commands.Replay(run)
	return run, nil
}

func prepare(s experiment.Setup) (sim.Setup, error) {
	w, err := s.World.Build()
	if err != nil {
		return sim.Setup{}, err
	}
	if w.Users() == 0 {
		return sim.Setup{}, fmt.Errorf("world %s: there is nobody in it", s.World.Name)
	}
	m, err := s.Mechanism.Build()
	if err != nil {
		return sim.Setup{}, err
	}
	t, err := timeline(s, w, m)
	if err != nil {
		return sim.Setup{}, err
	}
	model, err := buildNetwork(s, m, &t)
	if err != nil {
		return sim.Setup{}, err
	}
	return sim.Setup{World: w, Mechanism: m, Network: model, Hosts: *s.Host, Timeline: t, Replication: consensus.Replication{},
		Seed: s.Seed, Duration: s.Duration, Warmup: s.Warmup}, nil
}

// buildNetwork gives mechanisms that are bounds for the others the network they are bounds on. What happens to a network by its
// own parameters is noted in the timeline, as is what happens by events.
func buildNetwork(s experiment.Setup, m mechanism.Mechanism, t *churn.Timeline) (network.Model, error) {
	if _, ok := m.(mechanism.Idealised); ok {
		return network.Perfect{}.New(s.Seed, len(t.Hosts))
	}
	model, err := s.Network.Build(s.Seed, len(t.Hosts))
	if err != nil {
		return nil, err
	}
	if err := network.Assign(model, t.Hosts); err != nil {
		return nil, fmt.Errorf("network %s: %w", s.Network.Name, err)
	}
	t.Note("network.partitions", network.Changes(model), s.Duration)
	return network.Disturb(model, t.Changes, s.Seed, len(t.Hosts)), nil
}

// CheckPoints says why some point cannot be run, such as for a file of latencies that has fewer hosts than there are nodes.
func CheckPoints(points []experiment.Point) error {
	for _, p := range points {
		if _, err := prepare(p.Setup); err != nil {
			return err
		}
	}
	return nil
}

// Keeper is something that keeps more of a run than its figures. It is given the run before it starts, and may decline it by
// returning nil; what it returns is closed when the run ends, be it before its time.
type Keeper func(r *sim.Run, s experiment.Setup) (io.Closer, error)

// Trial returns what an experiment calls for each of its runs: a simulation with the given probes and all checks attached.
func Trial(probes []measure.Entry, keepers ...Keeper) experiment.Trial {
	return func(ctx context.Context, s experiment.Setup) (experiment.Measures, error) {
		run, err := Build(s)
		if err != nil {
			return nil, err
		}
		checks := check.Attach(run)
		measured := measure.Attach(run, withLoad(run, probes))
		if err := keeping(ctx, run, s, keepers); err != nil {
			return nil, err
		}
		if err := checks.Verdict(); err != nil {
			return nil, err
		}
		return asMeasures(measured), nil
	}
}

// withLoad adds the probe that tells whether links carry what they are given, where that is a question: figures of a network
// that has collapsed must not pass for a mechanism's.
func withLoad(r *sim.Run, probes []measure.Entry) []measure.Entry {
	load := measure.LoadEntry()
	if !r.Limited() || slices.ContainsFunc(probes, func(e measure.Entry) bool { return e.Name == load.Name }) {
		return probes
	}
	return append(slices.Clip(probes), load)
}

func asMeasures(p *measure.Probes) (figures experiment.Measures) {
	for _, f := range p.Figures() {
		figures = append(figures, experiment.Measure{Name: f.Name, Unit: f.Unit, Value: f.Value})
	}
	return figures
}

// keeping runs to the end while others keep what they want of it.
func keeping(ctx context.Context, run *sim.Run, s experiment.Setup, keepers []Keeper) (err error) {
	for _, keep := range keepers {
		kept, refusal := keep(run, s)
		if refusal != nil {
			return refusal
		}
		if kept != nil {
			defer func() { err = errors.Join(err, kept.Close()) }()
		}
	}
	return run.Go(ctx)
}

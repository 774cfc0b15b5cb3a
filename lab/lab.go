// Package lab turns an experiment's set-up into a run and a run into figures: the glue between the experiment files, the
// simulator, the probes that measure a run and the checks that can fail it.
package lab

import (
	"context"
	"fmt"

	"throng/lab/check"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Build prepares a run. Its set-up has no time to settle.
func Build(s experiment.Setup) (*sim.Run, error) {
	setup, err := prepare(s)
	if err != nil {
		return nil, err
	}
	return sim.New(setup)
}

func prepare(s experiment.Setup) (sim.Setup, error) {
	maker, ok := s.World.Config.(interface{ World() (world.World, error) })
	if !ok {
		return sim.Setup{}, fmt.Errorf("world %s cannot make a world from a %T", s.World.Name, s.World.Config)
	}
	w, err := maker.World()
	if err != nil {
		return sim.Setup{}, fmt.Errorf("world %s: %w", s.World.Name, err)
	}
	mech, ok := s.Mechanism.Config.(mechanism.Mechanism)
	if !ok {
		return sim.Setup{}, fmt.Errorf("mechanism %s: a %T is none", s.Mechanism.Name, s.Mechanism.Config)
	}
	model, err := buildNetwork(s, mech, len(mech.Places(w)))
	if err != nil {
		return sim.Setup{}, fmt.Errorf("network %s: %w", s.Network.Name, err)
	}
	hosts, ok := s.Host.Config.(*sim.Config)
	if !ok {
		return sim.Setup{}, fmt.Errorf("host: a %T does not describe hosts", s.Host.Config)
	}
	return sim.Setup{World: w, Mechanism: mech, Network: model, Hosts: *hosts,
		Seed: s.Seed, Duration: s.Duration, Warmup: s.Warmup}, nil
}

// buildNetwork gives mechanisms that are bounds for the others the network they are bounds on.
func buildNetwork(s experiment.Setup, m mechanism.Mechanism, nodes int) (network.Model, error) {
	if _, ok := m.(mechanism.Idealised); ok {
		return network.Perfect{}.New(s.Seed, nodes)
	}
	cfg, ok := s.Network.Config.(network.Config)
	if !ok {
		return nil, fmt.Errorf("a %T is none", s.Network.Config)
	}
	return cfg.New(s.Seed, nodes)
}

// Trial returns what an experiment calls for each of its runs: a simulation with the given probes and all checks attached.
func Trial(probes []measure.Entry) experiment.Trial {
	return func(ctx context.Context, s experiment.Setup) (experiment.Measures, error) {
		run, err := Build(s)
		if err != nil {
			return nil, err
		}
		checks := check.Attach(run)
		measured := measure.Attach(run, probes)
		if err := run.Go(ctx); err != nil {
			return nil, err
		}
		if err := checks.Verdict(); err != nil {
			return nil, err
		}
		var figures experiment.Measures
		for _, f := range measured.Figures() {
			figures = append(figures, experiment.Measure{Name: f.Name, Unit: f.Unit, Value: f.Value})
		}
		return figures, nil
	}
}

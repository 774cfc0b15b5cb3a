package lab

import (
	"context"

	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/record"
)

// Record runs a set-up and writes every host's view, the truth and the divergence at every tick to a file. Params describe the
// set-up for whoever watches it, as path=value. Where the run is stopped, no file is left.
func Record(ctx context.Context, s experiment.Setup, params []string, file string) error {
	run, err := Build(s)
	if err != nil {
		return err
	}
	truth, divergence := measure.NewTruth(run), measure.NewDivergence(run)
	run.Observe(truth)
	w, err := record.Create(run, file, record.Options{
		Truth:     truth,
		Curves:    []record.Curve{{Name: "divergence", Value: divergence.Now}},
		Mechanism: s.Mechanism.Name,
		Network:   s.Network.Name,
		Params:    params,
	})
	if err != nil {
		return err
	}
	if err := run.Go(ctx); err != nil {
		w.Discard()
		return err
	}
	return w.Close()
}

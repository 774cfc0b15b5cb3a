package lab

import (
	"context"
	"slices"

	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/record"
	"throng/world"
)

// drawn are the measures that recordings have as curves, beside those that an experiment asks for.
var drawn = []string{"divergence", "discontinuity", "drift", "latency", "traffic", "cost", "events", "fairness", "score"}

// window is the time over which a curve's figures are taken.
const window = world.Second / 2

// Record runs a set-up and writes every host's view, the truth, every datagram and many measures as curves to a file. Probes are those of
// measures to be drawn beside the usual ones. Params describe the set-up for whoever watches it, as path=value. Where the run is
// stopped, no file is left.
func Record(ctx context.Context, s experiment.Setup, probes []measure.Entry, params []string, file string) error {
	run, err := Build(s)
	if err != nil {
		return err
	}
	truth := measure.NewTruth(run)
	run.Observe(truth)
	figures := measure.NewWindows(run, curvesOf(probes), truth, window)
	var curves []record.Curve
	for i, f := range figures.Labels() {
		curves = append(curves, record.Curve{Name: f.Name, Unit: f.Unit, Value: func() float64 { return figures.Value(i) }})
	}
	w, err := record.Create(run, file, record.Options{
		Truth:     truth,
		Curves:    curves,
		Notes:     true,
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

// curvesOf are the probes whose figures make sense for a moment. What life reports takes longer than one, and is seen on the timeline.
func curvesOf(probes []measure.Entry) []measure.Entry {
	var list []measure.Entry
	has := func(list []measure.Entry, name string) bool {
		return slices.ContainsFunc(list, func(e measure.Entry) bool { return e.Name == name })
	}
	for _, e := range measure.All() {
		if slices.Contains(drawn, e.Name) {
			list = append(list, e)
		}
	}
	for _, e := range probes {
		if !has(list, e.Name) && e.Name != "life" {
			list = append(list, e)
		}
	}
	return list
}

package report

import (
	"math"

	"throng/lab/experiment"
)

// named, number and seconds are parameter values.
func named(path, value string) experiment.Param {
	return experiment.Param{Path: path, Value: value, Number: math.NaN()}
}

func number(path string, v float64, unit string) experiment.Param {
	return experiment.Param{Path: path, Value: formatNumber(v) + unit, Number: v, Unit: unit}
}

func seconds(path, value string, s float64) experiment.Param {
	return experiment.Param{Path: path, Value: value, Number: s, Unit: "s"}
}

// spread summarises seven runs around a mean, with values that look measured but are fixed.
func spread(name, unit string, mean, relative float64) experiment.Summary {
	return experiment.Summary{
		Name: name, Unit: unit, Mean: mean, CI95: mean * relative,
		Min: mean * (1 - 1.7*relative), Max: mean * (1 + 1.4*relative), N: 7,
	}
}

// delaySample is a sweep over delay for three mechanisms, one of which is perfect.
func delaySample() *experiment.Result {
	r := &experiment.Result{
		Name:  "adam/delay",
		Title: "Consistency against network delay at equal net load",
		About: "How do loose and optimistic consistency degrade as the network gets slower, when both may send\n" +
			"the same number of packets?\n\nSwarm, 8 bees.",
		Source: "Adam, section 12",
		Seed:   1, Duration: "5000s", Warmup: "10s", Replications: 7,
		Varying: []string{"mechanism", "network.delay"},
		Fixed: []experiment.Param{
			named("world", "swarm"), number("swarm.bees", 8, ""), seconds("tick", "50ms", 0.05),
			number("network.loss", 0.001, ""), named("network.model", "pareto"), seconds("network.cutoff", "5s", 5),
			number("loose.threshold", 5, "px"), seconds("optimistic.timeout", "250ms", 0.25),
		},
		Measures: []string{"divergence", "discontinuity", "packets.sent", "response.p90", "yield"},
		Plots: []experiment.Plot{
			{X: "network.delay", Y: "divergence", By: []string{"mechanism"}, Title: "Divergence grows with delay"},
			{X: "network.delay", Y: "discontinuity", By: []string{"mechanism"}, LogX: true, LogY: true},
			{X: "network.delay", Y: "response.p90", By: []string{"mechanism"}},
			{X: "mechanism", Y: "packets.sent", By: []string{"network.delay"}, Title: "Net load"},
		},
	}
	delays := []experiment.Param{
		seconds("network.delay", "25ms", 0.025), seconds("network.delay", "50ms", 0.05), seconds("network.delay", "100ms", 0.1),
		seconds("network.delay", "200ms", 0.2), seconds("network.delay", "400ms", 0.4),
	}
	for _, m := range []struct {
		name             string
		error, uncertain float64
	}{{"ideal", 0, 0}, {"loose", 0.31, 0.09}, {"optimistic", 0.062, 0.06}} {
		for i, d := range delays {
			wobble := 1 + float64(i*7%5)/25
			point := experiment.PointResult{
				Params: []experiment.Param{named("mechanism", m.name), d},
				Measures: []experiment.Summary{
					spread("divergence", "", m.error*d.Number*wobble, m.uncertain),
					spread("discontinuity", "", 0.0021*m.error*d.Number*wobble, 2*m.uncertain),
					spread("packets.sent", "1/s", 20*wobble, m.uncertain/9),
					spread("response.p90", "s", 0.05+d.Number*m.error/4, m.uncertain/4),
					spread("yield", "1/s", 5.1-float64(m.error*d.Number*wobble), 0.021),
				},
				Runs: make([]experiment.Run, 7),
			}
			r.Points = append(r.Points, point)
		}
	}
	return r
}

// curveSample is a sweep whose plots have measures on both axes.
func curveSample() *experiment.Result {
	r := &experiment.Result{
		Name: "adam/rate-quality", Title: "What a packet buys", Seed: 7, Quick: true, Duration: "200s",
		Precision: &experiment.Precision{Measure: "divergence", Relative: 0.05, Min: 5, Max: 40},
		Varying:   []string{"mechanism", "network.delay", "rate"},
		Plots: []experiment.Plot{
			{X: "packets.sent", Y: "divergence", By: []string{"mechanism", "network.delay"}, LogY: true, Title: "Rate against divergence"},
		},
	}
	for _, delay := range []experiment.Param{seconds("network.delay", "100ms", 0.1), seconds("network.delay", "400ms", 0.4)} {
		for _, rate := range []float64{2, 4, 8, 16, 32, 28} {
			r.Points = append(r.Points, experiment.PointResult{
				Params: []experiment.Param{named("mechanism", "loose"), delay, number("rate", rate, "/s")},
				Measures: []experiment.Summary{
					spread("packets.sent", "1/s", rate+1, 0.06),
					spread("divergence", "", float64(0.25*delay.Number)+0.2/rate, 0.08),
				},
				Runs: make([]experiment.Run, 7),
			})
		}
		for _, rate := range []float64{20, 17, 14, 12} {
			r.Points = append(r.Points, experiment.PointResult{
				Params: []experiment.Param{named("mechanism", "optimistic"), delay, number("rate", rate, "/s")},
				Measures: []experiment.Summary{
					spread("packets.sent", "1/s", rate, 0.03),
					spread("divergence", "", float64(0.06*delay.Number)+0.02/(rate-10), 0.1),
				},
				Runs:      make([]experiment.Run, 40),
				Imprecise: rate == 12,
			})
		}
	}
	return r
}

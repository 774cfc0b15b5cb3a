package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"throng/lab/experiment"
)

func figureOf(t *testing.T, r *experiment.Result, p experiment.Plot) figure {
	t.Helper()
	r.Plots = []experiment.Plot{p}
	all := figures(r)
	if len(all) != 1 {
		t.Fatalf("%d figures for plot %+v", len(all), p)
	}
	return all[0]
}

func curveNames(f figure) (names []string) {
	for _, c := range f.curves {
		names = append(names, c.name)
	}
	return names
}

func TestCurves(t *testing.T) {
	for _, test := range []struct {
		name   string
		result *experiment.Result
		plot   experiment.Plot
		want   []string
		points int // of the first curve
	}{
		{"as asked", delaySample(), experiment.Plot{X: "network.delay", Y: "divergence", By: []string{"mechanism"}},
			[]string{"ideal", "loose", "optimistic"}, 5},
		{"what else varies tells curves apart", delaySample(), experiment.Plot{X: "network.delay", Y: "divergence"},
			[]string{"ideal", "loose", "optimistic"}, 5},
		{"over names", delaySample(), experiment.Plot{X: "mechanism", Y: "yield"},
			[]string{"delay 25ms", "delay 50ms", "delay 100ms", "delay 200ms", "delay 400ms"}, 3},
		{"between measures, the sweep runs along the curve", curveSample(),
			experiment.Plot{X: "packets.sent", Y: "divergence", By: []string{"mechanism", "network.delay"}},
			[]string{"loose · delay 100ms", "optimistic · delay 100ms", "loose · delay 400ms", "optimistic · delay 400ms"}, 6},
		{"between measures, names tell curves apart unasked", curveSample(), experiment.Plot{X: "packets.sent", Y: "divergence"},
			[]string{"loose", "optimistic"}, 12},
		{"an x that no longer varies gives way", delaySample(), experiment.Plot{X: "swarm.bees", Y: "yield", By: []string{"mechanism"}},
			[]string{"delay 25ms", "delay 50ms", "delay 100ms", "delay 200ms", "delay 400ms"}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := figureOf(t, test.result, test.plot)
			if got := curveNames(f); !slices.Equal(got, test.want) {
				t.Errorf("curves %q, want %q", got, test.want)
			}
			if got := len(f.curves[0].points); got != test.points {
				t.Errorf("first curve has %d points, want %d", got, test.points)
			}
		})
	}
}

func TestParametricCurveKeepsTheOrderOfTheSweep(t *testing.T) {
	f := figureOf(t, curveSample(), experiment.Plot{X: "packets.sent", Y: "divergence", By: []string{"mechanism", "network.delay"}})
	var x []float64
	for _, p := range f.curves[0].points {
		x = append(x, p.x.mean)
	}
	if want := []float64{3, 5, 9, 17, 33, 29}; !slices.Equal(x, want) {
		t.Errorf("got %v, want %v", x, want)
	}
	d := f.views()[0].Drawings[0]
	if d.Guide != "xy" {
		t.Errorf("guide %q", d.Guide)
	}
	// A whisker with its two caps has three strokes; each point has one whisker in each direction.
	if strokes := strings.Count(d.Curves[0].Whiskers, "M"); strokes != 6*2*3 {
		t.Errorf("%d strokes of whiskers", strokes)
	}
}

func TestDurationsAreShownInMilliseconds(t *testing.T) {
	f := figureOf(t, delaySample(), experiment.Plot{X: "network.delay", Y: "response.p90", By: []string{"mechanism"}})
	d := f.views()[0].Drawings[0]
	var texts []string
	for _, l := range d.Labels {
		texts = append(texts, l.Text)
	}
	for _, want := range []string{"network.delay (ms)", "response.p90 (ms)", "25", "400"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no label %q among %q", want, texts)
		}
	}
	if got := d.Curves[1].Marks[2].Head; got != "network.delay 100 ms" {
		t.Errorf("head %q", got)
	}
}

func TestLogarithmicAxisLeavesOutZeroAndSaysSo(t *testing.T) {
	f := figureOf(t, delaySample(), experiment.Plot{X: "network.delay", Y: "divergence", By: []string{"mechanism"}, LogX: true, LogY: true})
	both := f.views()
	if len(both) != 2 || both[0].Scale != "linear" || both[1].Scale != "log" {
		t.Fatalf("want a linear and a logarithmic drawing, got %d", len(both))
	}
	linear, log := both[0], both[1]
	if !linear.Hidden || log.Hidden {
		t.Error("the scale that was asked for is not the one shown")
	}
	if len(linear.Notes) != 0 || len(linear.Drawings[0].Curves[0].Marks) != 5 {
		t.Errorf("linear: notes %q, %d marks of ideal", linear.Notes, len(linear.Drawings[0].Curves[0].Marks))
	}
	if len(log.Notes) != 1 || !strings.Contains(log.Notes[0], "ideal") || len(log.Drawings[0].Curves[0].Marks) != 0 {
		t.Errorf("log: notes %q, %d marks of ideal", log.Notes, len(log.Drawings[0].Curves[0].Marks))
	}
}

func TestLogarithmicAxisOfZerosFallsBack(t *testing.T) {
	r := delaySample()
	r.Points = r.Points[:5] // ideal alone
	f := figureOf(t, r, experiment.Plot{X: "network.delay", Y: "divergence", LogY: true})
	if all := f.views(); len(all) != 1 || all[0].Scale != "linear" || all[0].Hidden {
		t.Errorf("%d drawings, the first %s", len(all), all[0].Scale)
	}
}

func TestDefaultPlots(t *testing.T) {
	r := delaySample()
	r.Plots = nil
	var got []string
	for _, f := range figures(r) {
		got = append(got, f.title)
	}
	want := []string{
		"divergence against network.delay", "discontinuity against network.delay", "packets.sent against network.delay",
		"response.p90 against network.delay", "yield against network.delay",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Points = r.Points[:1]
	if n := len(figures(r)); n != 0 {
		t.Errorf("%d figures of a single point", n)
	}
}

func TestSameValueLooksTheSameEverywhere(t *testing.T) {
	r := curveSample()
	r.Plots = []experiment.Plot{
		{X: "packets.sent", Y: "divergence", By: []string{"mechanism", "network.delay"}},
		{X: "divergence", Y: "packets.sent", By: []string{"mechanism"}},
	}
	all := figures(r)
	looks := map[string]look{}
	for _, c := range all[0].curves {
		looks[c.name] = c.look
	}
	loose100, loose400, optimistic100 := looks["loose · delay 100ms"], looks["loose · delay 400ms"], looks["optimistic · delay 100ms"]
	if loose100.colour != loose400.colour || loose100.variant == loose400.variant {
		t.Errorf("one mechanism at two delays: %+v and %+v", loose100, loose400)
	}
	if loose100.colour == optimistic100.colour || loose100.variant != optimistic100.variant {
		t.Errorf("two mechanisms at one delay: %+v and %+v", loose100, optimistic100)
	}
	if got := all[1].curves[1]; got.name != "optimistic" || got.look.colour != optimistic100.colour {
		t.Errorf("in the second figure %s has colour %d", got.name, got.look.colour)
	}
}

func TestBarsStartAtZeroAndStandUnderTheirName(t *testing.T) {
	f := figureOf(t, delaySample(), experiment.Plot{X: "mechanism", Y: "packets.sent"})
	d := f.views()[0].Drawings[0]
	if d.Guide != "y" || len(d.Curves) != 5 {
		t.Fatalf("guide %q, %d curves", d.Guide, len(d.Curves))
	}
	seen := map[px]bool{}
	for _, c := range d.Curves {
		for _, m := range c.Marks {
			if !m.Bar || !strings.HasPrefix(m.Shape, "M4 ") {
				t.Errorf("bar %q of %s does not start at the axis", m.Shape, m.Head)
			}
			if seen[m.Y] {
				t.Errorf("two bars at height %v", m.Y)
			}
			seen[m.Y] = true
		}
	}
}

func TestFiguresBesideBarsAreInTheUnitOfTheAxis(t *testing.T) {
	r := delaySample()
	f := figureOf(t, r, experiment.Plot{X: "mechanism", Y: "discontinuity"})
	d := f.views()[0].Drawings[0]
	if !slices.ContainsFunc(d.Labels, func(l label) bool { return l.Text == "discontinuity (10⁻⁶)" }) {
		t.Fatalf("no axis in 10⁻⁶ among %v", d.Labels)
	}
	s, _ := r.Points[9].Measure("discontinuity") // loose at 400 ms
	want := estimate{mean: s.Mean * 1e6, ci: s.CI95 * 1e6, n: s.N}.String()
	if got := d.Curves[4].Values[1].Text; got != want {
		t.Errorf("beside the bar stands %q, want %q", got, want)
	}
}

func TestPointsWithoutTheParameterAreLeftOut(t *testing.T) {
	r := delaySample()
	for i := range r.Points[:5] { // ideal has no delay
		r.Points[i].Params = r.Points[i].Params[:1]
	}
	f := figureOf(t, r, experiment.Plot{X: "network.delay", Y: "divergence", By: []string{"mechanism"}})
	if got, want := curveNames(f), []string{"loose", "optimistic"}; f.categories != nil || !slices.Equal(got, want) {
		t.Errorf("categories %q, curves %q, want none and %q", f.categories, got, want)
	}
}

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		kept     string
		greatest float64
		want     unit
	}{
		{"s", 0.4, unit{"ms", 1000}}, {"s", 25, unit{"s", 1}}, {"s/tick", 0.016, unit{"ms/tick", 1000}},
		{"bit/s", 32e6, unit{"Mbit/s", 1e-6}}, {"bit/s", 64000, unit{"bit/s", 1}}, {"1/s", 3, unit{"1/s", 1}}, {"", 3, unit{"", 1}},
	} {
		if got := unitFor(test.kept, test.greatest); got != test.want {
			t.Errorf("%v %s is shown in %+v, want %+v", test.greatest, test.kept, got, test.want)
		}
	}
}

func TestMissingValuesAreLeftOut(t *testing.T) {
	r := delaySample()
	r.Points[7].Measures[0].Mean = math.NaN()
	r.Points[8].Measures = r.Points[8].Measures[1:]
	f := figureOf(t, r, experiment.Plot{X: "network.delay", Y: "divergence", By: []string{"mechanism"}})
	if got := len(f.curves[1].points); got != 3 {
		t.Errorf("%d points of loose, want 3", got)
	}
}

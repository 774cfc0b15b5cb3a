package verdict

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"throng/lab/experiment"
)

func knownFigure(figure string) error {
	if figure == "response.p90" || figure == "bytes" || figure == "score" {
		return nil
	}
	return errors.New("unknown")
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]Limit{
		"response.p90<120ms":   {Figure: "response.p90", Bound: 0.12},
		"response.p90 <= 1.5s": {Figure: "response.p90", Bound: 1.5},
		"bytes<20KB/s":         {Figure: "bytes", Bound: 20e3},
		"bytes<2MiB":           {Figure: "bytes", Bound: 2 << 20},
		"score>=3":             {Figure: "score", Bound: 3, Least: true},
		"score<-3":             {Figure: "score", Bound: -3},
	} {
		got, err := ParseLimit(text, knownFigure)
		want.Text = text
		if err != nil || math.Abs(got.Bound-want.Bound) > 1e-12 || got.Figure != want.Figure || got.Least != want.Least {
			t.Errorf("%s becomes %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "<3", "bytes", "bytes<", "bytes<x", "bytes<3 parsecs", "other<3", "bytes=3"} {
		if got, err := ParseLimit(text, knownFigure); err == nil {
			t.Errorf("%q becomes %+v", text, got)
		}
	}
}

// result has runs with the same seeds in several cases; each value is one run's.
func result(figures map[string]map[string][]float64, order ...string) *experiment.Result {
	r := &experiment.Result{Measures: []string{"response.p90", "bytes", "score"}}
	for _, name := range order {
		p := experiment.PointResult{Params: []experiment.Param{{Path: "case", Value: name}}}
		for i := range 4 {
			run := experiment.Run{Replication: i, Seed: uint64(100 + i)}
			for _, figure := range r.Measures {
				if list := figures[name][figure]; list != nil {
					run.Measures = append(run.Measures, experiment.Measure{Name: figure, Unit: map[string]string{"response.p90": "s", "bytes": "B/s"}[figure], Value: list[i]})
				}
			}
			p.Runs = append(p.Runs, run)
		}
		p.Measures = experiment.Summarise(p.Runs)
		r.Points = append(r.Points, p)
	}
	return r
}

func four(v float64) []float64 { return []float64{v, v * 1.01, v * 0.99, v} }

func TestJudge(t *testing.T) {
	r := result(map[string]map[string][]float64{
		"bound":  {"response.p90": four(0.001), "bytes": four(1), "score": four(9)},
		"quick":  {"response.p90": four(0.05), "bytes": four(5000), "score": four(3)},
		"slow":   {"response.p90": four(0.30), "bytes": four(100), "score": four(8)},
		"shaky":  {"response.p90": {0.02, 0.2, 0.1, 0.14}, "bytes": four(100), "score": four(8)},
		"lean":   {"response.p90": {0.051, 0.0515, 0.0505, 0.051}, "bytes": four(2000), "score": four(2)},
		"silent": {"bytes": four(10)},
	}, "bound", "quick", "slow", "shaky", "lean", "silent")
	limits := []Limit{{Figure: "response.p90", Bound: 0.12}, {Figure: "score", Bound: 1, Least: true}}
	v := Judge(r, limits, func(p *experiment.PointResult) bool { return p.Params[0].Value == "bound" }, func(f string) bool { return f == "score" })
	for i, want := range []State{Holds, Holds, Fails, Open, Holds, Open} {
		if v.Cases[i].State != want {
			t.Errorf("%s %s instead of %s: %v", v.Cases[i].Name, v.Cases[i].State, want, v.Cases[i].Why)
		}
	}
	best := map[string]Best{}
	for _, b := range v.Best {
		best[b.Figure] = b
	}
	// The views differ by a millisecond in every run: little next to how runs differ, but always.
	if b := best["response.p90"]; b.Case != "quick" || b.Next != "lean" || !b.Clear() || math.Abs(b.Difference-0.001) > 1e-4 || b.Shared != 4 {
		t.Errorf("fastest: %+v", b)
	}
	if b := best["bytes"]; b.Case != "lean" || b.Next != "quick" || math.Abs(b.Difference-3000) > 30 {
		t.Errorf("leanest: %+v", b)
	}
	if b := best["score"]; b.Case != "quick" || b.Difference > 0 {
		t.Errorf("best score: %+v", b)
	}
	want := "quick and lean keep within all limits; longer or more runs would tell of shaky, silent; quick is clearly best by 2 of 3 figures."
	if got := v.Sentence(); got != want {
		t.Errorf("says %q\nwant %q", got, want)
	}
	r.Varying, r.Plots = []string{"case"}, []experiment.Plot{{X: "case", Y: "bytes"}}
	v.Note(r)
	if p, ok := r.Points[2].Param("limits"); !ok || p.Value != "fails" || len(r.Varying) != 2 || len(r.Plots[0].By) != 1 {
		t.Errorf("noted as %+v", r.Points[2].Params)
	}
	noted, err := json.Marshal(r.Verdict)
	if err != nil || !strings.Contains(string(noted), `{"name":"slow","state":"fails","why":["response.p90 is 300 ms`) ||
		!strings.Contains(string(noted), `"figure":"bytes","unit":"B/s","case":"lean"`) {
		t.Errorf("%v\n%s", err, noted)
	}
	var text strings.Builder
	if err := v.Write(&text); err != nil || !strings.Contains(text.String(), "slow    fails: response.p90 is 300 ms") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestNothingHolds(t *testing.T) {
	r := result(map[string]map[string][]float64{"a": {"bytes": four(10)}}, "a")
	never := func(*experiment.PointResult) bool { return false }
	v := Judge(r, []Limit{{Figure: "bytes", Bound: 1}}, never, func(string) bool { return false })
	if got := v.Sentence(); got != "Nothing keeps within all limits." || len(v.Best) != 0 {
		t.Errorf("%q, %v", got, v.Best)
	}
}

package tune

import (
	"errors"
	"math"
	"slices"
	"testing"

	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/verdict"
)

func known(figure string) error {
	for _, e := range measure.All() {
		if slices.Contains(e.Figures, figure) {
			return nil
		}
	}
	return errors.New("unknown figure " + figure)
}

func TestParseTerm(t *testing.T) {
	for text, want := range map[string]Term{
		"response.p90/100ms=-1":   {Weight: -1, Figure: "response.p90", Step: 0.1},
		"bytes.sent / 10KB/s=0.5": {Weight: 0.5, Figure: "bytes.sent", Step: 1e4},
		"work/1000=2":             {Weight: 2, Figure: "work", Step: 1000},
	} {
		got, err := ParseTerm(text, known)
		want.Text = text
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "response.p90", "response.p90=-1", "response.p90/1s=x", "ghosts/3=1", "work/0=1", "work/-1=1", "work/x=1", "work/1=NaN"} {
		if got, err := ParseTerm(text, known); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestPresetsAreRight(t *testing.T) {
	for _, p := range Presets {
		for _, text := range slices.Concat(p.Quality, p.Cost) {
			if _, err := ParseTerm(text, known); err != nil {
				t.Errorf("%s: %s: %v", p.Name, text, err)
			}
		}
	}
}

func TestScore(t *testing.T) {
	o := Objective{Quality: []Term{{-2, "response", 0.1, ""}, {1, "score", 5, ""}}, Cost: []Term{{1, "bytes", 1000, ""}}}
	run := experiment.Measures{{Name: "response", Value: 0.3}, {Name: "score", Value: 20}, {Name: "bytes", Value: 3000}}
	limits := []verdict.Limit{{Figure: "response", Bound: 0.2}, {Figure: "score", Bound: 10, Least: true}}
	if q, k := o.Worth(run); math.Abs(q+2) > 1e-9 || k != 3 {
		t.Errorf("quality %v, cost %v", q, k)
	}
	if s := o.Score(run, limits); math.Abs(s.Gain+5) > 1e-9 || math.Abs(s.Excess-0.5) > 1e-9 {
		t.Errorf("%+v", s)
	}
	if parts := o.Parts(run); len(parts) != 3 || math.Abs(parts[0]+6) > 1e-9 || parts[1] != 4 || parts[2] != -3 {
		t.Errorf("%v", parts)
	}
	limits[1].Bound = 40
	if s := o.Score(run, limits); math.Abs(s.Excess-1) > 1e-9 {
		t.Errorf("%+v", s)
	}
	if s := o.Score(run[:2], limits); !math.IsInf(s.Excess, 1) || !math.IsInf(s.Gain, -1) {
		t.Errorf("without its bytes: %+v", s)
	}
	if s := o.Score(run, []verdict.Limit{{Figure: "ghosts", Bound: 1}}); !math.IsInf(s.Excess, 1) {
		t.Errorf("without a figure that is limited: %+v", s)
	}
}

func TestFrontierAndSway(t *testing.T) {
	list := []Trial{
		{Candidate: 1, Quality: 10, Cost: 8, Terms: []float64{10, -8}},
		{Candidate: 2, Quality: 5, Cost: 2, Terms: []float64{5, -2}},
		{Candidate: 3, Quality: 4, Cost: 3, Terms: []float64{4, -3}},
		{Candidate: 4, Quality: 1, Cost: 0, Terms: []float64{1, 0}},
		{Candidate: 5, Quality: 99, Cost: 0, Excess: 1, Terms: []float64{99, 0}},
		{Candidate: 6, Quality: math.NaN(), Cost: 0, Terms: []float64{math.NaN(), 0}},
	}
	var front []int
	for _, x := range Frontier(list) {
		front = append(front, x.Candidate)
	}
	if !slices.Equal(front, []int{4, 2, 1}) {
		t.Errorf("frontier %v", front)
	}
	// As it is 2 is best, with 3 points.
	want := []Swayed{{0, 0.5, 2}, {0, 2, 1}, {1, 0.5, 1}, {1, 2, 2}}
	if got := Sway(list); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := Frontier(list[4:5]); len(got) != 1 {
		t.Errorf("where nothing keeps within the limits: %v", got)
	}
}

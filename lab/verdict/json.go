package verdict

import (
	"math"

	"throng/lab/experiment"
)

// summary is a verdict as programs read it.
type summary struct {
	Sentence string        `json:"sentence"`
	Limits   []string      `json:"limits"`
	Cases    []caseSummary `json:"cases"`
	Best     []bestSummary `json:"best"`
}

type caseSummary struct {
	Name  string   `json:"name"`
	State State    `json:"state"`
	Why   []string `json:"why,omitempty"`
	Bound bool     `json:"bound,omitempty"`
}

type bestSummary struct {
	Figure     string   `json:"figure"`
	Unit       string   `json:"unit"`
	Case       string   `json:"case"`
	Value      float64  `json:"value"`
	Next       string   `json:"next,omitempty"`
	Difference *float64 `json:"difference"` // by how much the next is worse, run by run with the same seeds; null where that is not known
	CI95       *float64 `json:"ci95"`
	Clear      bool     `json:"clear"`
}

// Note puts the verdict into what it is about: whether each point keeps within the limits, if there are any, as one more of its
// parameters, by which tables have a column for it and plots have colours; and all of it for programs.
func (v *Verdict) Note(r *experiment.Result) {
	s := summary{Sentence: v.Sentence(), Limits: []string{}, Cases: []caseSummary{}, Best: []bestSummary{}}
	for _, l := range v.Limits {
		s.Limits = append(s.Limits, l.Text)
	}
	for _, c := range v.Cases {
		s.Cases = append(s.Cases, caseSummary{c.Name, c.State, c.Why, c.Bound})
	}
	for i := range v.Best {
		b := &v.Best[i]
		s.Best = append(s.Best, bestSummary{b.Figure, b.Unit, b.Case, b.Value, b.Next, known(b.Difference), known(b.CI95), b.Clear()})
	}
	r.Verdict = s
	if len(v.Limits) == 0 {
		return
	}
	const path = "limits"
	r.Varying = append(r.Varying, path)
	for i := range r.Points {
		p := &r.Points[i]
		p.Params = append(p.Params[:len(p.Params):len(p.Params)], experiment.Param{Path: path, Value: string(v.Cases[i].State), Number: math.NaN()})
	}
	for i := range r.Plots {
		r.Plots[i].By = append(r.Plots[i].By, path)
	}
}

func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

package experiment

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// WriteJSON writes what programs want to know, in a shape that stays: for every point its varying parameters and of every
// measure the mean, the half-width of the 95% confidence interval, the number of runs and the unit. What cannot be told,
// such as the confidence of a single run, is null.
func (r *Result) WriteJSON(out io.Writer) error { return writeJSON(out, r.findings()) }

// WriteSummary writes the same together with how it came about: the plan, what was fixed, what failed.
func (r *Result) WriteSummary(out io.Writer) error {
	s := summary{
		findings: r.findings(), Title: r.Title, Source: r.Source, Quick: r.Quick,
		Duration: r.Duration, Warmup: r.Warmup, Replications: r.Replications,
		Runs: runCounts{Planned: r.Planned, Finished: r.Finished, Failed: len(r.Failures)}, Interrupted: r.Interrupted,
		Fixed: paramObject(r.Fixed),
	}
	if p := r.Precision; p != nil {
		s.Precision = &precisionSummary{p.Measure, p.Relative, p.Min, p.Max}
	}
	for _, c := range r.Cases {
		s.Cases = append(s.Cases, member{c.Name, paramObject(c.Set)})
	}
	for _, f := range r.Failures {
		s.Failures = append(s.Failures, failureSummary{paramObject(f.Params), f.Replication, f.Seed, f.Err})
	}
	return writeJSON(out, s)
}

func (r *Result) findings() findings {
	f := findings{Experiment: r.Name, Seed: r.Seed, Points: []pointSummary{}, Verdict: r.Verdict}
	for _, p := range r.Points {
		measures := object{}
		for _, m := range p.Measures {
			measures = append(measures, member{m.Name, measureSummary{number(m.Mean), number(m.CI95), m.N, m.Unit}})
		}
		f.Points = append(f.Points, pointSummary{paramObject(p.Params), measures})
	}
	return f
}

func writeJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

type findings struct {
	Experiment string         `json:"experiment"`
	Seed       uint64         `json:"seed"`
	Points     []pointSummary `json:"points"`
	Verdict    any            `json:"verdict,omitempty"`
}

type summary struct {
	Title        string            `json:"title"`
	Source       string            `json:"source,omitempty"`
	Quick        bool              `json:"quick"`
	Duration     string            `json:"duration"`
	Warmup       string            `json:"warmup"`
	Replications int               `json:"replications,omitempty"`
	Precision    *precisionSummary `json:"precision,omitempty"`
	Runs         runCounts         `json:"runs"`
	Interrupted  bool              `json:"interrupted"`
	Failures     []failureSummary  `json:"failures,omitempty"`
	Fixed        object            `json:"fixed"`
	Cases        object            `json:"cases,omitempty"`
	findings
}

type precisionSummary struct {
	Measure  string  `json:"measure"`
	Relative float64 `json:"relative"`
	Min      int     `json:"min"`
	Max      int     `json:"max"`
}

type runCounts struct {
	Planned  int `json:"planned"`
	Finished int `json:"finished"`
	Failed   int `json:"failed"`
}

type failureSummary struct {
	Params      object `json:"params"`
	Replication int    `json:"replication"`
	Seed        uint64 `json:"seed"`
	Error       string `json:"error"`
}

type pointSummary struct {
	Params   object `json:"params"`
	Measures object `json:"measures"`
}

type measureSummary struct {
	Mean number `json:"mean"`
	CI95 number `json:"ci95"`
	N    int    `json:"n"`
	Unit string `json:"unit"`
}

func paramObject(params []Param) object {
	out := object{}
	for _, p := range params {
		out = append(out, member{p.Path, p.Value})
	}
	return out
}

// object is a JSON object that keeps its order, which a map would not.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	buf.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			buf.WriteByte(',')
		}
		if err := encoder.Encode(m.name); err != nil {
			return nil, err
		}
		buf.WriteByte(':')
		if err := encoder.Encode(m.value); err != nil {
			return nil, err
		}
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// number is a JSON number, or null for NaN, which JSON does not have.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

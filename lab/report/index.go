package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Finished is what the summary of an experiment says, as far as a list of reports and a comparison need it.
type Finished struct {
	Folder     string          `json:"-"` // below the one that is looked through
	Report     bool            `json:"-"` // there is a page
	Recordings int             `json:"-"`
	Experiment string          `json:"experiment"`
	Title      string          `json:"title"`
	Seed       uint64          `json:"seed"`
	Quick      bool            `json:"quick"`
	Points     []FinishedPoint `json:"points"`
	Runs       struct {
		Planned  int `json:"planned"`
		Finished int `json:"finished"`
		Failed   int `json:"failed"`
	} `json:"runs"`
}

// FinishedPoint is one point of an experiment.
type FinishedPoint struct {
	Params   map[string]string          `json:"params"`
	Measures map[string]FinishedMeasure `json:"measures"`
}

// FinishedMeasure is what a measure came to; what is not known is nil.
type FinishedMeasure struct {
	Mean *float64 `json:"mean"`
	CI95 *float64 `json:"ci95"`
	N    int      `json:"n"`
	Unit string   `json:"unit"`
}

// ReadSummary reads what experiment.WriteSummary has written.
func ReadSummary(r io.Reader) (*Finished, error) {
	f := new(Finished)
	if err := json.NewDecoder(r).Decode(f); err != nil {
		return nil, fmt.Errorf("no summary of an experiment: %w", err)
	}
	return f, nil
}

var listTemplate = template.Must(template.ParseFS(assets, "assets/list.html"))

// WriteList writes a page over many experiments, which can be searched, and of which two can be compared.
func WriteList(w io.Writer, all []*Finished) error {
	return listTemplate.ExecuteTemplate(w, "list.html", struct {
		Style template.CSS
		All   []*Finished
	}{template.CSS(mustRead("assets/report.css")), all})
}

// WriteComparison writes what is different between two experiments at the same points: first what is beyond chance.
func WriteComparison(w io.Writer, a, b *Finished) error {
	lines := compare(a, b)
	beyond := 0
	for _, l := range lines {
		if l.Beyond {
			beyond++
		}
	}
	return listTemplate.ExecuteTemplate(w, "comparison", struct {
		Style  template.CSS
		A, B   *Finished
		Lines  []comparison
		Beyond int
	}{template.CSS(mustRead("assets/report.css")), a, b, lines, beyond})
}

// comparison is one measure at one point of two experiments.
type comparison struct {
	Where, Measure, Unit string
	A, B, Change         string
	Beyond               bool // more than chance explains

	share float64
}

// compare lists what both experiments have, what differs most beyond chance first.
func compare(a, b *Finished) []comparison {
	at := map[string]*FinishedPoint{}
	for i := range b.Points {
		at[where(&b.Points[i])] = &b.Points[i]
	}
	var lines []comparison
	for i := range a.Points {
		p := &a.Points[i]
		q := at[where(p)]
		if q == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.Measures)) {
			if line, ok := compareMeasure(p.Measures[name], q.Measures[name]); ok {
				line.Where, line.Measure = where(p), name
				lines = append(lines, line)
			}
		}
	}
	slices.SortStableFunc(lines, func(x, y comparison) int {
		switch {
		case x.Beyond != y.Beyond && x.Beyond:
			return -1
		case x.Beyond != y.Beyond:
			return 1
		case x.share > y.share:
			return -1
		case x.share < y.share:
			return 1
		}
		return 0
	})
	return lines
}

// where says which point it is.
func where(p *FinishedPoint) string {
	var parts []string
	for _, path := range slices.Sorted(maps.Keys(p.Params)) {
		parts = append(parts, path+" "+p.Params[path])
	}
	return strings.Join(parts, " · ")
}

// compareMeasure compares two means. They differ beyond chance if they are further apart than both their intervals together explain,
// or at all where neither has one.
func compareMeasure(a, b FinishedMeasure) (comparison, bool) {
	if a.Mean == nil || b.Mean == nil {
		return comparison{}, false
	}
	ci := func(m FinishedMeasure) float64 {
		if m.CI95 == nil {
			return 0
		}
		return *m.CI95
	}
	apart, noise, size := *b.Mean-*a.Mean, math.Hypot(ci(a), ci(b)), math.Max(math.Abs(*a.Mean), math.Abs(*b.Mean))
	line := comparison{Unit: a.Unit, A: estimate{mean: *a.Mean, ci: ci(a), n: a.N}.String(), B: estimate{mean: *b.Mean, ci: ci(b), n: b.N}.String()}
	if size > 0 {
		line.share = math.Abs(apart) / size
	}
	line.Beyond = math.Abs(apart) > noise
	switch {
	case apart == 0:
		line.Change = "same"
	case *a.Mean != 0:
		line.Change = fmt.Sprintf("%+.1f %%", 100*apart/math.Abs(*a.Mean))
	default:
		line.Change = formatNumber(apart)
	}
	return line, true
}

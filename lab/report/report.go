package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"throng/lab/experiment"
)

//go:embed assets
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "assets/report.html"))

// Write writes the result as one HTML page that fetches nothing. The same result and environment give the same bytes.
func Write(w io.Writer, r *experiment.Result, env Environment) error {
	p := newPage(r, env)
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write report of %s: %w", r.Name, err)
	}
	return nil
}

// page is what the template shows, in its order.
type page struct {
	Style  template.CSS
	Script template.JS

	Name, Title string
	About       []string // paragraphs
	Source      string
	Command     string
	Facts       []fact

	Quick       bool
	Interrupted bool
	Planned     int
	Finished    int
	Failures    []failure
	Overloads   []overload
	Overloaded  string // what that means

	Panels []panel
	Grid   grid
	Paired *paired
	Cases  []experiment.Case
	Fixed  []group

	Environment []fact
}

type fact struct{ Name, Value string }

// failure is a failed run with what tells it from others.
type failure struct {
	experiment.Failure
	Where string
	Run   int // from 1, as people count
}

// panel is a figure with its legend. Its views differ in the scale of the measured axis.
type panel struct {
	Title   string
	Measure string // that it shows,
	About   string // and what that is
	Columns int    // that its plots stand in, 1 where there is a single one
	Legend  []key
	Views   []view
}

type key struct {
	Series      int
	Name, Class string
	Symbol      string
	Bar         bool // drawn as a bar, not as a line
}

// group is the fixed parameters of one part of the set-up.
type group struct {
	Name   string
	Params []experiment.Param
}

func newPage(r *experiment.Result, env Environment) page {
	p := page{
		Style:       template.CSS(mustRead("assets/report.css")),
		Script:      template.JS(mustRead("assets/report.js")),
		Name:        r.Name,
		Title:       r.Title,
		About:       paragraphs(r.About),
		Source:      r.Source,
		Command:     env.Command,
		Facts:       facts(r),
		Quick:       r.Quick,
		Interrupted: r.Interrupted,
		Planned:     r.Planned,
		Finished:    r.Finished,
		Overloads:   overloads(r),
		Overloaded:  overloadWarning,
		Panels:      panels(r),
		Grid:        newGrid(r),
		Paired:      newPaired(r),
		Cases:       r.Cases,
		Fixed:       groups(r.Fixed),
		Environment: env.facts(),
	}
	p.Grid.define(env.definition)
	if p.Paired != nil {
		p.Paired.Grid.define(env.definition)
	}
	for i := range p.Panels {
		p.Panels[i].About = env.definition(p.Panels[i].Measure)
	}
	if p.Title == "" {
		p.Title = r.Name
	}
	if p.Command == "" {
		p.Command = command(r)
	}
	for _, f := range r.Failures {
		p.Failures = append(p.Failures, failure{f, describe(f.Params), f.Replication + 1})
	}
	return p
}

// mustRead reads an embedded file: that it is there is settled when the program is built.
func mustRead(name string) string {
	data, err := assets.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// paragraphs splits text at blank lines.
func paragraphs(text string) (all []string) {
	for _, part := range strings.Split(text, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// command is what repeats the experiment as its file describes it.
func command(r *experiment.Result) string {
	parts := []string{"throng", "run", r.Name, "--seed", strconv.FormatUint(r.Seed, 10)}
	if r.Quick {
		parts = append(parts, "--quick")
	}
	return strings.Join(parts, " ")
}

// facts are what one must know to judge the figures.
func facts(r *experiment.Result) []fact {
	all := []fact{{"seed", strconv.FormatUint(r.Seed, 10)}, {"points", strconv.Itoa(len(r.Points))}}
	if p := r.Precision; p != nil {
		all = append(all, fact{"runs per point", fmt.Sprintf("%d to %d, until %s is known to ±%s%%",
			p.Min, p.Max, p.Measure, formatNumber(p.Relative*100))})
	} else {
		all = append(all, fact{"runs per point", strconv.Itoa(r.Replications)})
	}
	all = append(all, fact{"simulated time", r.Duration})
	if r.Warmup != "" {
		all = append(all, fact{"of it warm-up", r.Warmup})
	}
	return append(all, fact{"intervals", "95% confidence"})
}

func panels(r *experiment.Result) (all []panel) {
	for _, f := range figures(r) {
		p := panel{Title: f.title, Measure: f.y.name, Columns: f.columns(), Views: f.views(), Legend: f.legend()}
		all = append(all, p)
	}
	return all
}

// groups gathers parameters by the first part of their path, keeping their order.
func groups(params []experiment.Param) (all []group) {
	index := map[string]int{}
	for _, p := range params {
		name, _, nested := strings.Cut(p.Path, ".")
		if !nested {
			name = ""
		}
		at, ok := index[name]
		if !ok {
			at = len(all)
			index[name] = at
			all = append(all, group{Name: name})
		}
		all[at].Params = append(all[at].Params, p)
	}
	return all
}

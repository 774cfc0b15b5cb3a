package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"throng/lab/experiment"
)

// crowdSample compares three cases under some workloads, for two numbers of users. The first two cases come out the same
// under the first workload.
func crowdSample(workloads ...string) *experiment.Result {
	r := &experiment.Result{
		Name: "aos/upload", Title: "What servers send", Seed: 1, Duration: "50s", Replications: 7,
		Varying: []string{"case", "world.workload", "world.users"},
	}
	for i, name := range []string{"interest", "lockstep", "aos"} {
		for j, workload := range workloads {
			for _, users := range []float64{10, 40} {
				sent := users * float64(10-3*i+j)
				if i == 1 && j == 0 {
					sent = users * 10
				}
				r.Points = append(r.Points, experiment.PointResult{
					Params: []experiment.Param{
						named("case", name), named("world.workload", workload), number("world.users", users, ""),
					},
					Measures: []experiment.Summary{spread("bytes", "B/tick", sent, 0.02)},
					Runs:     make([]experiment.Run, 7),
				})
			}
		}
	}
	return r
}

var crowdPlot = experiment.Plot{X: "world.users", Y: "bytes", By: []string{"case", "world.workload"}}

func TestCrowdedFigureIsSpreadOverFacets(t *testing.T) {
	for _, test := range []struct {
		name      string
		workloads []string
		plot      experiment.Plot
		facets    []string
		legend    []string
		columns   int
	}{
		{"as many as colours will do", []string{"wi", "wd"}, crowdPlot, nil,
			[]string{"interest · wi", "interest · wd", "lockstep · wi", "lockstep · wd", "aos · wi", "aos · wd"}, 1},
		{"by the second key", []string{"wi", "wd", "ww"}, crowdPlot, []string{"wi", "wd", "ww"}, []string{"interest", "lockstep", "aos"}, 3},
		{"in pairs", []string{"wi", "wd", "ww", "wwg"}, crowdPlot, []string{"wi", "wd", "ww", "wwg"}, []string{"interest", "lockstep", "aos"}, 2},
		{"the first key keeps the colours", []string{"wi", "wd", "ww"},
			experiment.Plot{X: "world.users", Y: "bytes", By: []string{"world.workload", "case"}},
			[]string{"interest", "lockstep", "aos"}, []string{"wi", "wd", "ww"}, 3},
		{"bars, which have no dashes", []string{"wi", "wd"},
			experiment.Plot{X: "case", Y: "bytes", By: []string{"world.workload", "world.users"}},
			[]string{"users 10", "users 40"}, []string{"wi", "wd"}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := figureOf(t, crowdSample(test.workloads...), test.plot)
			if !slices.Equal(f.facets, test.facets) || f.columns() != test.columns {
				t.Errorf("facets %q in %d columns, want %q in %d", f.facets, f.columns(), test.facets, test.columns)
			}
			var legend []string
			for i, k := range f.legend() {
				if k.Series != i {
					t.Errorf("key %d is of series %d", i, k.Series)
				}
				legend = append(legend, k.Name)
			}
			if !slices.Equal(legend, test.legend) {
				t.Errorf("legend %q, want %q", legend, test.legend)
			}
		})
	}
}

func TestFacetsShareAxesAndLooks(t *testing.T) {
	f := figureOf(t, crowdSample("wi", "wd", "ww"), crowdPlot)
	drawings := f.views()[0].Drawings
	if len(drawings) != 3 {
		t.Fatalf("%d drawings", len(drawings))
	}
	for i, d := range drawings {
		if d.Facet != f.facets[i] || !strings.Contains(d.About, d.Facet) {
			t.Errorf("facet %q, for those who do not see it %q", d.Facet, d.About)
		}
		if !slices.Equal(d.Labels, drawings[0].Labels) {
			t.Errorf("%s has other axes than %s", d.Facet, drawings[0].Facet)
		}
		if len(d.Curves) != 3 {
			t.Fatalf("%s has %d curves", d.Facet, len(d.Curves))
		}
		for j, c := range d.Curves {
			if first := drawings[0].Curves[j]; c.Series != j || c.Class != first.Class || !strings.HasSuffix(c.Class, " d0") {
				t.Errorf("curve %d of %s is series %d in %q", j, d.Facet, c.Series, c.Class)
			}
		}
	}
}

func TestEveryPointIsOnOneFacet(t *testing.T) {
	r := crowdSample("wi", "wd", "ww", "samovar", "wwg")
	r.Plots = []experiment.Plot{crowdPlot}
	html := pageOf(t, r)
	for _, e := range parse(t, html) {
		if e.name == "figure" && e.attrs["class"] != "wide" {
			t.Error("the figure is not as wide as the page")
		}
	}
	visible := html[:strings.Index(html, `data-scale="log" hidden`)]
	if marks := strings.Count(visible, "data-head="); marks != len(r.Points) {
		t.Errorf("%d marks for %d points", marks, len(r.Points))
	}
	for _, workload := range []string{"wi", "wd", "ww", "samovar", "wwg"} {
		if n := strings.Count(visible, fmt.Sprintf("<h4>%s</h4>", workload)); n != 1 {
			t.Errorf("%d plots are called %s", n, workload)
		}
	}
}

func TestCoveredCurvesAreTold(t *testing.T) {
	f := figureOf(t, crowdSample("wi", "wd", "ww"), crowdPlot)
	if got, want := f.views()[0].Notes, []string{"interest lies under lockstep in wi"}; !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
	f = figureOf(t, crowdSample("wi"), crowdPlot)
	if got, want := f.views()[0].Notes, []string{"interest lies under lockstep"}; !slices.Equal(got, want) {
		t.Errorf("on a single plot: notes %q, want %q", got, want)
	}
}

func TestColumnOfVeryDifferentValuesHasNoPowerOfTen(t *testing.T) {
	r := crowdSample("wi")
	for i := range r.Points {
		r.Points[i].Measures[0].Mean *= 1e5
	}
	if got := measureColumns(r)[0].unit.name; got != "10⁶ B/tick" {
		t.Errorf("alike: unit %q", got)
	}
	r.Points[0].Measures[0].Mean = 7
	if got := measureColumns(r)[0].unit.name; got != "B/tick" {
		t.Errorf("far apart: unit %q", got)
	}
}

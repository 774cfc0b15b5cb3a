package report

import (
	"strings"
	"testing"

	"throng/lab/experiment"
)

// pairedSample has two mechanisms whose runs vary much from seed to seed, and differ by two whatever the seed.
func pairedSample() *experiment.Result {
	r := &experiment.Result{Name: "pairs", Varying: []string{"mechanism"}, Seed: 1, Duration: "1s", Replications: 4}
	for _, m := range []struct {
		name string
		more float64
	}{{"central", 0}, {"loose", 2}} {
		p := experiment.PointResult{Params: []experiment.Param{named("mechanism", m.name)}}
		for i, v := range []float64{10, 50, 90, 30} {
			p.Runs = append(p.Runs, experiment.Run{Replication: i, Seed: uint64(i), Measures: experiment.Measures{
				{Name: "delay", Unit: "ms", Value: v + m.more + float64(i%2)*m.more/20}, {Name: "chance", Value: v * float64(1+i%2) * (1 + m.more/2*float64(1-i%2))},
			}})
		}
		p.Measures = experiment.Summarise(p.Runs)
		r.Points = append(r.Points, p)
	}
	return r
}

func TestDifferencesBetweenRunsOfOneSeed(t *testing.T) {
	d := newPaired(pairedSample())
	if d == nil || d.Axis != "mechanism" || d.Base != "central" || len(d.Grid.Rows) != 1 {
		t.Fatalf("%+v", d)
	}
	delay, chance := d.Grid.Rows[0].Cells[0], d.Grid.Rows[0].Cells[1]
	if !delay.Sure || !strings.HasPrefix(delay.Value, "+2.0") {
		t.Errorf("two more, whatever the seed: %+v", delay)
	}
	if chance.Sure {
		t.Errorf("half of the runs differ, the others do not: %+v", chance)
	}
	alone := pairedSample()
	alone.Points[1].Runs = alone.Points[1].Runs[:1]
	if got := newPaired(alone); got != nil {
		t.Errorf("a single pair: %+v", got)
	}
	strangers := pairedSample()
	for i := range strangers.Points[1].Runs {
		strangers.Points[1].Runs[i].Seed += 100
	}
	if got := newPaired(strangers); got != nil {
		t.Errorf("other seeds: %+v", got)
	}
}

func TestThePageDefinesAndSaves(t *testing.T) {
	var html strings.Builder
	env := testEnvironment
	env.Definition = func(figure string) string {
		if figure == "delay" {
			return "how long it takes"
		}
		return ""
	}
	if err := Write(&html, pairedSample(), env); err != nil {
		t.Fatal(err)
	}
	page := html.String()
	for _, want := range []string{`title="how long it takes"`, "What is measured", "Differences to mechanism central", `data-save="svg"`, `data-save="csv"`, `class="number sure"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Count(page, "how long it takes") < 3 {
		t.Error("the definition stands nowhere but in one place")
	}
	parse(t, page)
}

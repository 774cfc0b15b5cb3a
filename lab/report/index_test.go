package report

import (
	"strings"
	"testing"
)

func summaryOf(t *testing.T, folder, text string) *Finished {
	t.Helper()
	f, err := ReadSummary(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	f.Folder = folder
	return f
}

const before = `{"experiment":"adam/delay","title":"Delay","points":[{"params":{"mechanism":"loose"},"measures":{
	"divergence":{"mean":1.0,"ci95":0.1,"n":5,"unit":""},"delay":{"mean":10,"ci95":2,"n":5,"unit":"ms"},"never":{"mean":null,"ci95":null,"n":0,"unit":""}}},
	{"params":{"mechanism":"gone"},"measures":{"delay":{"mean":1,"ci95":null,"n":1,"unit":"ms"}}}]}`

func TestWhatChangedBeyondChance(t *testing.T) {
	a := summaryOf(t, "one", before)
	b := summaryOf(t, "two", strings.NewReplacer(`"mean":1.0`, `"mean":1.5`, `"mean":10`, `"mean":11`, `"gone"`, `"new"`).Replace(before))
	lines := compare(a, b)
	if len(lines) != 2 || lines[0].Measure != "divergence" || !lines[0].Beyond || lines[0].Change != "+50.0 %" {
		t.Fatalf("%+v", lines)
	}
	if lines[1].Measure != "delay" || lines[1].Beyond {
		t.Errorf("within the noise: %+v", lines[1])
	}
	if same := compare(a, a); len(same) != 3 || same[0].Beyond || same[0].Change != "same" {
		t.Errorf("with itself: %+v", same)
	}
	var page strings.Builder
	if err := WriteComparison(&page, a, b); err != nil || !strings.Contains(page.String(), "1 of 2 figures differ") {
		t.Errorf("%v: %s", err, page.String())
	}
}

func TestListOfExperiments(t *testing.T) {
	a := summaryOf(t, "x/<one>", before)
	a.Report = true
	var page strings.Builder
	if err := WriteList(&page, []*Finished{a}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, `href="/reports/x/%3cone%3e/report.html"`) || strings.Contains(text, "<one>") {
		t.Error(text)
	}
	if _, err := ReadSummary(strings.NewReader("no JSON")); err == nil {
		t.Error("a summary of nothing")
	}
}

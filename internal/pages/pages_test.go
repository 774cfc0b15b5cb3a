package pages

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the documents' figures anew")

// TestFiguresAreThoseOfTheResults compares every figure in the documents with the results that are kept.
func TestFiguresAreThoseOfTheResults(t *testing.T) {
	results, err := Load(os.DirFS("../../experiments/means"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../docs/reproductions/*.md")
	if err != nil || len(names) < 3 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	names = append(names, "../../docs/choosing.md", "../../docs/checklist.md")
	for _, name := range names {
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := Fill(string(old), results)
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case text == string(old):
		case *update:
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("figures in %s are not those of experiments/means (go test ./internal/pages -update)", name)
		}
	}
}

const sample = `# throng run a/b
case,network.delay,n,divergence,±,response [s],±
loose,50ms,7,0.0022,1.9e-05,0.25,
loose,100ms,7,0.002849,3.3e-05,1234.5,12
optimistic,50ms,7,0.000319,4e-06,,
optimistic,100ms,7,0.000671,7e-06,0,0
`

func fill(t *testing.T, text string) (string, error) {
	t.Helper()
	results, err := Load(fstest.MapFS{"a/b.csv": {Data: []byte(sample)}, "a/c.csv": {Data: []byte(strings.ReplaceAll(sample, "loose", "tight"))}})
	if err != nil {
		t.Fatal(err)
	}
	return Fill(text, results)
}

func TestTable(t *testing.T) {
	spec := `before
<!-- table
of: a/b
corner: delay
scale: 1000
rows: {by: network.delay, prefix: "after "}
columns:
  - {head: loose, measure: divergence, where: {case: loose}, ci: true}
  - {head: optimistic, measure: divergence, where: {case: optimistic}, digits: 1, unit: " u"}
  - {head: ratio, measure: divergence, where: {case: loose}, over: {case: optimistic}, scale: 1, digits: 2, bold: true}
  - {head: less, measure: divergence, where: {case: optimistic}, over: {case: loose}, scale: 100, less: true, unit: "%"}
  - {head: more, measure: divergence, where: {case: loose}, over: {case: optimistic}, scale: 100, more: true, unit: "%"}
  - {head: response, measure: response, where: {case: loose}, ci: true}
  - {head: other, measure: response, where: {case: optimistic}}
-->
old
<!-- end -->
after
`
	got, err := fill(t, spec)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(spec, "old\n", `| delay | loose | optimistic | ratio | less | more | response | other |
| --- | --- | --- | --- | --- | --- | --- | --- |
| after 50ms | 2.200 ± 0.019 | 0.3 u | **6.9** | 85.5% | 590% | 250 | |
| after 100ms | 2.85 ± 0.03 | 0.7 u | **4.2** | 76.4% | 325% | 1,235,000 ± 12,000 | 0 |
`, 1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := fill(t, got); again != got || err != nil {
		t.Errorf("not the same again: %v\n%s", err, again)
	}
}

func TestTableOfTwoResultsAcross(t *testing.T) {
	const spec = `<!-- table
of: a/b a/c
measure: divergence
scale: 1000000
corner: which | of
rows:
  - {head: x | loose, where: {case: loose}}
  - {head: " | tight", where: {case: tight}}
columns: {by: network.delay, values: [100ms]}
-->
`
	got, err := fill(t, spec+"<!-- end -->")
	want := spec + "| which | of | 100ms |\n| --- | --- | --- |\n| x | loose | 2850 |\n| | tight | 2850 |\n<!-- end -->"
	if got != want || err != nil {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
}

func TestFigureInTheText(t *testing.T) {
	const text = `<!-- figures
ratio: {of: a/b, measure: divergence, where: {case: loose, network.delay: 100ms}, over: {case: optimistic}, digits: 2}
-->
It is <!--=ratio-->%<!--/--> times better, yes: <!--=ratio-->%<!--/-->.`
	got, err := fill(t, text)
	if want := strings.ReplaceAll(text, "%", "4.2"); got != want || err != nil {
		t.Errorf("%v: %s", err, got)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	table := func(spec string) string { return "<!-- table\n" + spec + "\n-->\n<!-- end -->" }
	const rest = "\nrows: {by: network.delay}\ncolumns: [{head: x, measure: divergence, where: {case: loose}}]"
	for text, want := range map[string]string{
		table("of: a/d" + rest):            "no results of a/d",
		table("of: a/b\ncolour: x" + rest): "colour",
		table("of: a/b\nrows: {by: network.delay}\ncolumns: [{head: x, measure: divergence}]"):                         "2 points",
		table("of: a/b\nrows: {by: network.delay}\ncolumns: [{head: x, measure: nothing, where: {case: loose}}]"):      "no measure nothing",
		table("of: a/b\nrows: {by: network.delay, values: [1s]}\ncolumns: [{head: x, measure: divergence}]"):           `row "1s" is empty`,
		table("of: a/b\nrows: {by: network.delay}\ncolumns: [{head: x, measure: divergence, where: {case: lose}}]"):    "empty",
		table("of: a/b\nrows: {by: network.delay}\ncolumns: [{head: x, measure: divergence, where: {world.bees: 8}}]"): "world.bees does not vary",
		"<!--=x-->1<!--/-->":                                 "x is not declared",
		"<!-- figures\nx: {of: a/b}\n-->":                    "not used",
		"<!-- figures\nx: {of: a/b}\n-->\n<!--=x--><!--/-->": "no measure",
		"<!-- figures\nx: {of: a/b, measure: response, where: {case: optimistic, network.delay: 50ms}}\n-->\n<!--=x--><!--/-->": "no such result",
	} {
		if _, err := fill(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}

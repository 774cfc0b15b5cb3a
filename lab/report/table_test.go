package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"throng/lab/experiment"
	"throng/lab/measure"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func tableOf(t *testing.T, r *experiment.Result, width int) string {
	t.Helper()
	var text strings.Builder
	if err := Table(&text, r, width); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		golden string
		result *experiment.Result
		width  int
	}{
		{"table-delay.txt", delaySample(), 0},
		{"table-delay-80.txt", delaySample(), 80},
		{"table-curve.txt", curveSample(), 100},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := tableOf(t, test.result, test.width)
			path := filepath.Join("testdata", test.golden)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("table differs from %s:\n%s", path, got)
			}
		})
	}
}

func TestOverloadedLinksAreTold(t *testing.T) {
	r := delaySample()
	if got := tableOf(t, r, 0); strings.Contains(got, overloadWarning) {
		t.Errorf("nothing is overloaded:\n%s", got)
	}
	load := func(i int, name string, mean float64) {
		r.Points[i].Measures = append(r.Points[i].Measures, experiment.Summary{Name: name, Mean: mean, N: 1})
	}
	load(0, measure.LoadUp, 1) // all of it, but no more
	load(1, measure.LoadUp, 1.234)
	load(2, measure.LoadDown, 2)
	load(3, measure.LoadUp, 3)
	load(3, measure.LoadDown, 4)
	got := tableOf(t, r, 0)
	_, got, _ = strings.Cut(got, overloadWarning+"\n")
	want := `  mechanism=ideal network.delay=50ms: 1.23 times from a host
  mechanism=ideal network.delay=100ms: 2 times to a host
  mechanism=ideal network.delay=200ms: 3 times from a host, 4 times to one
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var page bytes.Buffer
	if err := Write(&page, r, Environment{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "<li>mechanism=ideal network.delay=100ms: 2 times to a host</li>") {
		t.Error("the page does not say it")
	}
}

func TestTableKeepsToTheWidth(t *testing.T) {
	for width := 60; width <= 200; width += 7 {
		for line := range strings.Lines(tableOf(t, delaySample(), width)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
	}
}

func TestTableTooNarrowStillShowsEverything(t *testing.T) {
	text := tableOf(t, delaySample(), 1)
	for _, name := range delaySample().Measures {
		if strings.Count(text, name) != 1 {
			t.Errorf("%s is not shown once:\n%s", name, text)
		}
	}
}

func TestTableNeutralisesControlCharacters(t *testing.T) {
	r := curveSample()
	r.Points[0].Params[0].Value = "\x1b[31mred\a"
	if text := tableOf(t, r, 0); strings.ContainsAny(text, "\x1b\a") {
		t.Errorf("control characters reach the terminal: %q", text)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrorsAreReturned(t *testing.T) {
	if err := Table(brokenWriter{}, delaySample(), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Table: %v", err)
	}
	if err := Write(brokenWriter{}, delaySample(), Environment{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write: %v", err)
	}
}

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"throng/lab/experiment"
)

var testEnvironment = Environment{Version: "v0.1.0", GoVersion: "go1.26", OS: "linux", Arch: "amd64", Level: "v3"}

func pageOf(t *testing.T, r *experiment.Result) string {
	t.Helper()
	var html bytes.Buffer
	if err := Write(&html, r, testEnvironment); err != nil {
		t.Fatal(err)
	}
	return html.String()
}

// element is an HTML element with the text directly and indirectly inside it.
type element struct {
	name  string
	attrs map[string]string
	text  strings.Builder
}

var rawText = regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)`)

// parse reads a page, insisting that every element is closed where it should be. Styles and scripts, which are not markup,
// are passed over.
func parse(t *testing.T, html string) (elements []*element) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(rawText.ReplaceAllString(html, "$1$2$3$4")))
	decoder.Strict = false // for attributes without a value
	decoder.Entity = xml.HTMLEntity
	var open []*element
	for {
		token, err := decoder.RawToken() // does not repair what is not closed
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("malformed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			elements = append(elements, e)
			if e.name != "meta" {
				open = append(open, e)
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1].name != token.Name.Local {
				t.Fatalf("</%s> closes nothing", token.Name.Local)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text.Write(token)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("<%s> is not closed", open[len(open)-1].name)
	}
	return elements
}

func textsOf(elements []*element, name string) (texts []string) {
	for _, e := range elements {
		if e.name == name {
			texts = append(texts, strings.TrimSpace(e.text.String()))
		}
	}
	return texts
}

// troubledSample has everything that can be wrong with a result.
func troubledSample(text string) *experiment.Result {
	r := delaySample()
	r.Name, r.Title, r.About, r.Source, r.Duration, r.Warmup = text, text, text, text, text, text
	r.Interrupted, r.Planned, r.Finished, r.Quick = true, 105, 61, true
	r.Varying[0], r.Measures[0] = text, text
	r.Plots = append(r.Plots, experiment.Plot{X: "network.delay", Y: text, By: []string{text}, Title: text})
	for i := range r.Points {
		p := &r.Points[i]
		p.Params[0].Path, p.Params[0].Value = text, text+p.Params[0].Value
		p.Measures[0].Name, p.Measures[0].Unit = text, text
		p.Imprecise = true
	}
	none := &r.Points[len(r.Points)-1] // a point that was never run
	none.Runs = nil
	for i := range none.Measures {
		none.Measures[i] = experiment.Summary{Name: none.Measures[i].Name, Mean: math.NaN(), CI95: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	}
	r.Fixed = append(r.Fixed, experiment.Param{Path: text, Value: text})
	r.Cases = []experiment.Case{{Name: text, Set: []experiment.Param{{Path: text, Value: text}}}}
	r.Failures = []experiment.Failure{{Params: r.Points[0].Params, Replication: 2, Seed: 99, Err: text, Stack: text}}
	return r
}

func TestPageIsWellFormed(t *testing.T) {
	for name, r := range map[string]*experiment.Result{
		"delay": delaySample(), "curve": curveSample(), "troubled": troubledSample("trouble"), "empty": {},
	} {
		t.Run(name, func(t *testing.T) {
			html := pageOf(t, r)
			parse(t, html)
			if none := regexp.MustCompile("NaN|[+-]Inf").FindString(rawText.ReplaceAllString(html, "")); none != "" {
				t.Errorf("%s has reached the page", none)
			}
		})
	}
}

func TestPageFetchesNothing(t *testing.T) {
	html := pageOf(t, delaySample())
	for _, e := range parse(t, html) {
		for _, name := range []string{"src", "href", "srcset", "data", "action"} {
			if value, ok := e.attrs[name]; ok {
				t.Errorf("<%s %s=%q>", e.name, name, value)
			}
		}
	}
	for _, fetch := range []string{"url(", "@import", "fetch(", "XMLHttpRequest", "http:", "https:"} {
		if strings.Contains(html, fetch) {
			t.Errorf("the page contains %q", fetch)
		}
	}
}

func TestEmptyPageIsSmall(t *testing.T) {
	const limit = 300 << 10
	if n := len(pageOf(t, &experiment.Result{Name: "empty"})); n > limit {
		t.Errorf("%d bytes", n)
	}
}

func TestHostileTextStaysText(t *testing.T) {
	harmless := parse(t, pageOf(t, troubledSample("x")))
	for _, hostile := range []string{
		`</script><script>alert(1)</script>`, `</style><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`,
		`' onmouseover='alert(1)`, `<!--`, `]]>`, `{{end}}`, "</title><base>", `&lt;b&gt;`,
	} {
		elements := parse(t, pageOf(t, troubledSample(hostile)))
		if len(elements) != len(harmless) {
			t.Errorf("%q: %d elements instead of %d", hostile, len(elements), len(harmless))
			continue
		}
		for i, e := range elements {
			if e.name != harmless[i].name || len(e.attrs) != len(harmless[i].attrs) {
				t.Errorf("%q: %s %v instead of %s %v", hostile, e.name, e.attrs, harmless[i].name, harmless[i].attrs)
			}
		}
		if got := textsOf(elements, "h1"); got[0] != hostile {
			t.Errorf("%q: the title reads %q", hostile, got)
		}
	}
}

func TestEveryValueIsOnThePage(t *testing.T) {
	for _, r := range []*experiment.Result{delaySample(), curveSample()} {
		elements := parse(t, pageOf(t, r))
		rows := textsOf(elements, "tr")[1:]
		if len(rows) != len(r.Points) {
			t.Fatalf("%d rows for %d points", len(rows), len(r.Points))
		}
		for i := range r.Points {
			p := &r.Points[i]
			for _, q := range p.Params {
				if !strings.Contains(rows[i], q.Value) {
					t.Errorf("row %q lacks %s", rows[i], q.Value)
				}
			}
			for _, c := range measureColumns(r) {
				e, _ := measured(p, c)
				if !strings.Contains(rows[i], e.String()) {
					t.Errorf("row %q lacks %s", rows[i], e)
				}
			}
		}
	}
}

func TestEveryPointIsAMark(t *testing.T) {
	r := delaySample()
	r.Plots = r.Plots[:1]
	marks := map[string]bool{}
	for _, e := range parse(t, pageOf(t, r)) {
		if head, ok := e.attrs["data-head"]; ok {
			marks[e.attrs["data-name"]+" at "+head+": "+e.attrs["data-value"]] = true
		}
	}
	for i := range r.Points {
		p := &r.Points[i]
		s, _ := p.Measure("divergence")
		want := p.Params[0].Value + " at network.delay " + formatNumber(p.Params[1].Number*1000) + " ms: " + newEstimate(s, unit{"", 1}).String()
		if !marks[want] {
			t.Errorf("no mark for %s", want)
		}
	}
}

func TestPageIsDeterministic(t *testing.T) {
	first := pageOf(t, delaySample())
	for range 5 {
		if pageOf(t, delaySample()) != first {
			t.Fatal("the same result gave different pages")
		}
	}
}

func TestTroubleStandsAboveThePlots(t *testing.T) {
	html := pageOf(t, troubledSample("trouble"))
	plots := strings.Index(html, "<figure>")
	for _, notice := range []string{"61 of 105 runs", "1 failed run<", "run 3, seed 99"} {
		if at := strings.Index(html, notice); at < 0 || at > plots {
			t.Errorf("%q at %d, plots at %d", notice, at, plots)
		}
	}
	if !strings.Contains(html, "† the wanted precision") {
		t.Error("nothing says that the precision was not reached")
	}
	if clean := pageOf(t, delaySample()); strings.Contains(clean, `class="notice`) {
		t.Error("a result without trouble has a notice")
	}
}

func TestCommand(t *testing.T) {
	if got, want := newPage(curveSample(), testEnvironment).Command, "throng run adam/rate-quality --seed 7 --quick"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	env := testEnvironment
	env.Command = "throng run adam/delay --seed 3 --set network.loss=0.1"
	if got := newPage(delaySample(), env).Command; got != env.Command {
		t.Errorf("got %q, want the environment's", got)
	}
}

func TestEnvironment(t *testing.T) {
	e := CurrentEnvironment("v1", "throng run x")
	if e.Version != "v1" || e.Command != "throng run x" || e.OS != runtime.GOOS || e.Arch != runtime.GOARCH || e.GoVersion == "" {
		t.Errorf("%+v", e)
	}
	html := pageOf(t, delaySample())
	for _, want := range []string{"v0.1.0", "go1.26", "linux/amd64 v3"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not name %s", want)
		}
	}
}

func TestSingleRunHasNoInterval(t *testing.T) {
	r := delaySample()
	for i := range r.Points {
		for j := range r.Points[i].Measures {
			s := &r.Points[i].Measures[j]
			s.CI95, s.N = math.NaN(), 1
		}
	}
	html := pageOf(t, r)
	if strings.Contains(html, "±") || strings.Contains(html, `class="whisker"`) || strings.Contains(html, `class="band"`) {
		t.Error("an interval is shown where none is known")
	}
}

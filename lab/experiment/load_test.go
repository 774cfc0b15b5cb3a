package experiment

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMistakes loads every experiment of testdata/bad.txtar, which says what the error is.
func TestMistakes(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/bad.txtar")
	if err != nil || len(archive.Files) == 0 {
		t.Fatal("no files", err)
	}
	texts := map[string]string{}
	for _, f := range archive.Files {
		texts[f.Name] = string(f.Data)
	}
	for _, f := range archive.Files {
		t.Run(strings.TrimSuffix(f.Name, ".yaml"), func(t *testing.T) {
			want, ok := strings.CutPrefix(firstLine(string(f.Data)), "# want: ")
			if !ok {
				t.Fatal("the first line does not say what is wanted")
			}
			want = strings.ReplaceAll(want, "FILE", "built-in/"+f.Name)
			var opts Options
			if _, arg, ok := strings.Cut(string(f.Data), "# --set "); ok {
				opts.Set = []string{strings.TrimSpace(arg)}
			}
			_, err := Load(files(texts), strings.TrimSuffix(f.Name, ".yaml"), opts, testSpace())
			var user *UserError
			if !errors.As(err, &user) {
				t.Fatalf("got %v, want a UserError", err)
			}
			if err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		})
	}
}

// files makes a source of built-in experiments from texts.
func files(texts map[string]string) Source {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Source{BuiltIn: fsys}
}

const plain = `
world: swarm
mechanism: {name: optimistic, local-lag: 10ms}
network: {name: constant, delay: 100ms}
`

// load loads one experiment that must be right.
func load(t *testing.T, text string, opts Options) *Experiment {
	t.Helper()
	e, err := Load(files(map[string]string{"x.yaml": text}), "x", opts, testSpace())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// points writes the varying parameters of all points.
func points(e *Experiment) string {
	var lines []string
	for _, p := range e.Points() {
		lines = append(lines, joinParams(p.Params))
	}
	return strings.Join(lines, "\n")
}

// value returns a parameter of an experiment's only point.
func value(t *testing.T, e *Experiment, path string) string {
	t.Helper()
	if len(e.points) != 1 {
		t.Fatalf("%d points, want 1", len(e.points))
	}
	for _, p := range e.points[0].all {
		if p.Path == path {
			return p.Value
		}
	}
	return "absent"
}

func TestLoadTakesEverythingOver(t *testing.T) {
	e := load(t, `
title: Delay
about: |
  Two lines
  of text.
source: Adam, section 12
seed: 7
duration: 5000s
warmup: 10s
precision: {measure: divergence, relative: 2%, min: 4, max: 20}
measures: [divergence, packets.sent]
plots:
  - {x: network.delay, y: divergence, by: case, title: D, log: xy}
  - {x: packets.sent, y: divergence, by: [case, mechanism.name]}
sweep: {mechanism.name: [ideal, loose], network.delay: [1ms, 2s]}
cases: [{name: few, set: {world.bees: 2}}, {name: many, set: {world: {bees: 100}}}]
`+"world: swarm\nnetwork: constant\nhost: {cpu: 2}\n", Options{Quick: true})
	if e.Name != "x" || e.Title != "Delay" || e.About != "Two lines\nof text." || e.Source != "Adam, section 12" || !e.Quick {
		t.Errorf("texts are %+v", e)
	}
	if e.Seed != 7 || e.Duration.String() != "5000s" || e.Warmup.String() != "10s" || e.Replications != 0 {
		t.Errorf("plan is %+v", e)
	}
	if p := e.Precision; p == nil || *p != (Precision{"divergence", 0.02, 4, 20}) {
		t.Errorf("precision is %+v", p)
	}
	if got := strings.Join(e.Varying, " "); got != "case mechanism network.delay" {
		t.Errorf("varying: %s", got)
	}
	if got := strings.Join(e.Measures, " "); got != "divergence packets.sent" {
		t.Errorf("measures: %s", got)
	}
	p := e.Plots
	if len(p) != 2 || p[0].X != "network.delay" || p[0].Title != "D" || !p[0].LogX || !p[0].LogY || strings.Join(p[1].By, " ") != "case mechanism" {
		t.Errorf("plots: %+v", p)
	}
	want := `case=few mechanism=ideal network.delay=1ms
case=few mechanism=ideal network.delay=2s
case=few mechanism=loose network.delay=1ms
case=few mechanism=loose network.delay=2s
case=many mechanism=ideal network.delay=1ms
case=many mechanism=ideal network.delay=2s
case=many mechanism=loose network.delay=1ms
case=many mechanism=loose network.delay=2s`
	if got := points(e); got != want {
		t.Errorf("points:\n%s\nwant\n%s", got, want)
	}
	last := e.Points()[7].Setup
	if last.World.Config.(*swarmConfig).Bees != 100 || last.Mechanism.Name != "loose" || last.Host.CPU != 2 ||
		last.Network.Config.(*constantConfig).Delay.String() != "2s" || last.Seed != 7 || last.Duration != e.Duration {
		t.Errorf("the last point is %+v", last)
	}
	if len(e.Cases) != 2 || e.Cases[1].Name != "many" || joinParams(e.Cases[1].Set) != "world.bees=100" {
		t.Errorf("cases: %+v", e.Cases)
	}
}

func TestCaseMaySweepItsOwnParameters(t *testing.T) {
	e := load(t, plain+`
cases:
  - {name: loose, set: {mechanism: loose}, sweep: {mechanism.interval: [100ms, 200ms]}}
  - {name: optimistic, sweep: {mechanism.local-lag: [0s, 50ms]}}
sweep: {network.loss: [0, 1%]}
`, Options{})
	want := `case=loose network.loss=0 mechanism.interval=100ms
case=loose network.loss=0 mechanism.interval=200ms
case=loose network.loss=0.01 mechanism.interval=100ms
case=loose network.loss=0.01 mechanism.interval=200ms
case=optimistic network.loss=0 mechanism.local-lag=0s
case=optimistic network.loss=0 mechanism.local-lag=50ms
case=optimistic network.loss=0.01 mechanism.local-lag=0s
case=optimistic network.loss=0.01 mechanism.local-lag=50ms`
	if got := points(e); got != want {
		t.Errorf("points:\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(e.Varying, " "); got != "case network.loss mechanism.interval mechanism.local-lag" {
		t.Errorf("varying: %s", got)
	}
}

func TestListsAndMapsAreParameters(t *testing.T) {
	e := load(t, `
world: swarm
network: constant
mechanism: {name: loose, threshold: {bee: 7, queen: 9px}}
`, Options{})
	if b, q := value(t, e, "mechanism.threshold.bee"), value(t, e, "mechanism.threshold.queen"); b != "7" || q != "9" {
		t.Errorf("thresholds are %s and %s, want 7 and 9", b, q)
	}
	e = load(t, plain+"sweep: {mechanism.states: [[], [1s, 2s]]}\n", Options{Set: []string{"mechanism.local-lag=0s"}})
	if got := points(e); got != "mechanism.states=\nmechanism.states=1s,2s" {
		t.Errorf("points:\n%s", got)
	}
}

func TestPrecedence(t *testing.T) {
	const text = plain + "quick: {network: {delay: 20ms}, duration: 5s}\n"
	for _, c := range []struct {
		opts            Options
		delay, duration string
	}{
		{Options{}, "100ms", "60s"},
		{Options{Quick: true}, "20ms", "5s"},
		{Options{Quick: true, Set: []string{"network.delay=3ms"}}, "3ms", "5s"},
		{Options{Set: []string{"network.delay=3ms", "duration=7s"}}, "3ms", "7s"},
		{Options{Set: []string{"network.delay=3ms", "network.delay=4ms"}}, "4ms", "60s"},
	} {
		e := load(t, text, c.opts)
		if got := value(t, e, "network.delay"); got != c.delay || e.Duration.String() != c.duration {
			t.Errorf("%+v: delay %s, duration %s; want %s, %s", c.opts, got, e.Duration, c.delay, c.duration)
		}
	}
}

func TestExtends(t *testing.T) {
	source := files(map[string]string{
		"base.yaml": `
title: Base
about: What bases are for.
source: A book
replications: 7
world: {name: swarm, bees: 16}
mechanism: {name: optimistic, local-lag: 10ms}
network: {name: constant, delay: 100ms, loss: 5%}
measures: [divergence, packets.sent]
quick: {duration: 1s, replications: 2}
`,
		"sub/merged.yaml":    "extends: base\nnetwork: {delay: 1ms}\nmeasures: [divergence]\n",
		"sub/twice.yaml":     "extends: sub/merged\ntitle: Twice\nworld: {bees: 4}\nquick: {duration: 2s}\n",
		"sub/other.yaml":     "extends: ../base.yaml\nmechanism: {name: loose, interval: 1s}\n",
		"sub/removed.yaml":   "extends: base\nmeasures: null\nnetwork: {loss: null}\n",
		"sub/precise.yaml":   "extends: base\nreplications: null\nprecision: {measure: divergence}\n",
		"sub/sameagain.yaml": "extends: base\nmechanism: optimistic\n",
	})
	get := func(name string, opts Options) *Experiment {
		t.Helper()
		e, err := Load(source, name, opts, testSpace())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := get("sub/merged", Options{})
	if value(t, e, "network.delay") != "1ms" || value(t, e, "network.loss") != "0.05" || len(e.Measures) != 1 || e.Title != "Base" || e.About == "" {
		t.Errorf("merged: %+v", e)
	}
	e = get("sub/twice", Options{Quick: true})
	if e.Title != "Twice" || e.About != "" || e.Source != "" || value(t, e, "world.bees") != "4" || e.Replications != 2 || e.Duration.String() != "2s" {
		t.Errorf("twice: %+v", e)
	}
	e = get("sub/other", Options{})
	if value(t, e, "mechanism") != "loose" || value(t, e, "mechanism.interval") != "1s" || value(t, e, "mechanism.local-lag") != "absent" {
		t.Errorf("another mechanism: %v", e.points[0].all)
	}
	e = get("sub/removed", Options{})
	if value(t, e, "network.loss") != "0.001" || len(e.Measures) != 0 {
		t.Errorf("removed: %v %v", e.Measures, e.points[0].all)
	}
	if e = get("sub/precise", Options{}); e.Precision == nil || e.Replications != 0 {
		t.Errorf("precise: %+v", e)
	}
	if e = get("sub/precise", Options{Quick: true}); e.Precision != nil || e.Replications != 2 {
		t.Errorf("precise, quick: %+v", e)
	}
	if e = get("sub/sameagain", Options{}); value(t, e, "mechanism.local-lag") != "10ms" {
		t.Errorf("the same mechanism again lost its parameters: %v", e.points[0].all)
	}
}

func TestSet(t *testing.T) {
	const text = plain + `
cases:
  - {name: loose, set: {mechanism: loose, mechanism.interval: 1s}}
  - {name: optimistic}
sweep: {network.delay: [1ms, 2ms]}
precision: {measure: divergence}
`
	for _, c := range []struct {
		name, want string
		set        []string
	}{
		{"sweep replaced", "case=loose network.delay=5ms\ncase=optimistic network.delay=5ms", []string{"network.delay=5ms"}},
		{"one case", "case=optimistic network.delay=1ms\ncase=optimistic network.delay=2ms", []string{"case=optimistic"}},
	} {
		if got := points(load(t, text, Options{Set: c.set})); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}

	e := load(t, text, Options{Set: []string{"mechanism.local-lag=70ms", "mechanism.interval=3s", "replications=2"}})
	all := e.Points()
	if c := all[0].Setup.Mechanism.Config.(*looseConfig); c.Interval.String() != "3s" {
		t.Errorf("interval %s, want 3s", c.Interval)
	}
	if c := all[3].Setup.Mechanism.Config.(*optimisticConfig); c.LocalLag.String() != "70ms" {
		t.Errorf("local lag %s, want 70ms", c.LocalLag)
	}
	if e.Replications != 2 || e.Precision != nil {
		t.Errorf("replications %d, precision %v; want 2 and none", e.Replications, e.Precision)
	}

	e = load(t, plain, Options{Set: []string{"mechanism.interval=2s", "mechanism.name=loose"}})
	if value(t, e, "mechanism.interval") != "2s" || value(t, e, "mechanism.local-lag") != "absent" {
		t.Errorf("another mechanism: %v", e.points[0].all)
	}
}

func TestChoicesComeBeforeParameters(t *testing.T) {
	// What a case or a sweep says about the network is about the network that the point has, whoever chose it.
	const text = `
world: pong
mechanism: {name: optimistic, local-lag: 10ms}
network: {name: matrix, file: ""}
cases: [{name: lossy, set: {network.loss: 50%}}]
sweep: {network: [constant], network.delay: [1s, 2s]}
`
	e := load(t, text, Options{Set: []string{"mechanism=loose"}})
	for _, p := range e.Points() {
		if c := p.Setup.Network.Config.(*constantConfig); c.Loss != 0.5 || c.Delay < 1e9 || p.Setup.Mechanism.Name != "loose" {
			t.Errorf("%s: network %+v, mechanism %s", joinParams(p.Params), c, p.Setup.Mechanism.Name)
		}
	}
}

func TestEveryPointHasItsOwnConfigs(t *testing.T) {
	e := load(t, plain, Options{})
	first := e.Points()[0].Setup.World.Config.(*swarmConfig)
	first.Bees = 99
	if again := e.Points()[0].Setup.World.Config.(*swarmConfig); again.Bees != 8 {
		t.Errorf("changing one set-up changed another: %d bees", again.Bees)
	}
}

func TestAskedIsWhatIsShownDrawnOrDecidedBy(t *testing.T) {
	e := load(t, plain+`
sweep: {network.delay: [20ms, 80ms]}
measures: [divergence]
plots: [{x: packets.sent, y: divergence}]
`, Options{})
	if got, want := e.Asked(), []string{"divergence", "packets.sent"}; !slices.Equal(got, want) {
		t.Errorf("asks for %q, want %q", got, want)
	}
	e = load(t, plain+"precision: {measure: packets.sent}\nmeasures: [divergence]\n", Options{})
	if got, want := e.Asked(), []string{"divergence", "packets.sent"}; !slices.Equal(got, want) {
		t.Errorf("asks for %q to be precise, want %q", got, want)
	}
	if got := load(t, plain, Options{}).Asked(); got != nil {
		t.Errorf("asks for %q where it names nothing", got)
	}
}

func TestPlotsOverWhatOnlyOtherCasesVaryAreLeftOut(t *testing.T) {
	text := plain + `
cases:
  - {name: near, sweep: {network.delay: [20ms, 80ms]}}
  - {name: lossy, sweep: {network.loss: [0, 0.1]}}
plots:
  - {x: network.delay, y: divergence}
  - {x: network.loss, y: divergence}
`
	if e := load(t, text, Options{}); len(e.Plots) != 2 {
		t.Errorf("%d plots, want both", len(e.Plots))
	}
	if e := load(t, text, Options{Set: []string{"case=lossy"}}); len(e.Plots) != 1 || e.Plots[0].X != "network.loss" {
		t.Errorf("plots %+v, want the one of the case that is left", e.Plots)
	}
}

// Figures can be asked for one by one or as what is measured together, in the file or instead of what it says.
func TestMeasuresByGroup(t *testing.T) {
	const text = "world: swarm\nmechanism: loose\nnetwork: constant\nmeasures: [packets.received, traffic, divergence]\n"
	for _, x := range []struct{ asked, want string }{
		{"", "packets.received packets.sent divergence"},
		{"traffic", "packets.sent packets.received"},
		{"divergence traffic", "divergence packets.sent packets.received"},
	} {
		e, err := Load(Source{BuiltIn: fstest.MapFS{"a.yaml": {Data: []byte(text)}}}, "a", Options{Measures: strings.Fields(x.asked)}, testSpace())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(e.Measures, " "); got != x.want {
			t.Errorf("%q shows %q instead of %q", x.asked, got, x.want)
		}
	}
}

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"throng/app"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/world"
)

// outcome is what a command left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

func run(ctx context.Context, p app.Program, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := app.Run(ctx, p, args, &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// experimentFile puts a small experiment into a folder of its own and goes there.
func experimentFile(t *testing.T) (name string) {
	t.Helper()
	t.Chdir(t.TempDir())
	const text = `
duration: 1s
replications: 5
world: {name: swarm, bees: 2}
mechanism: optimistic
network: constant
sweep: {network.delay: [20ms, 80ms]}
`
	if err := os.WriteFile("tiny.yaml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "tiny.yaml"
}

// spy is a probe that calls a function at the end of every run.
type spy func() float64

func (s spy) Report(_ world.Time, emit measure.Emit) { emit("spied", "", s()) }

// spied is throng with one more measure.
func spied(s spy) app.Program {
	p := app.Default()
	p.Measures = append(p.Measures, measure.Entry{Name: "spied", About: "calls", Figures: []string{"spied"},
		New: func(*sim.Run, func() *measure.Truth) measure.Probe { return s }})
	return p
}

func TestInterruptKeepsWhatIsFinished(t *testing.T) {
	name := experimentFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	program := spied(func() float64 {
		if runs++; runs == 4 {
			cancel() // in the middle of the fourth run, which is therefore not finished
		}
		return 1
	})
	got := run(ctx, program, "run", name, "-j", "1")
	if got.code != 130 {
		t.Errorf("exit code %d, want 130", got.code)
	}
	if want := "throng: interrupted after 3 of 10 runs; the results have what was finished\n"; !strings.HasSuffix(got.stderr, want) {
		t.Errorf("said\n%s\nwant it to end with\n%s", got.stderr, want)
	}
	if !strings.Contains(got.stdout, "report: out/tiny/report.html") {
		t.Errorf("printed\n%s\nwithout naming the report", got.stdout)
	}
	csv, err := os.ReadFile("out/tiny/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(string(csv), "\n") - 1; rows != 3 {
		t.Errorf("results.csv has %d rows, want the 3 finished runs:\n%s", rows, csv)
	}
}

func TestInterruptBeforeAnythingIsFinished(t *testing.T) {
	name := experimentFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := run(ctx, app.Default(), "run", name)
	if want := "throng: interrupted before the first run was finished; nothing is written\n"; got.code != 130 || !strings.HasSuffix(got.stderr, want) {
		t.Errorf("exit code %d and\n%s\nwant 130 and\n%s", got.code, got.stderr, want)
	}
	if _, err := os.Stat("out/tiny/results.csv"); !errors.Is(err, os.ErrNotExist) || got.stdout != "" {
		t.Errorf("there are results (%v), or %q was printed", err, got.stdout)
	}
}

func TestInterruptOfVerify(t *testing.T) {
	name := experimentFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := run(ctx, app.Default(), "verify", name, "--update", "fingerprints.csv")
	if got.code != 130 || !strings.HasSuffix(got.stderr, "throng: interrupted\n") {
		t.Errorf("exit code %d and\n%s\nwant 130", got.code, got.stderr)
	}
	if _, err := os.Stat("fingerprints.csv"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("fingerprints were written: %v", err)
	}
}

func TestFailedRunsAreToldAndTheOthersKept(t *testing.T) {
	name := experimentFile(t)
	runs := 0
	program := spied(func() float64 {
		if runs++; runs == 3 {
			panic("a bug")
		}
		return 1
	})
	got := run(t.Context(), program, "run", name, "-j", "1")
	if got.code != 1 {
		t.Errorf("exit code %d, want 1", got.code)
	}
	for _, want := range []string{
		"failed: network.delay=20ms, replication 1 (seed ", // at once
		"app_test.TestFailedRunsAreToldAndTheOthersKept",   // where it happened
		"throng: 1 of 10 runs failed; the first: failed: network.delay=20ms, replication 1 (seed ",
		"): panic: a bug\n",
	} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("said\n%s\nwithout %q", got.stderr, want)
		}
	}
	csv, err := os.ReadFile("out/tiny/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(string(csv), "\n") - 1; rows != 9 {
		t.Errorf("results.csv has %d rows, want 9", rows)
	}
}

// TestJSONShape holds --json to the shape that scripts rely on, and to nothing beyond it.
func TestJSONShape(t *testing.T) {
	name := experimentFile(t)
	got := run(t.Context(), app.Default(), "run", name, "--json", "--seed", "3")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var shape struct {
		Experiment *string `json:"experiment"`
		Seed       *uint64 `json:"seed"`
		Points     []struct {
			Params   map[string]string `json:"params"`
			Measures map[string]struct {
				Mean *float64 `json:"mean"`
				CI95 *float64 `json:"ci95"`
				N    *int     `json:"n"`
				Unit *string  `json:"unit"`
			} `json:"measures"`
		} `json:"points"`
	}
	decoder := json.NewDecoder(strings.NewReader(got.stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&shape); err != nil {
		t.Fatal(err)
	}
	if decoder.More() {
		t.Error("something follows")
	}
	if *shape.Experiment != "tiny" || *shape.Seed != 3 || len(shape.Points) != 2 || shape.Points[1].Params["network.delay"] != "80ms" {
		t.Errorf("got %s", got.stdout)
	}
	for _, p := range shape.Points {
		m := p.Measures["packets.sent"]
		if m.Mean == nil || *m.Mean <= 0 || m.CI95 == nil || m.N == nil || *m.N != 5 || m.Unit == nil || *m.Unit != "1/s" {
			t.Errorf("packets.sent is %+v", m)
		}
		if m := p.Measures["divergence"]; m.Mean == nil || m.Unit == nil || *m.Unit != "" {
			t.Errorf("divergence is %+v", m)
		}
	}
	for _, file := range []string{"results.csv", "summary.json", "report.html"} {
		if _, err := os.Stat("out/tiny/" + file); err != nil {
			t.Error(err)
		}
	}
}

func TestCompareShowsAddedMeasures(t *testing.T) {
	t.Chdir(t.TempDir())
	program := spied(func() float64 { return 42 })
	got := run(t.Context(), program, "compare", "--quick", "--set", "world.bees=2", "--set", "duration=1s", "--set", "warmup=0s")
	head, _, _ := strings.Cut(got.stdout, "\n")
	if fields := strings.Fields(head); got.code != 0 || fields[len(fields)-1] != "spied" || !slices.Contains(fields, "divergence") ||
		slices.Contains(fields, "packets.received") {
		t.Errorf("exit code %d, columns %q; want the usual ones and spied", got.code, head)
	}
}

// TestOnlyWhatIsAskedForIsMeasured: a program's own measures are always taken.
func TestOnlyWhatIsAskedForIsMeasured(t *testing.T) {
	name := experimentFile(t)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "measures: [divergence]\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	got := run(t.Context(), spied(func() float64 { return 1 }), "run", name, "--json")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	for measure, want := range map[string]bool{`"divergence"`: true, `"spied"`: true, `"drift"`: false, `"packets.sent"`: false} {
		if strings.Contains(got.stdout, measure) != want {
			t.Errorf("%s is measured: %v", measure, !want)
		}
	}
}

// An interrupted experiment goes on to the results that it would have had.
func TestResume(t *testing.T) {
	name := experimentFile(t)
	if whole := run(t.Context(), spied(func() float64 { return 1 }), "run", name, "-j", "1"); whole.code != 0 {
		t.Fatal(whole.stderr)
	}
	want, err := os.ReadFile("out/tiny/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	program := spied(func() float64 {
		if runs++; runs == 4 {
			cancel()
		}
		return 1
	})
	if got := run(ctx, program, "run", name, "-j", "1"); got.code != 130 || !strings.Contains(got.stderr, "with --resume goes on with them") {
		t.Fatalf("exit code %d and\n%s", got.code, got.stderr)
	}
	if got := run(t.Context(), program, "run", name, "-j", "1", "--resume"); got.code != 0 {
		t.Fatalf("exit code %d and\n%s", got.code, got.stderr)
	}
	if runs != 10 {
		t.Errorf("%d runs were finished or begun, want 10: those that were finished are not run again", runs)
	}
	got, err := os.ReadFile("out/tiny/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := run(t.Context(), program, "run", name, "--resume"); got.code == 0 || !strings.Contains(got.stderr, "no interrupted runs are kept here") {
		t.Errorf("resumed what was finished: %s", got.stderr)
	}
}

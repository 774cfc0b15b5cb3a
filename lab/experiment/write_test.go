package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// golden compares with a file that is reviewed when it changes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

// sampleResult has a bit of everything: cases with a sweep of their own, single runs, missing values and a failure.
func sampleResult(t *testing.T) *Result {
	e := load(t, plain+`
title: Loose & optimistic
source: Adam
replications: 2
cases:
  - {name: loose, set: {mechanism: loose}, sweep: {mechanism.interval: [100ms, 350ms]}}
  - {name: optimistic, set: {mechanism.local-lag: 100ms}}
sweep: {network.delay: [50ms]}
`, Options{})
	failing := true
	trial := func(_ context.Context, s Setup) (Measures, error) {
		value := 0.1
		if s.Mechanism.Name == "optimistic" {
			if failing {
				failing = false
				return nil, errors.New("out of honey")
			}
			value = 1e-7
		}
		if s.Seed != replicationSeed(1, 0) {
			value *= 3
		}
		m := Measures{{"divergence", "", value}, {"packets.sent", "1/s", 20}}
		if s.Mechanism.Name == "optimistic" {
			m = append(m, Measure{"response.p90", "s", math.NaN()})
		}
		return m, nil
	}
	return e.Run(t.Context(), trial, 1, nil)
}

func TestCSV(t *testing.T) {
	var buf bytes.Buffer
	if err := sampleResult(t).WriteCSV(&buf); err != nil {
		t.Fatal(err)
	}
	golden(t, "results.csv", buf.Bytes())
}

func TestMeans(t *testing.T) {
	var buf bytes.Buffer
	if err := sampleResult(t).WriteMeans(&buf, "throng run x --set a=1"); err != nil {
		t.Fatal(err)
	}
	golden(t, "means.csv", buf.Bytes())
}

func TestCSVHasNoUnitForWhatHasSeveral(t *testing.T) {
	e := load(t, plain+"sweep: {world: [pong, swarm]}\n", Options{})
	trial := func(_ context.Context, s Setup) (Measures, error) {
		return Measures{{"score", s.World.Name + "/s", 1}, {"packets.sent", "1/s", 2}}, nil
	}
	var buf bytes.Buffer
	if err := e.Run(t.Context(), trial, 1, nil).WriteCSV(&buf); err != nil {
		t.Fatal(err)
	}
	if got, want := firstLine(buf.String()), "world,replication,seed,score,packets.sent [1/s]"; got != want {
		t.Errorf("the columns are %s, want %s", got, want)
	}
}

func TestSummary(t *testing.T) {
	var buf bytes.Buffer
	if err := sampleResult(t).WriteSummary(&buf); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.json", buf.Bytes())
}

// TestJSON is about the shape that scripts rely on: this and nothing else.
func TestJSON(t *testing.T) {
	var buf bytes.Buffer
	if err := sampleResult(t).WriteJSON(&buf); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Experiment string
		Seed       uint64
		Points     []struct {
			Params   map[string]string
			Measures map[string]struct {
				Mean, CI95 *float64
				N          int
				Unit       string
			}
		}
	}
	decoder := json.NewDecoder(&buf)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Experiment != "x" || got.Seed != 1 || len(got.Points) != 3 || got.Points[0].Params["network.delay"] != "50ms" {
		t.Errorf("summary is %+v", got)
	}
	if m := got.Points[0].Measures["packets.sent"]; *m.Mean != 20 || *m.CI95 != 0 || m.N != 2 || m.Unit != "1/s" {
		t.Errorf("packets.sent is %+v", m)
	}
	if m := got.Points[2].Measures["divergence"]; m.CI95 != nil || m.N != 1 {
		t.Errorf("confidence of a single run is %v, want null", *m.CI95)
	}
}

func TestWriteFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "results")
	if err := CheckOutput(dir); err != nil {
		t.Fatal(err)
	}
	if err := sampleResult(t).WriteFiles(dir, "throng run x"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "means.csv results.csv summary.json" {
		t.Errorf("files: %s", got)
	}
}

func TestWriteFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "results.csv")
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(file, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half", 10_000))
		return errors.New("disk full")
	})
	if err == nil || err.Error() != file+": cannot write: disk full" {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "before" || names(t, dir) != "results.csv" {
		t.Errorf("the directory has %s, the file %.20q", names(t, dir), text)
	}
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"CheckOutput": CheckOutput(filepath.Join(file, "sub")),
		"WriteFile":   WriteFile(filepath.Join(file, "x"), func(io.Writer) error { return nil }),
	} {
		var user *UserError
		if !errors.As(err, &user) || !strings.HasSuffix(err.Error(), ": cannot write: not a directory") {
			t.Errorf("%s: got %v, want a UserError", what, err)
		}
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

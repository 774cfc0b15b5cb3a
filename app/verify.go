//go:build !js

package app

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"throng/experiments"
	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/world"
)

type verifyCommand struct {
	Experiments []string `arg:"" optional:"" help:"Only these experiments. Default: all."`
	Update      string   `placeholder:"FILE" help:"Write the fingerprints found to a file instead of comparing."`
}

func (verifyCommand) Help() string {
	return `Runs every point of every experiment for a few simulated seconds and condenses all that happened into a fingerprint, and all that was measured into another. A
fingerprint that differs from the recorded one means that the same seed no longer gives the same results: a mistake, or a
change that belongs under "Results changed" in the CHANGELOG.

Examples:
  throng verify
  throng verify adam/delay
  throng verify --update experiments/fingerprints.csv`
}

// verifySpan is how much of a run a fingerprint covers: long enough for losses and spikes to have an effect.
const verifySpan = 20 * world.Second

// fingerprint is one row of the table.
type fingerprint struct {
	experiment, point, value string
	figures                  string // of what the experiment measures; empty where that is not recorded
}

// String names the point.
func (f fingerprint) String() string {
	if f.point == "" {
		return f.experiment
	}
	return f.experiment + " (" + f.point + ")"
}

func (c *verifyCommand) Run(e *environment) error {
	names := c.Experiments
	if len(names) == 0 {
		var err error
		if names, err = e.source().Names(); err != nil {
			return err
		}
	}
	if c.Update != "" {
		if err := experiment.CheckOutput(filepath.Dir(c.Update)); err != nil {
			return err
		}
	}
	found, err := e.fingerprints(names)
	if err != nil {
		return err
	}
	recorded, err := readFingerprints()
	if err != nil {
		return err
	}
	if c.Update == "" {
		return e.compare(found, recorded, len(c.Experiments) == 0)
	}
	if len(c.Experiments) > 0 {
		found = replace(recorded, found)
	}
	return experiment.WriteFile(c.Update, func(w io.Writer) error { return writeFingerprints(w, found) })
}

// replace puts the new rows in place of all old ones of the same experiments, in alphabetical order of these.
func replace(old, found []fingerprint) []fingerprint {
	rows := slices.DeleteFunc(old, func(r fingerprint) bool {
		return slices.ContainsFunc(found, func(f fingerprint) bool { return f.experiment == r.experiment })
	})
	rows = append(rows, found...)
	slices.SortStableFunc(rows, func(a, b fingerprint) int { return strings.Compare(a.experiment, b.experiment) })
	return rows
}

// fingerprints finds those of every point of the named experiments, on all processors.
func (e *environment) fingerprints(names []string) ([]fingerprint, error) {
	var rows []fingerprint
	var setups []experiment.Setup
	var probes [][]measure.Entry
	for _, name := range names {
		x, err := experiment.Load(e.source(), name, experiment.Options{Quick: true}, e.program.space())
		if err != nil {
			return nil, err
		}
		for _, p := range x.Points() {
			p.Setup.Duration, p.Setup.Warmup, p.Setup.Seed = min(verifySpan, p.Setup.Duration), 0, x.Seed
			rows = append(rows, fingerprint{experiment: x.Name, point: paramText(p.Params)})
			setups = append(setups, p.Setup)
			probes = append(probes, e.program.probes(x))
		}
	}
	errs := make([]error, len(rows))
	finished := make(chan struct{})
	var taken atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for i := taken.Add(1) - 1; i < int64(len(rows)); i = taken.Add(1) - 1 {
				rows[i].value, rows[i].figures, errs[i] = lab.Fingerprints(e.ctx, setups[i], probes[i])
				finished <- struct{}{}
			}
		}()
	}
	progress := newProgress(e.stderr, "verify")
	progress.Planned(len(rows))
	for range rows { // after an interruption the remaining ones end at once
		<-finished
		progress.Finished(nil, 0, nil)
	}
	progress.Ended(e.ctx.Err() != nil)
	if e.ctx.Err() != nil {
		return nil, errInterrupted
	}
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("%v: %w", rows[i], err)
		}
	}
	return rows, errors.Join(errs...)
}

func writeFingerprints(out io.Writer, rows []fingerprint) error {
	w := csv.NewWriter(out)
	w.Write([]string{"experiment", "point", "fingerprint", "figures"}) // errors are kept until the end
	for _, r := range rows {
		w.Write([]string{r.experiment, r.point, r.value, r.figures})
	}
	w.Flush()
	return w.Error()
}

// readFingerprints reads the table on disk if there is one, else the one built in.
func readFingerprints() ([]fingerprint, error) {
	const file = "experiments/fingerprints.csv"
	text := experiments.Fingerprints
	if onDisk, err := os.ReadFile(file); err == nil {
		text = string(onDisk)
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, &experiment.UserError{Where: file, Message: err.Error()}
	}
	var rows []fingerprint
	for _, r := range records[min(1, len(records)):] {
		if len(r) != 4 {
			return nil, &experiment.UserError{Where: file, Message: "a row must have four columns: experiment, point, fingerprint, figures"}
		}
		rows = append(rows, fingerprint{r[0], r[1], r[2], r[3]})
	}
	return rows, nil
}

// compare prints what differs. Points that are recorded but were not found count only if everything was looked at.
func (e *environment) compare(found, recorded []fingerprint, everything bool) error {
	same := func(a fingerprint) func(fingerprint) bool {
		return func(b fingerprint) bool { return a.experiment == b.experiment && a.point == b.point }
	}
	wrong := 0
	complain := func(f fingerprint, problem string) {
		wrong++
		fmt.Fprintf(e.stdout, "%v: %s\n", f, problem)
	}
	for _, f := range found {
		switch i := slices.IndexFunc(recorded, same(f)); {
		case i < 0:
			complain(f, "not recorded; found "+f.value)
		case recorded[i].value != f.value:
			complain(f, "recorded "+recorded[i].value+", found "+f.value)
		case recorded[i].figures != "" && recorded[i].figures != f.figures:
			complain(f, "did the same and measured something else: recorded "+recorded[i].figures+", found "+f.figures)
		}
	}
	if everything {
		for _, r := range recorded {
			if !slices.ContainsFunc(found, same(r)) {
				complain(r, "recorded, but there is no such point any more")
			}
		}
	}
	if wrong > 0 {
		fmt.Fprintf(e.stdout, "%d fingerprints are not as recorded\n", wrong)
		return errVerdict
	}
	fmt.Fprintf(e.stdout, "all %d fingerprints are as recorded\n", len(found))
	return nil
}

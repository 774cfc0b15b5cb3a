package app

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"throng/experiments"
	"throng/lab"
	"throng/lab/experiment"
	"throng/world"
)

type verifyCommand struct {
	Experiments []string `arg:"" optional:"" help:"Only these experiments. Default: all."`
	Update      string   `placeholder:"FILE" help:"Write the fingerprints found to a file instead of comparing."`
}

func (verifyCommand) Help() string {
	return `Runs every point of every experiment for a few simulated seconds and condenses all that happened into a fingerprint. A
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
}

func (c *verifyCommand) Run(e *environment) error {
	names := c.Experiments
	if len(names) == 0 {
		var err error
		if names, err = e.source().Names(); err != nil {
			return err
		}
	}
	found, err := e.fingerprints(names)
	if err != nil {
		return err
	}
	if c.Update != "" {
		return experiment.WriteFile(c.Update, func(w io.Writer) error { return writeFingerprints(w, found) })
	}
	recorded, err := readFingerprints()
	if err != nil {
		return err
	}
	return e.compare(found, recorded, len(c.Experiments) == 0)
}

// fingerprints runs every point of the named experiments, on all processors.
func (e *environment) fingerprints(names []string) ([]fingerprint, error) {
	var rows []fingerprint
	var setups []experiment.Setup
	for _, name := range names {
		x, err := experiment.Load(e.source(), name, experiment.Options{Quick: true}, e.program.space())
		if err != nil {
			return nil, err
		}
		for _, p := range x.Points() {
			p.Setup.Duration, p.Setup.Warmup, p.Setup.Seed = min(verifySpan, p.Setup.Duration), 0, x.Seed
			rows = append(rows, fingerprint{experiment: x.Name, point: pointName(p)})
			setups = append(setups, p.Setup)
		}
	}
	errs := make([]error, len(rows))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				rows[i].value, errs[i] = lab.Fingerprint(e.ctx, setups[i])
			}
		})
	}
	progress := e.progress("verify")
	if progress != nil {
		progress.Planned(len(rows))
	}
	for i := range rows {
		if e.ctx.Err() != nil {
			break
		}
		next <- i
		if progress != nil {
			progress.Finished(nil, 0, nil)
		}
	}
	close(next)
	workers.Wait()
	if progress != nil {
		progress.Ended(e.ctx.Err() != nil)
	}
	if e.ctx.Err() != nil {
		return nil, context.Canceled
	}
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("%s (%s): %w", rows[i].experiment, rows[i].point, err)
		}
	}
	return rows, errors.Join(errs...)
}

// pointName tells a point from the others of its experiment.
func pointName(p experiment.Point) string {
	var parts []string
	for _, v := range p.Params {
		parts = append(parts, v.Path+"="+v.Value)
	}
	return strings.Join(parts, " ")
}

func writeFingerprints(out io.Writer, rows []fingerprint) error {
	w := csv.NewWriter(out)
	w.Write([]string{"experiment", "point", "fingerprint"}) // errors are kept until the end
	for _, r := range rows {
		w.Write([]string{r.experiment, r.point, r.value})
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
		if len(r) != 3 {
			return nil, &experiment.UserError{Where: file, Message: "a row must have three columns: experiment, point, fingerprint"}
		}
		rows = append(rows, fingerprint{r[0], r[1], r[2]})
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
		fmt.Fprintf(e.stdout, "%s (%s): %s\n", f.experiment, f.point, problem)
	}
	for _, f := range found {
		switch i := slices.IndexFunc(recorded, same(f)); {
		case i < 0:
			complain(f, "not recorded; found "+f.value)
		case recorded[i].value != f.value:
			complain(f, "recorded "+recorded[i].value+", found "+f.value)
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
		fmt.Fprintf(e.stdout, "%d of %d fingerprints differ\n", wrong, len(found))
		return errVerdict
	}
	fmt.Fprintf(e.stdout, "all %d fingerprints are as recorded\n", len(found))
	return nil
}

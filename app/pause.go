//go:build !js

package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"throng/lab"
	"throng/lab/experiment"
)

// pausedFolder is where an interrupted experiment keeps its runs, in the folder of its results.
const pausedFolder = "paused"

// pausing carries out the runs of an experiment such that they can be gone on with after an interruption.
func (e *environment) pausing(x *experiment.Experiment, dir string, o *runOptions) (*experiment.Result, error) {
	pauses := lab.NewPauses(filepath.Join(dir, pausedFolder), thisProgram)
	if o.Resume {
		if err := pauses.Resume(); err != nil {
			return nil, &experiment.UserError{Where: "--resume", Message: err.Error()}
		}
	} else if err := pauses.Discard(); err != nil {
		return nil, err
	}
	trial, finish := untilFinished(pauses.Trial(e.program.probes(x)))
	result := x.Run(e.ctx, trial, o.workers(), newProgress(e.stderr, x.Name))
	finish()
	if !result.Interrupted {
		return result, pauses.Discard()
	}
	return result, e.keep(pauses)
}

// keep keeps runs that were interrupted, and says so.
func (e *environment) keep(p *lab.Pauses) error {
	if err := p.Save(); err != nil {
		return err
	}
	kept, refused := p.Kept()
	if refused != nil {
		fmt.Fprintf(e.stderr, "some runs that were under way will begin anew: %v\n", refused)
	}
	fmt.Fprintf(e.stderr, "%d runs that were under way are kept; the same command with --resume goes on with them\n", kept)
	return nil
}

// workers is how many runs are under way at a time.
func (o *runOptions) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// thisProgram tells this very build of the program from all others.
func thisProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

package lab

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"throng/internal/image"
	"throng/lab/check"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
)

// Pauses keeps the runs of an interrupted experiment in a folder: the figures of those that were finished, and those that were
// under way as they stood, from where they go on to the very figures that they would have had without a pause.
type Pauses struct {
	folder  string
	program func() (string, error) // which program's memory it is; another's cannot be gone on with

	mu       sync.Mutex
	finished map[string]experiment.Measures
	kept     int
	refused  error // why some run under way could not be kept
}

// The files in the folder, beside one for each run that was under way.
const (
	finishedFile = "finished.csv"
	programFile  = "program"
)

// NewPauses has the runs of a program kept in a folder, in which there may be runs already.
func NewPauses(folder string, program func() (string, error)) *Pauses {
	return &Pauses{folder: folder, program: program, finished: map[string]experiment.Measures{}}
}

// Resume reads what an interrupted experiment has left. The error says what is in the way of going on with it.
func (p *Pauses) Resume() error {
	program, err := os.ReadFile(filepath.Join(p.folder, programFile))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: no interrupted runs are kept here", p.folder)
	}
	this, problem := p.program()
	switch {
	case errors.Join(err, problem) != nil:
		return errors.Join(err, problem)
	case string(program) != this:
		return fmt.Errorf("%s: these runs were interrupted in another build of the program, which alone can go on with them; run the experiment anew, without --resume", p.folder)
	}
	f, err := os.Open(filepath.Join(p.folder, finishedFile))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.readFinished(f); err != nil {
		return fmt.Errorf("%s: %w; run the experiment anew, without --resume", f.Name(), err)
	}
	return nil
}

// Kept is how many runs were under way and are kept, and why others are not.
func (p *Pauses) Kept() (runs int, refused error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept, p.refused
}

// Trial is Trial for runs that can be interrupted and gone on with.
func (p *Pauses) Trial(probes []measure.Entry) experiment.Trial {
	return func(ctx context.Context, s experiment.Setup) (experiment.Measures, error) {
		key := keyOf(s, probes)
		p.mu.Lock()
		done, ok := p.finished[key]
		p.mu.Unlock()
		if ok {
			return done, nil
		}
		r, err := newPausable(s, probes)
		if err != nil {
			return nil, err
		}
		if err := p.wake(r, key); err != nil {
			return nil, err
		}
		if err := r.Run.Go(ctx); err != nil {
			if errors.Is(err, sim.ErrStopped) {
				p.keep(r, key)
			}
			return nil, err
		}
		if err := r.Checks.Verdict(); err != nil {
			return nil, err
		}
		figures := asMeasures(r.Probes)
		p.mu.Lock()
		p.finished[key] = figures
		p.mu.Unlock()
		return figures, nil
	}
}

// pausable is a run with all that watches it: what must be kept for it to go on.
type pausable struct {
	Run    *sim.Run
	Checks check.Checks
	Probes *measure.Probes
}

func newPausable(s experiment.Setup, probes []measure.Entry) (*pausable, error) {
	run, err := Build(s)
	if err != nil {
		return nil, err
	}
	return &pausable{run, check.Attach(run), measure.Attach(run, withLoad(run, probes))}, nil
}

// roots are what a run is made from and does not change.
func (r *pausable) roots() []any {
	s := r.Run.Setup()
	return []any{s.World, s.Mechanism, s.World.Schema()}
}

// keyOf names a run: its parameters, its seed and what is measured.
func keyOf(s experiment.Setup, probes []measure.Entry) string {
	h := sha256.New()
	fmt.Fprintln(h, strings.Join(experiment.Assignments(s.Params()), "\n"), s.Seed, s.Duration, s.Warmup, s.Commands)
	for _, e := range probes {
		fmt.Fprintln(h, e.Name)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// errorTypes are what a check that has failed may hold, and one that has just begun does not.
var errorTypes = []reflect.Type{reflect.TypeOf(errors.New("")), reflect.TypeOf(fmt.Errorf("%w", io.EOF)), reflect.TypeOf(fmt.Errorf("%w%w", io.EOF, io.EOF))}

// wake has a run be as it was when it was interrupted, if it was.
func (p *Pauses) wake(r *pausable, key string) error {
	path := filepath.Join(p.folder, key)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = image.Load(text, r, errorTypes, r.roots()...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; remove the file to have the run begin anew", path, err)
	}
	return nil
}

// keep writes down a run that was stopped.
func (p *Pauses) keep(r *pausable, key string) {
	text, err := image.Append(nil, r, r.roots()...)
	if err == nil {
		err = os.MkdirAll(p.folder, 0o755)
	}
	if err == nil {
		err = experiment.WriteFile(filepath.Join(p.folder, key), func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.refused = err
		return
	}
	p.kept++
}

// Save keeps the figures of finished runs, beside the runs that were under way.
func (p *Pauses) Save() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	if err := experiment.WriteFile(filepath.Join(p.folder, finishedFile), p.writeFinished); err != nil {
		return err
	}
	program, err := p.program()
	if err != nil {
		return err
	}
	return experiment.WriteFile(filepath.Join(p.folder, programFile), func(w io.Writer) error {
		_, err := io.WriteString(w, program)
		return err
	})
}

// Discard removes what was kept.
func (p *Pauses) Discard() error { return os.RemoveAll(p.folder) }

func (p *Pauses) writeFinished(w io.Writer) error {
	out := csv.NewWriter(w)
	for key, figures := range p.finished {
		for _, m := range figures {
			if err := out.Write([]string{key, m.Name, m.Unit, strconv.FormatFloat(m.Value, 'g', -1, 64)}); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (p *Pauses) readFinished(r io.Reader) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = 4
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		value, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			return fmt.Errorf("%q is no figure", row[3])
		}
		p.finished[row[0]] = append(p.finished[row[0]], experiment.Measure{Name: row[1], Unit: row[2], Value: value})
	}
}

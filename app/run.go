//go:build !js

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/report"
	"throng/lab/verdict"
)

// runOptions are what all commands that run experiments have in common.
type runOptions struct {
	Event   []string `sep:"none" placeholder:"WHEN: WHAT" help:"Something that happens in every run beside what the experiment says, such as 'at 30s: crash server 2, back after 5s' (see docs/churn.md). May be given several times."`
	Set     []string `short:"s" sep:"none" placeholder:"PATH=VALUE" help:"Override a parameter, such as network.delay=80ms. May be given several times; several values sweep: network.delay=[50ms,80ms]."`
	Measure []string `short:"m" placeholder:"NAME" help:"Show this figure, or all figures of this measure (see throng list measures), instead of what the experiment shows. May be given several times, or several separated by commas."`
	Quick   bool     `short:"q" help:"Shorter and coarser: an impression within seconds."`
	Seed    *uint64  `help:"What all randomness is derived from."`
	Out     string   `short:"o" placeholder:"DIR" help:"Where results go. Default: out/ and the experiment's name."`
	Resume  bool     `help:"Go on where the same command was interrupted: runs that were finished are not run again, those that were under way go on to the figures that they would have had."`
	JSON    bool     `name:"json" help:"Print the summary as JSON instead of a table."`

	Commands     string `placeholder:"FILE" help:"Users do again what they did in this recording, at the same times, in place of artificial players."`
	SaveCommands bool   `help:"Also save what users do in the first run of each point, to be given to --commands or throng analyse."`

	Record  time.Duration `placeholder:"SPAN" help:"Also record this much of one run of each point, to be watched with throng view."`
	Workers int           `short:"j" placeholder:"N" help:"How many runs at a time. Default: one for each processor. Results do not depend on it."`

	judge func(r *experiment.Result) *verdict.Verdict // decides between the points; may be nil
}

type runCommand struct {
	Experiment string `arg:"" help:"Name of an experiment (see throng list), or path of a .yaml file."`
	runOptions
}

func (runCommand) Help() string {
	return `Writes results.csv (every run), means.csv and summary.json (means with 95% confidence) and report.html (plots; readable offline).
Interrupt with Ctrl-C: what is finished is kept, and --resume goes on with the rest.

Examples:
  throng run adam/delay --quick
  throng run adam/local-lag --set 'network.delay=[20ms,80ms]' --set replications=20
  throng run adam/delay --quick --event 'at 10s: crash user 2, back after 5s'
  throng run adam/delay --quick --measure latency,divergence
  throng run aos/upload --resume
  throng run adam/standard --quick --save-commands
  throng run my/experiment.yaml --commands out/adam/standard-quick/commands/case=swarm_loose.throng
  throng run my/experiment.yaml --json | jq '.points[].measures.divergence'`
}

func (c *runCommand) Run(e *environment) error {
	return e.run(e.source(), c.Experiment, &c.runOptions)
}

// run runs an experiment, writes its files and prints what came of it.
func (e *environment) run(source experiment.Source, name string, o *runOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	x, err := experiment.Load(source, name, experiment.Options{Quick: o.Quick, Set: o.sets(), Event: o.Event, Measures: o.Measure}, e.program.space())
	if err != nil {
		return asFlag(err, "commands", "--commands", o.Commands)
	}
	dir := o.Out
	if dir == "" {
		dir = outputFolder(x)
	}
	if err := lab.CheckPoints(x.Points()); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if err := lab.CheckCommands(x.Points()); err != nil {
		return &experiment.UserError{Where: x.Commands, Message: strings.TrimPrefix(err.Error(), x.Commands+": ")}
	}
	if err := experiment.CheckOutput(dir); err != nil {
		return err
	}
	result, err := e.carryOut(x, dir, o)
	if err != nil {
		return err
	}
	if result.Finished == 0 && result.Interrupted {
		return fmt.Errorf("%w before the first run was finished; nothing is written", errInterrupted)
	}
	var decided *verdict.Verdict
	if o.judge != nil {
		decided = o.judge(result)
		decided.Note(result)
	}
	if err := e.write(result, dir); err != nil {
		return err
	}
	if err := e.print(result, dir, o.JSON); err != nil {
		return err
	}
	if decided != nil && !o.JSON {
		if err := decided.Write(e.stdout); err != nil {
			return err
		}
	}
	if o.SaveCommands && !o.JSON {
		fmt.Fprintf(e.stdout, "commands: %s\n", filepath.Join(dir, commandsFolder))
	}
	if o.Record > 0 {
		if err := e.record(x, dir, o.Record); err != nil {
			return err
		}
	}
	return e.verdict(result)
}

// check finds what flags cannot mean.
func (o *runOptions) check() error {
	switch {
	case o.Workers < 0:
		return &experiment.UserError{Where: "--workers", Message: "at least one run must be under way at a time"}
	case o.Resume && o.SaveCommands:
		return &experiment.UserError{Where: "--resume", Message: "what users did before the interruption was not kept; save their commands in one go, without --resume"}
	case o.Record < 0:
		return &experiment.UserError{Where: "--record", Message: "wants a span such as 60s"}
	}
	return nil
}

// sets are all parameters that the flags override: those that have a flag of their own, too.
func (o *runOptions) sets() []string {
	sets := slices.Clone(o.Set)
	if o.Seed != nil {
		sets = append(sets, "seed="+strconv.FormatUint(*o.Seed, 10))
	}
	if o.Commands != "" {
		sets = append(sets, "commands="+o.Commands)
	}
	return sets
}

// asFlag makes a complaint about a parameter that a flag has set name the flag, and not the --set that it stands for.
func asFlag(err error, path, flag, value string) error {
	var mistake *experiment.UserError
	if errors.As(err, &mistake) && mistake.Where == "--set "+path+"="+value {
		return &experiment.UserError{Where: flag + " " + value, Message: strings.TrimPrefix(mistake.Message, path+": ")}
	}
	return err
}

// carryOut carries out all runs of an experiment.
func (e *environment) carryOut(x *experiment.Experiment, dir string, o *runOptions) (*experiment.Result, error) {
	// Progress is shown on the error output, so that results can be piped.
	if !o.SaveCommands {
		return e.pausing(x, dir, o)
	}
	folder := filepath.Join(dir, commandsFolder)
	if err := experiment.CheckOutput(folder); err != nil {
		return nil, err
	}
	trial, finish := untilFinished(lab.Trial(e.program.probes(x), lab.KeepCommands(func(s experiment.Setup) string {
		return filepath.Join(folder, recordingName(s.Point))
	})))
	defer finish()
	return x.Run(e.ctx, trial, o.workers(), newProgress(e.stderr, x.Name)), nil
}

// untilFinished returns a trial, and a function that waits for the runs under way and lets none begin after them: those that
// an interrupted experiment has abandoned still have files to close.
func untilFinished(trial experiment.Trial) (experiment.Trial, func()) {
	var under sync.RWMutex
	return func(ctx context.Context, s experiment.Setup) (experiment.Measures, error) {
		if !under.TryRLock() {
			return nil, errInterrupted
		}
		defer under.RUnlock()
		return trial(ctx, s)
	}, under.Lock
}

// outputFolder is where results go unless told otherwise: below out, wherever the experiment comes from.
func outputFolder(x *experiment.Experiment) string {
	name := filepath.FromSlash(x.Name)
	if !filepath.IsLocal(name) {
		name = filepath.Base(name)
	}
	if x.Quick {
		name += "-quick"
	}
	return filepath.Join("out", name)
}

const reportFile = "report.html"

func (e *environment) write(r *experiment.Result, dir string) error {
	if err := r.WriteFiles(dir, commandLine(repeating(e.args))); err != nil {
		return err
	}
	env := report.CurrentEnvironment(version(), commandLine(e.args))
	env.Definition = e.program.definition
	return experiment.WriteFile(filepath.Join(dir, reportFile), func(w io.Writer) error { return report.Write(w, r, env) })
}

func (e *environment) print(r *experiment.Result, dir string, json bool) error {
	if json {
		return r.WriteJSON(e.stdout)
	}
	if err := report.Table(e.stdout, r, terminalWidth(e.stdout)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "\nreport: %s\n", filepath.Join(dir, reportFile))
	return err
}

// verdict turns a result into the command's outcome: the files are written in any case.
func (e *environment) verdict(r *experiment.Result) error {
	if r.Interrupted {
		return fmt.Errorf("%w after %d of %d runs; the results have what was finished", errInterrupted, r.Finished, r.Planned)
	}
	if len(r.Failures) == 0 {
		return nil
	}
	first := &r.Failures[0]
	if first.Stack != "" {
		fmt.Fprintln(e.stderr, first.Stack)
	}
	return fmt.Errorf("%d of %d runs failed; the first: %v", len(r.Failures), r.Planned, first)
}

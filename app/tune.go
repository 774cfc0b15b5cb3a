//go:build !js

package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/tune"
	"throng/lab/verdict"
	"throng/live/session"
)

type tuneCommand struct {
	worldOptions
	Mechanism []string `short:"m" sep:"," placeholder:"NAME,…" help:"Choose among these only. Default: all that can be served."`
	For       string   `default:"action" placeholder:"KIND" help:"What the world is for: action, strategy, conference or market, each with what counts there. Default: ${default}."`
	Quality   []string `sep:"none" placeholder:"TERM" help:"What counts for quality instead, such as response.p90/100ms=-1: a point less for each 100 ms. May be given several times."`
	Cost      []string `sep:"none" placeholder:"TERM" help:"What counts as cost instead, such as bytes.sent/10KB/s=1. May be given several times."`
	Vary      []string `sep:"none" placeholder:"PATH=[A,B,…]" help:"What to choose between, such as mechanism.interval=[50ms,100ms,200ms], in order, for mechanisms that have it. May be given several times. Default: what most decides about quality and cost."`
	Runs      int      `placeholder:"N" help:"How many runs there may be. Default: a fifth of what trying everything would take, and 60 at least."`
	Repeat    int      `default:"5" placeholder:"N" help:"How many runs there may be of one choice, each with its own seed. Default: ${default}."`
	All       bool     `help:"Try everything, so often. To know what a search misses."`

	Set     []string `short:"s" sep:"none" placeholder:"PATH=VALUE" help:"Fix a parameter, such as world.walkers=100. May be given several times."`
	Quick   bool     `short:"q" help:"A smaller world and shorter runs: an impression."`
	Seed    *uint64  `help:"What all randomness is derived from."`
	Out     string   `short:"o" placeholder:"DIR" help:"Where results go. Default: out/tune and the world's name."`
	Resume  bool     `help:"Go on where the same command was interrupted."`
	JSON    bool     `name:"json" help:"Print what was found as JSON."`
	Workers int      `short:"j" placeholder:"N" help:"How many runs at a time. Default: one for each processor. Results do not depend on it."`
}

func (tuneCommand) Help() string {
	return `Searches mechanisms and their parameters for the greatest gain, Z = Q − K: quality minus cost, in points that weigh figures against each other.
With limits it looks among those that keep within them. It tries a few of each mechanism, looks around the best ones, and gives those more seeds until one is
clearly best. Ctrl-C keeps what is known, and --resume goes on.

It prints what is best and the command that serves it, what quality can be had for which cost, and what the choice hangs on.

Examples:
  throng tune --world swarm --quick
  throng tune --world crowd --for market --limit 'response.p90<200ms' --set world.walkers=40
  throng tune --world pong --quality response.p90/50ms=-1 --cost bytes.sent/1KB/s=1 --vary 'mechanism.local-lag=[0ms,50ms,100ms]'`
}

// varied is what there is to choose between unless the user says so, in mechanisms that have it: how often and how much is told, and how
// long people wait so that views agree.
var varied = []string{
	"mechanism.interval=[50ms,100ms,150ms,200ms,350ms,500ms]",
	"mechanism.local-lag=[0ms,50ms,100ms,150ms,200ms]",
	"mechanism.turn=[50ms,100ms,150ms,200ms]",
	"mechanism.delay=[1,2,3]",
	"mechanism.rate=[5,10,20,0]",
	"mechanism.render-delay=[0,0.5,1,2]",
	"mechanism.link.batching=[0ms,10ms,25ms,50ms]",
}

func (c *tuneCommand) Run(e *environment) error {
	if err := c.checkWorld(e); err != nil {
		return err
	}
	limits, err := c.limits(e)
	if err != nil {
		return err
	}
	objective, err := c.objective(e)
	if err != nil {
		return err
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	text, err := c.experiment(e, &objective, limits)
	if err != nil {
		return err
	}
	x, err := experiment.Load(experiment.Source{BuiltIn: oneFile(text)}, "tune/"+c.World,
		experiment.Options{Quick: c.Quick, Set: options.sets()}, e.program.space())
	if err != nil {
		return asFlag(err, "network.delay", "--delay", c.Delay)
	}
	if err := lab.CheckPoints(x.Points()); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	dir := c.Out
	if dir == "" {
		dir = outputFolder(x)
	}
	if err := experiment.CheckOutput(dir); err != nil {
		return err
	}
	t := &tuning{environment: e, command: c, experiment: x, objective: objective, limits: limits, options: options, dir: dir}
	return t.run()
}

// options are those of all commands that run experiments, as far as they make sense here.
func (c *tuneCommand) options(e *environment) (*runOptions, error) {
	o := &runOptions{Set: c.Set, Quick: c.Quick, Seed: c.Seed, Resume: c.Resume, Workers: c.Workers}
	if c.Delay != "" {
		o.Set = append([]string{"network.delay=" + c.Delay}, o.Set...)
	}
	if c.Quick {
		sets, err := c.smaller(e)
		if err != nil {
			return nil, &experiment.UserError{Message: err.Error()}
		}
		o.Set = append(sets, o.Set...)
	}
	if c.Runs < 0 || c.Repeat < 1 {
		return nil, &experiment.UserError{Message: "there must be some runs"}
	}
	return o, o.check()
}

// objective is what counts: the preset's, or what the user says instead.
func (c *tuneCommand) objective(e *environment) (o tune.Objective, err error) {
	at := slices.IndexFunc(tune.Presets, func(p tune.Preset) bool { return p.Name == c.For })
	if at < 0 {
		var names []string
		for _, p := range tune.Presets {
			names = append(names, p.Name)
		}
		return o, &experiment.UserError{Where: "--for", Message: (&param.UnknownName{What: "kind of world", Name: c.For, Known: names}).Error()}
	}
	read := func(flag string, given, preset []string) (terms []tune.Term, err error) {
		if len(given) == 0 {
			given = preset
		}
		for _, text := range given {
			t, err := tune.ParseTerm(text, e.knownFigure)
			if err != nil {
				return nil, &experiment.UserError{Where: flag + " " + text, Message: err.Error()}
			}
			terms = append(terms, t)
		}
		return terms, nil
	}
	if o.Quality, err = read("--quality", c.Quality, tune.Presets[at].Quality); err != nil {
		return o, err
	}
	o.Cost, err = read("--cost", c.Cost, tune.Presets[at].Cost)
	return o, err
}

// experiment writes down everything that there is to choose between, as an experiment of which only some is run.
func (c *tuneCommand) experiment(e *environment, o *tune.Objective, limits []verdict.Limit) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %q\n", "What suits the world "+c.World)
	fmt.Fprintf(&b, "world: %q\nnetwork: %q\n", c.World, c.Network)
	b.WriteString("duration: 60s\nwarmup: 5s\nreplications: 1\ncases:\n")
	for _, m := range e.program.Mechanisms {
		chosen, err := e.program.Mechanism(m.Name)
		if err != nil {
			return "", err
		}
		if len(c.Mechanism) > 0 && !slices.Contains(c.Mechanism, m.Name) || session.CheckServable(chosen.Config) != nil {
			continue
		}
		fmt.Fprintf(&b, "  - {name: %q, set: {mechanism: %q}", m.Name, m.Name)
		dimensions, err := c.dimensions(chosen.Config)
		if err != nil {
			return "", err
		}
		if len(dimensions) > 0 {
			fmt.Fprintf(&b, ", sweep: {%s}", strings.Join(dimensions, ", "))
		}
		b.WriteString("}\n")
	}
	for _, name := range c.Mechanism {
		if m, err := e.program.Mechanism(name); err != nil {
			return "", &experiment.UserError{Where: "--mechanism", Message: err.Error()}
		} else if err := session.CheckServable(m.Config); err != nil {
			return "", &experiment.UserError{Where: "--mechanism", Message: name + ": " + err.Error()}
		}
	}
	figures := o.Figures()
	for _, l := range limits {
		figures = append(figures, l.Figure)
	}
	slices.Sort(figures)
	fmt.Fprintf(&b, "mechanism: %q\nmeasures: [%s]\n", e.program.Mechanisms[0].Name, strings.Join(slices.Compact(figures), ", "))
	b.WriteString("quick: {duration: 20s, warmup: 5s}\n")
	return b.String(), nil
}

// dimensions are what a mechanism has of what varies, with the values that it can take.
func (c *tuneCommand) dimensions(config any) (list []string, err error) {
	vary := c.Vary
	if len(vary) == 0 {
		vary = varied
	}
	for _, text := range vary {
		path, values, ok := strings.Cut(text, "=")
		path = strings.TrimSpace(path)
		name, ours := strings.CutPrefix(path, "mechanism.")
		inner, closed := strings.CutSuffix(strings.TrimPrefix(strings.TrimSpace(values), "["), "]")
		if !ok || !ours || !closed {
			return nil, &experiment.UserError{Where: "--vary " + text, Message: "wants a form such as mechanism.interval=[50ms,100ms]"}
		}
		if _, err := param.Lookup(config, name); err != nil {
			continue
		}
		before, err := param.Get(config, name)
		if err != nil {
			return nil, err
		}
		var possible []string
		var refused error
		for value := range strings.SplitSeq(inner, ",") {
			if err := param.Set(config, name, strings.TrimSpace(value)); err != nil {
				refused = errors.Join(refused, err)
				continue
			}
			possible = append(possible, strings.TrimSpace(value))
		}
		if err := param.Set(config, name, before.Text); err != nil {
			return nil, err
		}
		if len(c.Vary) > 0 && len(possible) == 0 {
			return nil, &experiment.UserError{Where: "--vary " + text, Message: refused.Error()}
		}
		if len(possible) > 1 {
			list = append(list, fmt.Sprintf("%q: [%s]", path, strings.Join(possible, ", ")))
		}
	}
	return list, nil
}

// tuning is a search under way.
type tuning struct {
	*environment
	command    *tuneCommand
	experiment *experiment.Experiment
	objective  tune.Objective
	limits     []verdict.Limit
	options    *runOptions
	dir        string
	sampling   *experiment.Sampling
}

func (t *tuning) run() error {
	pauses := lab.NewPauses(filepath.Join(t.dir, pausedFolder), thisProgram)
	if t.command.Resume {
		if err := pauses.Resume(); err != nil {
			return &experiment.UserError{Where: "--resume", Message: err.Error()}
		}
	} else if err := pauses.Discard(); err != nil {
		return err
	}
	trial, finish := untilFinished(t.worth(pauses.Trial(t.program.probes(t.experiment))))
	found, result := t.search(trial)
	var o *tuned
	var err error
	if found.Best >= 0 {
		o = t.outcome(&found)
		if !result.Interrupted {
			result.Interrupted, err = t.networks(o, trial)
		}
	}
	finish()
	if result.Interrupted {
		err = errors.Join(err, t.keep(pauses))
	} else {
		err = errors.Join(err, pauses.Discard())
	}
	switch {
	case err != nil:
		return err
	case o == nil && result.Interrupted:
		return t.verdict(result)
	case o == nil:
		return errors.Join(t.verdict(result), errors.New("no run had the figures that count"))
	}
	if err := t.report(o, result); err != nil || !result.Interrupted {
		return err
	}
	return t.verdict(result)
}

// worth adds what runs are worth to their figures.
func (t *tuning) worth(trial experiment.Trial) experiment.Trial {
	return func(ctx context.Context, s experiment.Setup) (experiment.Measures, error) {
		m, err := trial(ctx, s)
		if err != nil {
			return nil, err
		}
		quality, cost := t.objective.Worth(m)
		return append(slices.Clone(m), experiment.Measure{Name: "gain", Value: quality - cost},
			experiment.Measure{Name: "quality", Value: quality}, experiment.Measure{Name: "cost", Value: cost}), nil
	}
}

// runsLeast is how many runs there may be at least, where nobody says: where there is little to choose between all of it is tried.
const runsLeast = 60

// search runs what is worth running.
func (t *tuning) search(trial experiment.Trial) (tune.Found, *experiment.Result) {
	points := t.experiment.Points()
	var params [][]experiment.Param
	for _, p := range points {
		params = append(params, p.Params)
	}
	space := tune.NewSpace(params)
	plan := tune.Plan{Runs: t.command.Runs, Replications: t.command.Repeat}
	if plan.Runs == 0 {
		all := len(points) * plan.Replications
		plan.Runs = max(all/5, min(all, runsLeast))
	}
	t.sampling = t.experiment.Sample(trial, newProgress(t.stderr, t.experiment.Name))
	interrupted := false
	evaluate := func(candidates []int) (scores []tune.Score, ok bool) {
		var before []int
		for _, c := range candidates {
			before = append(before, t.sampling.Tried(c))
		}
		interrupted = t.sampling.More(t.ctx, candidates, t.options.Workers)
		for i, c := range candidates {
			if t.sampling.Tried(c) == before[i] {
				break // it was interrupted here: those before count
			}
			runs := t.sampling.Runs(c)
			if len(runs) < t.sampling.Tried(c) {
				scores = append(scores, t.objective.Score(nil, t.limits)) // it failed
				continue
			}
			scores = append(scores, t.objective.Score(runs[len(runs)-1].Measures, t.limits))
		}
		return scores, !interrupted
	}
	var found tune.Found
	if t.command.All {
		plan.Runs = len(points) * plan.Replications
		t.sampling.Expect(plan.Runs)
		found = tune.Exhaust(space, plan, evaluate)
	} else {
		t.sampling.Expect(plan.Runs)
		found = tune.Search(space, plan, evaluate)
	}
	return found, t.sampling.Result(interrupted)
}

package experiment

import (
	"slices"
	"strings"

	"throng/internal/param"
	"throng/world"
)

// plan is what an experiment says about its runs as such. It is a config like those of worlds and mechanisms.
type plan struct {
	Seed         int64      `param:"seed" default:"1" range:"0.." help:"what all randomness is derived from"`
	Duration     world.Time `param:"duration" default:"60s" range:"1ms..1000000s" help:"simulated time of one run"`
	Warmup       world.Time `param:"warmup" default:"0s" range:"0s.." help:"how much of it passes before measuring begins"`
	Replications int        `param:"replications" default:"1" range:"1..10000" help:"runs per point, each with its own seed"`

	Commands string `param:"commands" file:"true" help:"a recording whose users' actions are given again at the same times, in place of artificial players; its world and seed count"`

	Precision struct {
		Measure  string  `param:"measure" help:"run until this measure is known well enough, instead of replications"`
		Relative float64 `param:"relative" default:"5%" range:"0.0001..1" help:"wanted half-width of its 95% confidence interval over its mean"`
		Min      int     `param:"min" default:"3" range:"2..10000" help:"runs per point at least"`
		Max      int     `param:"max" default:"50" range:"2..10000" help:"runs per point at most"`
	} `param:"precision"`
}

var planKeys = []string{"seed", "duration", "warmup", "replications", "precision", "commands"}

// Fields describes the parameters of an experiment that are not about a world, a mechanism, a network or a host.
func Fields() []param.Field { return param.Describe(new(plan)) }

// plan takes over what is said about the runs as such.
func (l *loader) plan(e *Experiment, root *node) error {
	assignments, err := l.planned(root)
	if err != nil {
		return err
	}
	var p plan
	if err := param.Defaults(&p); err != nil {
		return err
	}
	given := places{}
	for _, a := range assignments {
		if a.path == "replications" {
			p.Precision.Measure = ""
			delete(given, "precision")
		} else if strings.HasPrefix(a.path, "precision.") {
			given["precision"] = a.at
		}
		given[a.path] = a.at
		if err := l.assign(&p, "", a); err != nil {
			return err
		}
	}
	if p.Warmup >= p.Duration {
		return given.last("warmup", "duration").errorf("a warmup of %s leaves nothing of a duration of %s", p.Warmup, p.Duration)
	}
	e.Seed, e.Duration, e.Warmup, e.Commands = uint64(p.Seed), p.Duration, p.Warmup, p.Commands

	at, precise := given["precision"]
	switch {
	case !precise:
		e.Replications = p.Replications
		return nil
	case p.Precision.Measure == "":
		return at.errorf("precision.measure is missing: which measure is to be precise?")
	case p.Precision.Max < p.Precision.Min:
		return given.last("precision.max", "precision.min").errorf(
			"precision.max, %d, is less than precision.min, %d", p.Precision.Max, p.Precision.Min)
	}
	precision := Precision(p.Precision)
	e.Precision = &precision
	return l.checkMeasure(precision.Measure, given["precision.measure"])
}

// planned collects the assignments to the plan: those of the file, then those of --set, which it takes out of l.settings.
func (l *loader) planned(root *node) ([]assignment, error) {
	written := &node{kind: mapNode}
	for _, key := range planKeys {
		value := root.get(key)
		if value == nil {
			continue
		}
		if key == "precision" {
			if err := value.want(mapNode, key); err != nil {
				return nil, err
			}
		}
		written = written.with(entry{key, value.at, value})
	}
	assignments, err := flatten("", written)
	if err != nil {
		return nil, err
	}
	for _, s := range l.settings {
		if s.plans() {
			assignments = append(assignments, assignment{s.paths[0], s.value, s.at})
		}
	}
	l.settings = slices.DeleteFunc(l.settings, setting.plans)
	return assignments, nil
}

// places remembers where values were given.
type places map[string]place

// last returns where one of these was given, preferring the command line, which had the last word.
func (p places) last(paths ...string) place {
	var found place
	for _, path := range paths {
		if at := p[path]; at.set != "" || found == (place{}) {
			found = at
		}
	}
	return found
}

func head(path string) string {
	head, _, _ := strings.Cut(path, ".")
	return head
}

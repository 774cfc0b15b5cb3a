package app

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"throng/internal/param"
	"throng/lab/experiment"
	"throng/lab/measure"
)

type explainCommand struct {
	Name string `arg:"" help:"An experiment, world, mechanism, network or measure; host for the simulated machines, run for what an experiment says of its runs."`
}

func (explainCommand) Help() string {
	return `Examples:
  throng explain optimistic
  throng explain spike
  throng explain divergence
  throng explain adam/delay`
}

func (c *explainCommand) Run(e *environment) error {
	space := e.program.space()
	for _, axis := range []struct {
		name    string
		entries []experiment.Entry
	}{{"world", space.Worlds}, {"mechanism", space.Mechanisms}, {"network", space.Networks}} {
		for _, entry := range axis.entries {
			if entry.Name == c.Name {
				fmt.Fprintf(e.stdout, "%s %s: %s\n", axis.name, entry.Name, entry.About)
				return e.parameters(axis.name+".", param.Describe(entry.New()))
			}
		}
	}
	switch c.Name {
	case "host":
		fmt.Fprintf(e.stdout, "host: %s\n", space.Host.About)
		return e.parameters("host.", param.Describe(space.Host.New()))
	case "run":
		fmt.Fprintln(e.stdout, "run: what an experiment says of its runs")
		return e.parameters("", experiment.Fields())
	}
	for _, m := range e.program.Measures {
		if m.Name == c.Name || contains(m, c.Name) {
			fmt.Fprintf(e.stdout, "measure %s: %s\n\nfigures:\n  %s\n", m.Name, m.About, strings.Join(m.Figures, "\n  "))
			return nil
		}
	}
	return e.explainExperiment(c.Name, space)
}

func contains(m measure.Entry, figure string) bool {
	for _, f := range m.Figures {
		if f == figure {
			return true
		}
	}
	return false
}

// describes reports whether a config has a parameter.
func describes(config any, path string) bool {
	_, err := param.Lookup(config, path)
	return err == nil
}

// parameters prints every parameter with its default, range and effect.
func (e *environment) parameters(prefix string, fields []param.Field) error {
	if len(fields) == 0 {
		fmt.Fprintln(e.stdout, "\nIt has no parameters.")
		return nil
	}
	fmt.Fprintln(e.stdout)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "parameter\tdefault\tallowed\teffect")
	for _, f := range fields {
		fmt.Fprintf(w, "%s%s\t%s\t%s\t%s\n", prefix, f.Path, f.Default, allowed(f), f.Help)
	}
	return w.Flush()
}

// allowed is what a parameter may be.
func allowed(f param.Field) string {
	if len(f.Options) > 0 {
		return strings.Join(f.Options, "|")
	}
	return f.Range
}

// explainExperiment prints what an experiment does before anybody runs it.
func (e *environment) explainExperiment(name string, space experiment.Space) error {
	x, err := experiment.Load(e.source(), name, experiment.Options{}, space)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s: %s\n", x.Name, x.Title)
	if x.Source != "" {
		fmt.Fprintf(e.stdout, "(%s)\n", x.Source)
	}
	if x.About != "" {
		fmt.Fprintf(e.stdout, "\n%s\n", x.About)
	}
	points := x.Points()
	fmt.Fprintf(e.stdout, "\n%d points, %v of simulated time each, %s\n", len(points), x.Duration, runsOf(x))
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  %s\n", strings.Join(x.Varying, "\t"))
	for _, p := range points {
		var row []string
		for _, v := range p.Params {
			row = append(row, v.Value)
		}
		fmt.Fprintf(w, "  %s\n", strings.Join(row, "\t"))
	}
	return w.Flush()
}

func runsOf(x *experiment.Experiment) string {
	if p := x.Precision; p != nil {
		return fmt.Sprintf("until %s is known to %.3g%% (%d to %d runs)", p.Measure, 100*p.Relative, p.Min, p.Max)
	}
	return fmt.Sprintf("%d runs", x.Replications)
}

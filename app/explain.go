//go:build !js

package app

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/lab/experiment"
	"throng/lab/measure"
)

type explainCommand struct {
	Name string `arg:"" help:"An experiment (also as the path of its .yaml file), world, mechanism, network, measure or parameter; host for the simulated machines, churn for who comes, goes and fails, run for what an experiment says of its runs."`
}

func (explainCommand) Help() string {
	return `Examples:
  throng explain optimistic
  throng explain spike
  throng explain packets.sent
  throng explain link.timeout
  throng explain adam/delay`
}

func (c *explainCommand) Run(e *environment) error {
	var found []func() error // a mechanism and a measure may have the same name
	for _, o := range e.program.owners() {
		if o.name == c.Name {
			found = append(found, func() error {
				fmt.Fprintf(e.stdout, "%s: %s\n", o, o.about)
				return e.parameters(o.prefix(), o.fields)
			})
		}
	}
	for _, m := range e.measuresCalled(c.Name) {
		found = append(found, func() error {
			_, err := fmt.Fprintf(e.stdout, "measure %s: %s\n\nfigures:\n  %s\n", m.Name, m.About, strings.Join(m.Figures, "\n  "))
			return err
		})
	}
	for i, explain := range found {
		if i > 0 {
			fmt.Fprintln(e.stdout)
		}
		if err := explain(); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return nil
	}
	if of := e.program.havingParameter(c.Name); len(of) > 0 {
		return e.explainParameter(c.Name, of)
	}
	if err := e.checkExperiment(c.Name); err != nil {
		return err
	}
	return e.explainExperiment(c.Name)
}

// measuresCalled lists the measures of a name, and those with a figure of that name; if there are none, those with figures whose
// names begin so, as packets.sent does with packets.
func (e *environment) measuresCalled(name string) (called []measure.Entry) {
	var begin []measure.Entry
	for _, m := range e.program.Measures {
		switch {
		case m.Name == name || slices.Contains(m.Figures, name):
			called = append(called, m)
		case slices.ContainsFunc(m.Figures, func(figure string) bool { return strings.HasPrefix(figure, name+".") }):
			begin = append(begin, m)
		}
	}
	if len(called) == 0 {
		return begin
	}
	return called
}

// checkExperiment complains about a name that is not even that of an experiment.
func (e *environment) checkExperiment(name string) error {
	sections, err := e.sections()
	if err != nil {
		return err
	}
	known := []string{hostName, churnName, runName}
	for _, s := range sections {
		for _, row := range s.rows {
			known = append(known, row[0])
		}
	}
	for _, m := range e.program.Measures {
		known = append(known, m.Figures...)
	}
	if slices.Contains(known, name) || path.Ext(name) == ".yaml" {
		return nil
	}
	if near := param.Nearest(name, known); near != "" {
		return &experiment.UserError{Message: fmt.Sprintf("nothing is called %q; did you mean %q?", name, near)}
	}
	return &experiment.UserError{Message: fmt.Sprintf("nothing is called %q; throng list shows what there is", name)}
}

// parameters prints every parameter with its default, range and effect.
func (e *environment) parameters(prefix string, fields []param.Field) error {
	fmt.Fprintln(e.stdout)
	if len(fields) == 0 {
		_, err := fmt.Fprintln(e.stdout, "It has no parameters.")
		return err
	}
	var t table
	t.add("parameter", "default", "unit", "allowed", "effect")
	for _, f := range fields {
		name := prefix + f.Path
		if f.Keys {
			name += ".KEY"
		}
		t.add(name, f.Default, unitOf(f), allowed(f), f.Help)
	}
	return t.write(e.stdout, terminalWidth(e.stdout))
}

// unitOf is what a number counts, where that is not written with the number as in 100ms or 64KiB.
func unitOf(f param.Field) string {
	switch f.Unit {
	case "s", "B", "bit/s":
		return ""
	}
	return f.Unit
}

// allowed is what a parameter may be.
func allowed(f param.Field) string {
	if len(f.Options) > 0 {
		return strings.Join(f.Options, "|")
	}
	return f.Range
}

// explainExperiment prints what an experiment does before anybody runs it.
func (e *environment) explainExperiment(name string) error {
	x, err := experiment.Load(e.source(), name, experiment.Options{}, e.program.space())
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
	var t table
	t.add("")
	for _, axis := range []struct {
		name string
		of   func(experiment.Setup) string
	}{
		{"world", func(s experiment.Setup) string { return s.World.Name }},
		{"mechanism", func(s experiment.Setup) string { return s.Mechanism.Name }},
		{"network", func(s experiment.Setup) string { return s.Network.Name }},
	} {
		t.add(axis.name, strings.Join(distinct(points, func(p experiment.Point) string { return axis.of(p.Setup) }), ", "))
	}
	t.add("duration", fmt.Sprintf("%v of simulated time, of which the first %v are not measured", x.Duration, x.Warmup))
	t.add("points", fmt.Sprintf("%d, each with %s", len(points), runsOf(x)))
	if len(x.Measures) > 0 {
		t.add("shown", strings.Join(x.Measures, ", "))
	}
	if len(x.Varying) > 0 {
		t.add("")
		t.add("what varies:")
		addVarying(&t, x, points)
	}
	return t.write(e.stdout, terminalWidth(e.stdout))
}

// addVarying lists the values of everything that varies; for a case with what it stands for.
func addVarying(t *table, x *experiment.Experiment, points []experiment.Point) {
	for _, path := range x.Varying {
		if path == "case" {
			for _, c := range x.Cases {
				t.add(columnGap+"case "+c.Name, paramText(c.Set))
			}
			continue
		}
		values := strings.Join(distinct(points, func(p experiment.Point) string { return valueOf(p, path) }), ", ")
		without := func(p experiment.Point) bool { return valueOf(p, path) == "" }
		if with := slices.DeleteFunc(slices.Clone(points), without); len(with) < len(points) {
			cases := distinct(with, func(p experiment.Point) string { return valueOf(p, "case") })
			values += " (only " + strings.Join(cases, ", ") + ")"
		}
		t.add(columnGap+path, values)
	}
}

// paramText writes parameters as a user would give them.
func paramText(params []experiment.Param) string {
	return strings.Join(experiment.Assignments(params), " ")
}

// valueOf is a varying parameter of a point, or "" if the point lacks it.
func valueOf(p experiment.Point, path string) string {
	for _, v := range p.Params {
		if v.Path == path {
			return v.Value
		}
	}
	return ""
}

// distinct lists what points have, each value once and none for those that have nothing.
func distinct(points []experiment.Point, of func(experiment.Point) string) (values []string) {
	for _, p := range points {
		if v := of(p); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

func runsOf(x *experiment.Experiment) string {
	if p := x.Precision; p != nil {
		return fmt.Sprintf("%d to %d runs, until %s is known to %.3g%%", p.Min, p.Max, p.Measure, 100*p.Relative)
	}
	if x.Replications == 1 {
		return "one run"
	}
	return fmt.Sprintf("%d runs", x.Replications)
}

//go:build !js

package app

import (
	"fmt"
	"strings"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/experiment"
	"throng/lab/sim"
)

// The names that explain knows beside those in the lists.
const (
	hostName  = "host"
	churnName = "churn"
	runName   = "run"
)

// owner is something that has parameters.
type owner struct {
	axis        string // "world", "mechanism" or "network"; empty for the host, churn and the run
	name, about string
	config      any // what the fields are of, where that is known
	fields      []param.Field
}

func newOwner(axis, name, about string, config any) owner {
	return owner{axis, name, about, config, param.Describe(config)}
}

// owners lists everything that has parameters.
func (p *Program) owners() (all []owner) {
	for _, w := range p.Worlds {
		all = append(all, newOwner("world", w.Name, w.About, w.New()))
	}
	for _, m := range p.Mechanisms {
		all = append(all, newOwner("mechanism", m.Name, m.About, m.New()))
	}
	for _, n := range p.Networks {
		all = append(all, newOwner("network", n.Name, n.Help, n.Config()))
	}
	return append(all,
		newOwner("", hostName, "the machines that nodes run on", new(sim.Config)),
		newOwner("", churnName, "who comes, goes and fails, and when", new(churn.Config)),
		owner{name: runName, about: "what an experiment says of its runs", fields: experiment.Fields()})
}

func (o owner) String() string {
	if o.axis == "" {
		return o.name
	}
	return o.axis + " " + o.name
}

// prefix is what stands before the owner's parameters in an experiment.
func (o owner) prefix() string {
	switch {
	case o.axis != "":
		return o.axis + "."
	case o.name == hostName, o.name == churnName:
		return o.name + "."
	}
	return ""
}

// havingParameter lists what has a parameter of a name, with that parameter alone. The name may lack what stands before it in
// an experiment.
func (p *Program) havingParameter(name string) (all []owner) {
	for _, o := range p.owners() {
		for _, f := range o.fields {
			if name == f.Path || name == o.prefix()+f.Path {
				o.fields = []param.Field{f}
				all = append(all, o)
				break
			}
		}
		if f, ok := param.DescribeKeyed(o.config, strings.TrimPrefix(name, o.prefix())); ok {
			o.fields = []param.Field{f}
			all = append(all, o)
		}
	}
	return all
}

// explainParameter prints what a parameter does in everything that has it.
func (e *environment) explainParameter(name string, of []owner) error {
	fmt.Fprintf(e.stdout, "parameter %s\n\n", name)
	var t table
	t.add("of", "default", "unit", "allowed", "effect")
	for _, o := range of {
		f := o.fields[0]
		t.add(o.String(), f.Default, unitOf(f), allowed(f), f.Help)
	}
	return t.write(e.stdout, terminalWidth(e.stdout))
}

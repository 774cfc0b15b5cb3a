//go:build !js

package app

import (
	"fmt"

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
	fields      []param.Field
}

// owners lists everything that has parameters.
func (p *Program) owners() (all []owner) {
	for _, w := range p.Worlds {
		all = append(all, owner{"world", w.Name, w.About, param.Describe(w.New())})
	}
	for _, m := range p.Mechanisms {
		all = append(all, owner{"mechanism", m.Name, m.About, param.Describe(m.New())})
	}
	for _, n := range p.Networks {
		all = append(all, owner{"network", n.Name, n.Help, param.Describe(n.Config())})
	}
	return append(all,
		owner{"", hostName, "the machines that nodes run on", param.Describe(new(sim.Config))},
		owner{"", churnName, "who comes, goes and fails, and when", param.Describe(new(churn.Config))},
		owner{"", runName, "what an experiment says of its runs", experiment.Fields()})
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

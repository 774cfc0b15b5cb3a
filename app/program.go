package app

import (
	"slices"

	"throng/catalog"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
)

// Program is what a command line offers: everything there is to run, and what runs are measured by.
type Program struct {
	catalog.Catalog
	Measures []measure.Entry
}

// Default is throng as it comes. A program of its own adds to it.
func Default() Program {
	return Program{Catalog: catalog.Default(), Measures: measure.All()}
}

// space is the program's catalog as the parameters that experiments can set.
func (p *Program) space() experiment.Space {
	space := experiment.Space{Host: experiment.Entry{Name: "host", About: "the machines that nodes run on",
		New: func() any { return catalog.Defaults(new(sim.Config)) }}}
	for _, w := range p.Worlds {
		space.Worlds = append(space.Worlds, experiment.Entry{Name: w.Name, About: w.About,
			New: func() any { return catalog.Defaults(w.New()) }})
	}
	for _, m := range p.Mechanisms {
		space.Mechanisms = append(space.Mechanisms, experiment.Entry{Name: m.Name, About: m.About,
			New: func() any { return catalog.Defaults(m.New()) }})
	}
	for _, n := range p.Networks {
		space.Networks = append(space.Networks, experiment.Entry{Name: n.Name, About: n.Help,
			New: func() any { return catalog.Defaults(n.Config()) }})
	}
	for _, m := range p.Measures {
		space.Measures = append(space.Measures, m.Figures...)
	}
	return space
}

// probes are what an experiment is measured by: of throng's own those that it asks for, and all that a program has added.
func (p *Program) probes(x *experiment.Experiment) []measure.Entry {
	asked := x.Asked()
	if asked == nil {
		return p.Measures
	}
	for _, m := range p.Measures {
		if !usual(m.Name) {
			asked = append(asked, m.Figures...)
		}
	}
	return measure.Reporting(p.Measures, asked)
}

// usual reports whether a measure is among those that throng comes with.
func usual(name string) bool {
	return slices.ContainsFunc(measure.All(), func(m measure.Entry) bool { return m.Name == name })
}

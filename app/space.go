//go:build !js

package app

import (
	"slices"

	"throng/lab/experiment"
	"throng/lab/measure"
)

// measures are what runs are measured by.
func measures() []measure.Entry { return measure.All() }

// space is what experiments can be about.
func (p *Program) space() experiment.Space {
	space := experiment.Space{Catalog: p.Catalog, Groups: map[string][]string{}}
	for _, m := range p.Measures {
		space.Measures = append(space.Measures, m.Figures...)
		space.Groups[m.Name] = m.Figures
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

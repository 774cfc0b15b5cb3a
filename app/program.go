package app

import (
	"slices"

	"throng/catalog"
	"throng/lab/measure"
)

// Program is what a command line offers: everything there is to run, and what runs are measured by.
type Program struct {
	catalog.Catalog
	Measures []measure.Entry
	Hooks    Hooks // what the program wants to hear of while it serves a world

	source string // the folder of the main package, if the program knows it
}

// Default is throng as it comes. A program of its own adds to it.
func Default() Program {
	return Program{Catalog: catalog.Default(), Measures: measures()}
}

// definition says what a figure is, as far as the measure that it belongs to does.
func (p Program) definition(figure string) string {
	for _, m := range p.Measures {
		if slices.Contains(m.Figures, figure) {
			return m.About
		}
	}
	return ""
}

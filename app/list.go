package app

import (
	"fmt"
	"io"
	"text/tabwriter"
)

type listCommand struct {
	What string `arg:"" optional:"" enum:",experiments,worlds,mechanisms,networks,measures" default:"" help:"Only experiments, worlds, mechanisms, networks or measures."`
}

func (listCommand) Help() string {
	return `Examples:
  throng list
  throng list experiments`
}

// section is one part of the list: names with what they are.
type section struct {
	title string
	rows  [][2]string
}

func (c *listCommand) Run(e *environment) error {
	sections, err := e.sections()
	if err != nil {
		return err
	}
	first := true
	for _, s := range sections {
		if c.What != "" && c.What != s.title {
			continue
		}
		if !first {
			fmt.Fprintln(e.stdout)
		}
		first = false
		if err := s.print(e.stdout); err != nil {
			return err
		}
	}
	return nil
}

func (e *environment) sections() ([]section, error) {
	experiments := section{title: "experiments"}
	names, err := e.source().Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		title, err := e.source().Title(name)
		if err != nil {
			return nil, err
		}
		experiments.rows = append(experiments.rows, [2]string{name, title})
	}
	worlds, mechanisms := section{title: "worlds"}, section{title: "mechanisms"}
	networks, measures := section{title: "networks"}, section{title: "measures"}
	for _, w := range e.program.Worlds {
		worlds.rows = append(worlds.rows, [2]string{w.Name, w.About})
	}
	for _, m := range e.program.Mechanisms {
		mechanisms.rows = append(mechanisms.rows, [2]string{m.Name, m.About})
	}
	for _, n := range e.program.Networks {
		networks.rows = append(networks.rows, [2]string{n.Name, n.Help})
	}
	for _, m := range e.program.Measures {
		measures.rows = append(measures.rows, [2]string{m.Name, m.About})
	}
	return []section{experiments, worlds, mechanisms, networks, measures}, nil
}

func (s *section) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, s.title)
	for _, row := range s.rows {
		fmt.Fprintf(w, "  %s\t%s\n", row[0], row[1])
	}
	return w.Flush()
}

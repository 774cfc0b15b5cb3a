//go:build !js

package app

import (
	"throng/internal/param"
	"throng/lab/experiment"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"Only experiments, worlds, mechanisms, networks or measures."`
}

func (listCommand) Help() string {
	return `Examples:
  throng list
  throng list experiments`
}

func (c *listCommand) Run(e *environment) error {
	sections, err := e.sections()
	if err != nil {
		return err
	}
	var t table
	if c.What == "" {
		for _, s := range sections {
			t.add(s.title)
			s.addTo(&t, columnGap)
			t.add("")
		}
		t.add("throng explain NAME says more about each.")
		return t.write(e.stdout, terminalWidth(e.stdout))
	}
	var titles []string
	for _, s := range sections {
		titles = append(titles, s.title)
		if s.title == c.What {
			s.addTo(&t, "")
			return t.write(e.stdout, terminalWidth(e.stdout))
		}
	}
	return unknown("list", c.What, titles)
}

// section is one part of the list: names with what they are.
type section struct {
	title string
	rows  [][2]string
}

func (s *section) addTo(t *table, indent string) {
	for _, row := range s.rows {
		t.add(indent+row[0], row[1])
	}
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

// unknown complains about a name that does not exist.
func unknown(what, name string, known []string) error {
	return &experiment.UserError{Message: (&param.UnknownName{What: what, Name: name, Known: known}).Error()}
}

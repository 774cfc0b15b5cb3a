//go:build !js

package app

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"throng/lab/experiment"
	"throng/live/cluster"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

type dataCommand struct {
	Inspect dataInspect `cmd:"" help:"Say which world a folder holds, and how far each process had come."`
	Verify  dataVerify  `cmd:"" help:"Read everything that a folder holds, and check that processes agree."`
	Export  dataExport  `cmd:"" help:"Print all objects of the world as JSON, one in a line."`
}

func (dataCommand) Help() string {
	return `The folder is that of throng serve --data. Nobody may be using it meanwhile.

Examples:
  throng data inspect world
  throng data verify world
  throng data export world`
}

type dataInspect struct {
	Dir string `arg:"" type:"path" help:"The folder."`
}

type dataVerify struct {
	Dir string `arg:"" type:"path" help:"The folder."`
}

type dataExport struct {
	Dir string `arg:"" type:"path" help:"The folder."`
}

func (dataInspect) Help() string {
	return `The time, the entries agreed on and the objects are those that are certain to have been agreed on when the process ended.

Examples:
  throng data inspect world`
}

func (dataVerify) Help() string {
	return `The snapshot and the log of every process are read and carried out. Nothing is changed.

Examples:
  throng data verify world`
}

func (dataExport) Help() string {
	return `Objects are those of the process that had come furthest, with what they have by its name.

Examples:
  throng data export world`
}

// copies reads a folder.
func (e *environment) copies(dir string) ([]*cluster.Copy, error) {
	copies, err := cluster.Inspect(dir, e.program.Catalog)
	if err != nil {
		return nil, &experiment.UserError{Message: err.Error()}
	}
	return copies, nil
}

func (c *dataInspect) Run(e *environment) error {
	copies, err := e.copies(c.Dir)
	if err != nil {
		return err
	}
	d := copies[0].Description
	fmt.Fprintf(e.stdout, "%s, shared by %s, seed %d\n", d.World.Name, d.Mechanism.Name, d.Seed)
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "folder\tprocess\tthe world's time\tentries agreed on\tin the log\tseats\tobjects")
	for _, x := range copies {
		fmt.Fprintf(t, "%s\t%d\t%v\t%d\t%d\t%d\t%d\n", x.Dir, x.Process, time.Duration(x.Time).Round(time.Millisecond), x.Applied, x.Entries, x.Seats, len(objects(x)))
	}
	return t.Flush()
}

func (c *dataVerify) Run(e *environment) error {
	copies, err := e.copies(c.Dir)
	if err != nil {
		return err
	}
	for _, x := range copies {
		for _, y := range copies {
			if x.Applied == y.Applied && (x.Time != y.Time || !same(objects(x), objects(y))) {
				return &experiment.UserError{Message: fmt.Sprintf("%s and %s differ, though both end with entry %d", x.Dir, y.Dir, x.Applied)}
			}
		}
	}
	fmt.Fprintf(e.stdout, "%d processes' data can be read, and they agree.\n", len(copies))
	return nil
}

func same(a, b []world.Object) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (c *dataExport) Run(e *environment) error {
	copies, err := e.copies(c.Dir)
	if err != nil {
		return err
	}
	latest := copies[0]
	for _, x := range copies {
		if x.Applied > latest.Applied {
			latest = x
		}
	}
	schema := latest.World.Schema()
	encoder := json.NewEncoder(e.stdout)
	for _, o := range objects(latest) {
		if err := encoder.Encode(exported(schema, &o)); err != nil {
			return err
		}
	}
	return nil
}

// objects are those that servers answer for, where they hold any.
func objects(c *cluster.Copy) (list []world.Object) {
	for _, n := range c.Nodes {
		a, ok := n.(mechanism.Authority)
		if !ok {
			continue
		}
		for o := range a.Held().All() {
			if a.Owns(o.ID) {
				list = append(list, *o)
			}
		}
	}
	return list
}

// exported is an object by the names of what it has.
func exported(s *world.Schema, o *world.Object) map[string]any {
	kind := &s.Kinds[o.Kind]
	m := map[string]any{"id": o.ID, "kind": kind.Name}
	if o.User != 0 {
		m["user"] = o.User
	}
	for i := range kind.Variables {
		v := &kind.Variables[i]
		if value := o.Get(v.Slot); v.Type == world.Fixed {
			m[v.Name] = float64(value) / float64(fixed.One)
		} else {
			m[v.Name] = value
		}
	}
	return m
}

//go:build !js

package app

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"throng/internal/param"
	"throng/lab/experiment"
)

type compareCommand struct {
	World   string `default:"swarm" placeholder:"NAME" help:"The world to share. Default: swarm."`
	Network string `default:"spike" placeholder:"NAME" help:"The network between the hosts. Default: spike."`
	Delay   string `placeholder:"TIME" help:"The network's mean delay. Default: the network's own."`
	runOptions
}

func (compareCommand) Help() string {
	return `Every mechanism runs with its defaults; --set changes a parameter for those that have it.

Examples:
  throng compare --world swarm --quick
  throng compare --world pong --network exponential --delay 50ms --set 'mechanism.local-lag=[0ms,50ms]'`
}

func (c *compareCommand) Run(e *environment) error {
	if err := c.check(e); err != nil {
		return err
	}
	options := c.runOptions
	if c.Delay != "" {
		options.Set = append([]string{"network.delay=" + c.Delay}, options.Set...)
	}
	err := e.run(experiment.Source{BuiltIn: oneFile(c.experiment(e))}, "compare/"+c.World, &options)
	return asFlag(err, "network.delay", "--delay", c.Delay)
}

// check finds mistakes in the flags, which would otherwise be told as mistakes in a file that the user did not write.
func (c *compareCommand) check(e *environment) error {
	if _, err := e.program.World(c.World); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if _, err := e.program.Network(c.Network); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	return c.checkDelay(e)
}

// checkDelay says which networks have a delay, if the chosen one has none.
func (c *compareCommand) checkDelay(e *environment) error {
	var delayed []string
	for _, n := range e.program.Networks {
		if slices.ContainsFunc(param.Describe(n.Config()), func(f param.Field) bool { return f.Path == "delay" }) {
			delayed = append(delayed, n.Name)
		}
	}
	if c.Delay == "" || slices.Contains(delayed, c.Network) {
		return nil
	}
	return &experiment.UserError{Where: "--delay", Message: fmt.Sprintf("the network %s has no mean delay to set; these have: %s",
		c.Network, strings.Join(delayed, ", "))}
}

// experiment writes the comparison down as an experiment.
func (c *compareCommand) experiment(e *environment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %q\n", "The world "+c.World+" under every mechanism")
	b.WriteString("about: Every mechanism that can run the world, side by side on the same measures.\n")
	fmt.Fprintf(&b, "world: %q\nmechanism: %q\nnetwork: %q\n", c.World, e.program.Mechanisms[0].Name, c.Network)
	b.WriteString("duration: 1000s\nwarmup: 10s\nreplications: 7\ncases:\n")
	for _, m := range e.program.Mechanisms {
		fmt.Fprintf(&b, "  - {name: %q, set: {mechanism: %q}}\n", m.Name, m.Name)
	}
	shown := e.compared()
	fmt.Fprintf(&b, "measures: [%s]\nplots:\n", strings.Join(shown, ", "))
	for _, y := range shown {
		fmt.Fprintf(&b, "  - {x: case, y: %s, title: %q}\n", y, y)
	}
	b.WriteString("quick: {duration: 60s, replications: 3}\n")
	return b.String()
}

// compared is what a comparison shows: of throng's own figures the most telling ones, and all that a program has added.
func (e *environment) compared() []string {
	telling := []string{"divergence", "discontinuity", "drift", "score", "response.mean", "observation.mean",
		"packets.sent", "bytes.sent", "work", "memory"}
	var shown []string
	for _, m := range e.program.Measures {
		for _, figure := range m.Figures {
			if slices.Contains(telling, figure) || !usual(m.Name) {
				shown = append(shown, figure)
			}
		}
	}
	return shown
}

// oneFile is a file system with one text in it, whatever file is asked for.
type oneFile string

func (f oneFile) Open(name string) (fs.File, error) {
	return &openFile{Reader: strings.NewReader(string(f)), name: name, size: int64(len(f))}, nil
}

type openFile struct {
	*strings.Reader
	name string
	size int64
}

func (f *openFile) Stat() (fs.FileInfo, error) { return fileInfo{f.name, f.size}, nil }
func (f *openFile) Close() error               { return nil }

type fileInfo struct {
	name string
	size int64
}

func (i fileInfo) Name() string     { return i.name }
func (i fileInfo) Size() int64      { return i.size }
func (fileInfo) Mode() fs.FileMode  { return 0o444 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }

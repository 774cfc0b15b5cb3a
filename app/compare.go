//go:build !js

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"throng/internal/param"
	"throng/lab/experiment"
	"throng/lab/verdict"
	"throng/live/session"
	"throng/world"
)

// worldOptions are what commands have in common that run a world of their own choice under several mechanisms.
type worldOptions struct {
	World   string   `default:"swarm" placeholder:"NAME" help:"The world to share. Default: ${default}."`
	Network string   `default:"spike" placeholder:"NAME" help:"The network between the hosts. Default: ${default}."`
	Delay   string   `placeholder:"TIME" help:"The network's mean delay. Default: the network's own."`
	Limit   []string `short:"l" sep:"none" placeholder:"FIGURE<VALUE" help:"What a mechanism has to keep within, such as response.p90<120ms or bytes.sent<20KB/s; > for at least. May be given several times. See throng list measures."`
}

type compareCommand struct {
	worldOptions
	runOptions
}

func (compareCommand) Help() string {
	return `Every mechanism runs with its defaults; --set changes a parameter for those that have it. All share the seeds of their runs, so that they are
compared run by run: what is best by each figure, by how much, and how sure that is. With limits it says which keep within them.

With --quick the world has a few users only, where that is for its parameters to say, and runs are short.

Examples:
  throng compare --world swarm --quick
  throng compare --world crowd --quick --limit 'response.p90<120ms' --limit 'bytes.sent<20KB/s'
  throng compare --world pong --network exponential --delay 50ms --set 'mechanism.local-lag=[0ms,50ms]'`
}

func (c *compareCommand) Run(e *environment) error {
	if err := c.checkWorld(e); err != nil {
		return err
	}
	limits, err := c.limits(e)
	if err != nil {
		return err
	}
	options := c.runOptions
	if c.Delay != "" {
		options.Set = append([]string{"network.delay=" + c.Delay}, options.Set...)
	}
	if c.Quick {
		sets, err := c.smaller(e)
		if err != nil {
			return &experiment.UserError{Message: err.Error()}
		}
		options.Set = append(sets, options.Set...)
	}
	options.judge = func(r *experiment.Result) *verdict.Verdict { return e.judge(r, limits) }
	err = e.run(experiment.Source{BuiltIn: oneFile(c.experiment(e, limits))}, "compare/"+c.World, &options)
	return asFlag(err, "network.delay", "--delay", c.Delay)
}

// knownFigure says what is wrong with the name of a figure.
func (e *environment) knownFigure(figure string) error {
	figures := e.program.space().Measures
	if slices.Contains(figures, figure) {
		return nil
	}
	return errors.New(param.UnknownKey(figure, param.Nearest(figure, figures), figures))
}

// limits reads what mechanisms have to keep within.
func (c *worldOptions) limits(e *environment) (list []verdict.Limit, err error) {
	for _, text := range c.Limit {
		l, err := verdict.ParseLimit(text, e.knownFigure)
		if err != nil {
			return nil, &experiment.UserError{Where: "--limit " + text, Message: err.Error()}
		}
		list = append(list, l)
	}
	return list, nil
}

const (
	// quickUsers is how many users there are in a quick comparison, where a world can have so many.
	quickUsers = 8

	// quickLoad is how many objects may take a step in a second of a quick comparison; where there are more, runs are shorter. quickLeast is the shortest.
	quickLoad  = 4000
	quickLeast = 4 * world.Second
	quickMost  = 20 * world.Second
)

// smaller has a world have a few users, and runs be short, so that a comparison takes seconds. It says so.
func (c *worldOptions) smaller(e *environment) (sets []string, err error) {
	chosen, err := e.program.World(c.World)
	if err != nil {
		return nil, err
	}
	w, err := chosen.Build()
	if err != nil {
		return nil, err
	}
	if path := populationOf(chosen.Config); path != "" && w.Users() > quickUsers {
		if err := param.Set(chosen.Config, path, strconv.Itoa(quickUsers)); err != nil {
			return nil, err
		}
		sets = append(sets, fmt.Sprintf("world.%s=%d", path, quickUsers))
		fmt.Fprintf(e.stderr, "throng: quick: %d users instead of %d\n", quickUsers, w.Users())
		if w, err = chosen.Build(); err != nil {
			return nil, err
		}
	}
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	load := world.Time(start.Len()) * world.Second / w.Schema().Tick
	if duration := max(quickMost*quickLoad/max(load, 1), quickLeast) / world.Second * world.Second; duration < quickMost {
		sets = append(sets, "duration="+duration.String(), "warmup="+(duration/4).String())
		fmt.Fprintf(e.stderr, "throng: quick: runs of %v, since there are %d objects\n", duration, start.Len())
	}
	return sets, nil
}

// judge says which mechanisms keep within the limits, and which are best by what.
func (e *environment) judge(r *experiment.Result, limits []verdict.Limit) *verdict.Verdict {
	bound := func(p *experiment.PointResult) bool {
		for _, q := range p.All {
			if q.Path != "mechanism" {
				continue
			}
			m, err := e.program.Mechanism(q.Value)
			return err == nil && session.CheckServable(m.Config) != nil
		}
		return false
	}
	return verdict.Judge(r, limits, bound, func(figure string) bool { return figure == "score" })
}

// checkWorld finds mistakes in the flags, which would otherwise be told as mistakes in a file that the user did not write.
func (c *worldOptions) checkWorld(e *environment) error {
	if _, err := e.program.World(c.World); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if _, err := e.program.Network(c.Network); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	return c.checkDelay(e)
}

// checkDelay says which networks have a delay, if the chosen one has none.
func (c *worldOptions) checkDelay(e *environment) error {
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
func (c *compareCommand) experiment(e *environment, limits []verdict.Limit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %q\n", "The world "+c.World+" under every mechanism")
	b.WriteString("about: Every mechanism that can run the world, side by side on the same measures.\n")
	fmt.Fprintf(&b, "world: %q\nmechanism: %q\nnetwork: %q\n", c.World, e.program.Mechanisms[0].Name, c.Network)
	b.WriteString("duration: 1000s\nwarmup: 10s\nreplications: 7\ncases:\n")
	for _, m := range e.program.Mechanisms {
		fmt.Fprintf(&b, "  - {name: %q, set: {mechanism: %q}}\n", m.Name, m.Name)
	}
	shown := e.compared()
	for _, l := range limits {
		if !slices.Contains(shown, l.Figure) {
			shown = append(shown, l.Figure)
		}
	}
	fmt.Fprintf(&b, "measures: [%s]\nplots:\n", strings.Join(shown, ", "))
	for _, y := range shown {
		fmt.Fprintf(&b, "  - {x: case, y: %s, title: %q}\n", y, y)
	}
	b.WriteString("quick: {duration: 20s, warmup: 5s, replications: 3}\n")
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

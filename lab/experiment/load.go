package experiment

import (
	"slices"
	"strings"

	"throng/world"
)

// Experiment is an experiment that is known to be runnable: every parameter of every point has been checked.
type Experiment struct {
	Name   string // as `throng run` knows it
	Title  string
	About  string
	Source string // where it comes from; may be empty
	Quick  bool

	Seed         uint64
	Duration     world.Time
	Warmup       world.Time
	Replications int        // 0 if Precision decides
	Precision    *Precision // nil if Replications decides
	Commands     string     // a recording whose actions are given again; empty for artificial players

	Varying  []string // what tells the points apart, in order
	Cases    []Case
	Measures []string // what tables show; empty means everything
	Plots    []Plot

	points []point
}

// Options are what the command line says about how to read an experiment.
type Options struct {
	Quick bool
	Set   []string // path=value
	Event []string // statements that every point has beside its own; see package churn

	Measures []string // what tables show instead of what the experiment says, if anything
}

// The keys of an experiment, apart from the axes and those of plan.
var (
	describing = []string{"title", "about", "source"}
	structured = []string{"extends", "cases", "sweep", "measures", "plots", "quick", eventsKey}
)

// eventsKey is a shorter way to write churn.events.
const eventsKey = "events"

func axisNames() []string {
	var names []string
	for _, a := range axes {
		names = append(names, string(a))
	}
	return names
}

// Load reads an experiment by its name, or by the path of its file if that ends in .yaml. Whatever is wrong with what
// the user wrote is a [*UserError].
func Load(source Source, name string, opts Options, space Space) (*Experiment, error) {
	l := loader{source: source, space: space}
	file, err := source.find(name, place{})
	if err != nil {
		return nil, err
	}
	root, err := l.file(file, place{}, nil)
	if err != nil {
		return nil, err
	}
	l.at = place{file: file}
	if quick := root.get("quick"); quick != nil {
		root = root.without("quick")
		if opts.Quick {
			root = mergeFiles(root, quick)
		}
	}
	if err := l.parseSets(opts.Set); err != nil {
		return nil, err
	}
	if err := l.parseEvents(opts.Event); err != nil {
		return nil, err
	}
	l.measures = opts.Measures
	e := &Experiment{Name: source.nameOf(file), Quick: opts.Quick}
	for _, step := range []func(*Experiment, *node) error{
		l.describe, l.plan, l.layers, l.combine, l.shown,
	} {
		if err := step(e, root); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Title returns what an experiment says it is about in one line.
func (s Source) Title(name string) (string, error) {
	file, err := s.find(name, place{})
	if err != nil {
		return "", err
	}
	root, err := (&loader{source: s}).file(file, place{}, nil)
	if err != nil {
		return "", err
	}
	e := Experiment{Name: s.nameOf(file)}
	err = new(loader).describe(&e, root)
	return e.Title, err
}

// loader holds what the steps of loading share.
type loader struct {
	source Source
	space  Space
	at     place // the file as a whole

	settings []setting    // from --set; the steps take out what they have used,
	choices  []assignment // and make of it: which world, mechanism or network there is,
	offers   []*offer     // and what is there for all points that can use it
	base     []assignment // from the experiment itself
	cases    []caseSpec
	sweep    []dimension
	gone     []string // what was swept only by cases that --set leaves out, and perhaps by others
	events   []string // from --event
	measures []string // from --measure
}

// file reads a file and what it extends; chain lists the files that led here.
func (l *loader) file(file string, from place, chain []string) (*node, error) {
	if slices.Contains(chain, file) {
		return nil, from.errorf("an experiment cannot extend itself: %s", strings.Join(append(chain, file), " → "))
	}
	text, err := l.source.read(file, from)
	if err != nil {
		return nil, err
	}
	root, err := parseFile(file, text)
	if err != nil {
		return nil, err
	}
	if root, err = normalise(root, slices.Concat(describing, structured, planKeys, axisNames())); err != nil {
		return nil, err
	}
	if quick := root.get("quick"); quick != nil && quick.kind != nullNode {
		if err := quick.want(mapNode, "quick"); err != nil {
			return nil, err
		}
		allowed := slices.Concat([]string{"cases", "sweep", "measures", "plots", eventsKey}, planKeys, axisNames())
		if quick, err = normalise(quick, allowed); err != nil {
			return nil, err
		}
		root = root.with(entry{"quick", quick.at, quick})
	}
	extends := root.get("extends")
	if extends == nil {
		return root, nil
	}
	if err := extends.want(scalarNode, "extends"); err != nil {
		return nil, err
	}
	parent, err := l.source.find(extends.text, extends.at)
	if err != nil {
		return nil, err
	}
	base, err := l.file(parent, extends.at, append(chain, file))
	if err != nil {
		return nil, err
	}
	if root.get("title") != nil { // it is about something else: other texts would not be true of it
		for _, text := range describing {
			if root.get(text) == nil {
				base = base.without(text)
			}
		}
	}
	return mergeFiles(base, root.without("extends")), nil
}

// normalise checks the keys of an experiment or a quick block and brings what can be written in several ways into one form,
// such as world: swarm into world: {name: swarm}.
func normalise(n *node, known []string) (*node, error) {
	if err := n.onlyKeys(known); err != nil {
		return nil, err
	}
	if r, p := n.get("replications"), n.get("precision"); r != nil && p != nil && r.kind != nullNode && p.kind != nullNode {
		return nil, p.at.errorf("replications and precision exclude each other")
	}
	if sweep := n.get("sweep"); sweep != nil && sweep.kind == mapNode {
		canonical, err := canonicalSweep(sweep)
		if err != nil {
			return nil, err
		}
		n = n.with(entry{"sweep", sweep.at, canonical})
	}
	n, err := moveEvents(n)
	if err != nil {
		return nil, err
	}
	for _, e := range n.entries {
		if !isAxis(e.key) || e.value.kind == nullNode {
			continue
		}
		if e.value.kind == scalarNode && !axis(e.key).single() {
			name := entry{"name", e.at, e.value}
			n = n.with(entry{e.key, e.at, &node{kind: mapNode, at: e.value.at, entries: []entry{name}}})
		} else if err := e.value.want(mapNode, e.key); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// moveEvents puts what is written as events: where it belongs, to churn: {events: …}.
func moveEvents(n *node) (*node, error) {
	events, rates := n.get(eventsKey), n.get(string(happening))
	if events == nil {
		return n, nil
	}
	moved := entry{eventsKey, events.at, events}
	into := &node{kind: mapNode, at: events.at}
	if rates != nil {
		if err := rates.want(mapNode, string(happening)); err != nil {
			return nil, err
		}
		if rates.get(eventsKey) != nil {
			return nil, events.at.errorf("%s is there twice: by itself and under %s", eventsKey, happening)
		}
		into = rates
	}
	return n.without(eventsKey).with(entry{string(happening), into.at, into.with(moved)}), nil
}

// describe takes over the texts.
func (l *loader) describe(e *Experiment, root *node) error {
	for i, target := range []*string{&e.Title, &e.About, &e.Source} {
		if n := root.get(describing[i]); n != nil {
			if err := n.want(scalarNode, describing[i]); err != nil {
				return err
			}
			*target = strings.TrimSpace(n.text)
		}
	}
	if e.Title == "" {
		e.Title = e.Name
	}
	return nil
}

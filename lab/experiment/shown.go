package experiment

import (
	"maps"
	"slices"
	"strings"
)

// shown takes over what tables and plots are to show.
func (l *loader) shown(e *Experiment, root *node) error {
	if n := root.get("measures"); n != nil {
		if err := n.want(listNode, "measures"); err != nil {
			return err
		}
		for _, item := range n.items {
			if err := item.want(scalarNode, "a measure"); err != nil {
				return err
			}
			if err := l.show(e, item.text, item.at); err != nil {
				return err
			}
		}
	}
	if len(l.measures) > 0 {
		e.Measures = nil
	}
	for _, name := range l.measures {
		if err := l.show(e, name, place{flag: "--measure"}); err != nil {
			return err
		}
	}
	n := root.get("plots")
	if n == nil {
		return nil
	}
	if err := n.want(listNode, "plots"); err != nil {
		return err
	}
	for _, item := range n.items {
		if l.goneFrom(e, item) {
			continue
		}
		plot, err := l.readPlot(e, item)
		if err != nil {
			return err
		}
		e.Plots = append(e.Plots, plot)
	}
	return nil
}

// show adds a measure to what tables show, or all measures of a group that are not there yet.
func (l *loader) show(e *Experiment, name string, at place) error {
	names := []string{name}
	if group := l.space.Groups[name]; group != nil && !slices.Contains(l.space.Measures, name) {
		names = group
	}
	for _, n := range names {
		if err := l.checkMeasure(n, at); err != nil {
			return err
		}
		if !slices.Contains(e.Measures, n) {
			e.Measures = append(e.Measures, n)
		}
	}
	return nil
}

// Asked lists the measures that the experiment shows, draws or decides by; nil means all there are. No run need measure
// more.
func (e *Experiment) Asked() []string {
	if len(e.Measures) == 0 {
		return nil
	}
	asked := slices.Clone(e.Measures)
	for _, p := range e.Plots {
		asked = append(asked, p.Y)
		if !slices.Contains(e.Varying, p.X) {
			asked = append(asked, p.X)
		}
	}
	if e.Precision != nil {
		asked = append(asked, e.Precision.Measure)
	}
	slices.Sort(asked)
	return slices.Compact(asked)
}

func (l *loader) checkMeasure(name string, at place) error {
	if l.space.Measures != nil && !slices.Contains(l.space.Measures, name) {
		return at.unknownName("measure", name, slices.Concat(l.space.Measures, slices.Sorted(maps.Keys(l.space.Groups))))
	}
	return nil
}

// goneFrom reports whether a plot is over something that varies only in cases that were left out.
func (l *loader) goneFrom(e *Experiment, plot *node) bool {
	if plot.kind != mapNode || plot.get("x") == nil {
		return false
	}
	x := canonicalPath(plot.get("x").text)
	return slices.Contains(l.gone, x) && !slices.Contains(e.Varying, x)
}

func (l *loader) readPlot(e *Experiment, n *node) (Plot, error) {
	var p Plot
	if err := n.want(mapNode, "a plot"); err != nil {
		return p, err
	}
	if err := n.onlyKeys([]string{"x", "y", "by", "title", "log"}); err != nil {
		return p, err
	}
	var log string
	for _, text := range []struct {
		key    string
		target *string
	}{{"x", &p.X}, {"y", &p.Y}, {"title", &p.Title}, {"log", &log}} {
		value := n.get(text.key)
		if value == nil {
			continue
		}
		if err := value.want(scalarNode, text.key); err != nil {
			return p, err
		}
		*text.target = value.text
	}
	if p.X == "" || p.Y == "" {
		return p, n.at.errorf("a plot wants x and y")
	}
	p.X = canonicalPath(p.X)
	if err := l.checkMeasure(p.Y, n.get("y").at); err != nil {
		return p, err
	}
	if !slices.Contains(e.Varying, p.X) {
		if err := l.checkX(e, p.X, n.get("x").at); err != nil {
			return p, err
		}
	}
	if by := n.get("by"); by != nil {
		var err error
		if p.By, err = readBy(e, by); err != nil {
			return p, err
		}
	}
	if strings.Trim(log, "xy") != "" || len(log) > 2 {
		return p, n.get("log").at.errorf("log: %q is none of the options; allowed: x, y, xy", log)
	}
	p.LogX, p.LogY = strings.Contains(log, "x"), strings.Contains(log, "y")
	return p, nil
}

// checkX accepts a measure where nothing of that name varies.
func (l *loader) checkX(e *Experiment, x string, at place) error {
	if slices.Contains(l.space.Measures, x) || l.space.Measures == nil && !isAxis(head(x)) {
		return nil
	}
	return at.unknownName("x", x, slices.Concat(e.Varying, l.space.Measures))
}

func readBy(e *Experiment, n *node) ([]string, error) {
	items := n.items
	if n.kind != listNode {
		items = []*node{n}
	}
	var by []string
	for _, item := range items {
		if err := item.want(scalarNode, "by"); err != nil {
			return nil, err
		}
		path := canonicalPath(item.text)
		if !slices.Contains(e.Varying, path) {
			if len(e.Varying) == 0 {
				return nil, item.at.errorf("by %q: nothing varies in this experiment", path)
			}
			return nil, item.at.unknownName("by", path, e.Varying)
		}
		by = append(by, path)
	}
	return by, nil
}

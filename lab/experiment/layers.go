package experiment

import "slices"

// caseSpec is a case as it is written.
type caseSpec struct {
	name  string
	at    place
	set   []assignment
	sweep []dimension
}

// layers takes over the parameters: of the experiment itself, of its cases and of its sweep.
func (l *loader) layers(e *Experiment, root *node) (err error) {
	for _, a := range axes {
		value := root.get(string(a))
		if value == nil {
			continue
		}
		if value.kind == nullNode {
			return value.at.errorf("%s has no value", a)
		}
		assignments, err := flatten(string(a)+".", value)
		if err != nil {
			return err
		}
		l.base = append(l.base, assignments...)
	}
	if n := root.get("sweep"); n != nil {
		if l.sweep, err = readSweep(n); err != nil {
			return err
		}
	}
	if n := root.get("cases"); n != nil {
		if err := l.readCases(n); err != nil {
			return err
		}
	}
	return l.applySets()
}

func (l *loader) readCases(n *node) error {
	if err := n.want(listNode, "cases"); err != nil {
		return err
	}
	for _, item := range n.items {
		c, err := readCase(item)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(l.cases, func(other caseSpec) bool { return other.name == c.name }) {
			return c.at.errorf("case %q is there twice", c.name)
		}
		if err := l.checkCase(c); err != nil {
			return err
		}
		l.cases = append(l.cases, c)
	}
	return nil
}

// checkCase finds what a case says twice.
func (l *loader) checkCase(c caseSpec) error {
	for _, d := range c.sweep {
		for _, other := range l.sweep {
			if path := d.common(other); path != "" {
				return d.at.errorf("%s is swept by case %q and by the whole experiment", path, c.name)
			}
		}
	}
	swept := slices.Concat(l.sweep, c.sweep)
	for _, a := range c.set {
		if slices.ContainsFunc(swept, func(d dimension) bool { return slices.Contains(d.paths, a.path) }) {
			return a.at.errorf("%s is set by case %q and swept too", a.path, c.name)
		}
	}
	return nil
}

func readCase(item *node) (caseSpec, error) {
	c := caseSpec{at: item.at}
	if err := item.want(mapNode, "a case"); err != nil {
		return c, err
	}
	if err := item.onlyKeys([]string{"name", "set", "sweep"}); err != nil {
		return c, err
	}
	if name := item.get("name"); name != nil {
		if err := name.want(scalarNode, "the name of a case"); err != nil {
			return c, err
		}
		c.name, c.at = name.text, name.at
	}
	if c.name == "" {
		return c, c.at.errorf("a case has no name")
	}
	if set := item.get("set"); set != nil {
		if err := set.want(mapNode, "set"); err != nil {
			return c, err
		}
		var err error
		if c.set, err = flatten("", set); err != nil {
			return c, err
		}
		for _, a := range c.set {
			if err := checkPath(a.path, a.at, axisNames()); err != nil {
				return c, err
			}
		}
	}
	if sweep := item.get("sweep"); sweep != nil {
		var err error
		if c.sweep, err = readSweep(sweep); err != nil {
			return c, err
		}
	}
	return c, nil
}

// sweeps returns the sweep of the experiment and those of its cases.
func (l *loader) sweeps() [][]dimension {
	out := [][]dimension{l.sweep}
	for _, c := range l.cases {
		out = append(out, c.sweep)
	}
	return out
}

// setByCase returns a case that sets a path, or "".
func (l *loader) setByCase(path string) (name string) {
	for _, c := range l.cases {
		if slices.ContainsFunc(c.set, func(a assignment) bool { return a.path == path }) {
			return c.name
		}
	}
	return ""
}

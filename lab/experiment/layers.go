package experiment

import (
	"slices"
	"strings"

	"throng/internal/param"
)

// caseSpec is a case as it is written.
type caseSpec struct {
	name  string
	at    place
	set   []assignment
	sweep []dimension
}

// dimension is a path that takes several values.
type dimension struct {
	path   string
	at     place
	values []*node
}

// parseSets reads the arguments of --set.
func (l *loader) parseSets(args []string) error {
	for _, arg := range args {
		at := place{set: arg}
		path, value, ok := strings.Cut(arg, "=")
		if !ok {
			return at.errorf("wants the form path=value")
		}
		a := assignment{path: canonicalPath(strings.TrimSpace(path)), at: at}
		a.value = &node{kind: scalarNode, at: at, text: strings.TrimSpace(value)}
		if a.path != caseKey && !slices.Contains(planKeys, head(a.path)) {
			if err := checkPath(a.path, at, slices.Concat(axisNames(), planKeys)); err != nil {
				return err
			}
		}
		l.sets = append(l.sets, a)
	}
	return nil
}

// checkPath says whether a path begins like a parameter's; whether it is one depends on what is chosen.
func checkPath(path string, at place, heads []string) error {
	first := head(path)
	if isAxis(first) && path != string(host) {
		return nil
	}
	if near := param.Nearest(first, heads); near != "" {
		return at.errorf("unknown key %q; did you mean %q?", path, near+strings.TrimPrefix(path, first))
	}
	return at.errorf("unknown key %q; a parameter's path begins with %s", path, list(heads))
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

func readSweep(n *node) ([]dimension, error) {
	if err := n.want(mapNode, "sweep"); err != nil {
		return nil, err
	}
	var out []dimension
	for _, e := range n.entries {
		path := canonicalPath(e.key)
		if err := checkPath(path, e.at, axisNames()); err != nil {
			return nil, err
		}
		if err := e.value.want(listNode, "sweep of "+path); err != nil {
			return nil, err
		}
		if len(e.value.items) == 0 {
			return nil, e.at.errorf("sweep of %s has no values", path)
		}
		if slices.ContainsFunc(out, func(d dimension) bool { return d.path == path }) {
			return nil, e.at.errorf("sweep of %s is there twice", path)
		}
		out = append(out, dimension{path, e.at, e.value.items})
	}
	return out, nil
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
		for _, d := range c.sweep {
			if slices.ContainsFunc(l.sweep, func(other dimension) bool { return other.path == d.path }) {
				return d.at.errorf("%s is swept by case %q and by the whole experiment", d.path, c.name)
			}
		}
		for _, d := range slices.Concat(l.sweep, c.sweep) {
			if i := slices.IndexFunc(c.set, func(a assignment) bool { return a.path == d.path }); i >= 0 {
				return c.set[i].at.errorf("%s is set by case %q and swept too", d.path, c.name)
			}
		}
		l.cases = append(l.cases, c)
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

// applySets lets --set decide which cases there are and what is swept. What is left in l.sets is for the points.
func (l *loader) applySets() error {
	var rest []assignment
	for _, a := range l.sets {
		switch {
		case a.path == caseKey:
			if err := l.onlyCase(a); err != nil {
				return err
			}
		case l.sweepOnly(a):
		case isAxis(a.path) && l.setByCase(a.path) != "":
			// Overriding it would leave the case with a name that says something else.
			return a.at.errorf("case %q chooses the %s itself; choose among the cases with --set case=", l.setByCase(a.path), a.path)
		case isAxis(a.path):
			l.choices = append(l.choices, a)
		default:
			rest = append(rest, a)
		}
	}
	l.sets = rest
	return nil
}

func (l *loader) onlyCase(a assignment) error {
	var names []string
	for _, c := range l.cases {
		if c.name == a.value.text {
			l.cases = []caseSpec{c}
			return nil
		}
		names = append(names, c.name)
	}
	if len(names) == 0 {
		return a.at.errorf("the experiment has no cases")
	}
	return a.at.unknownName("case", a.value.text, names)
}

// sweepOnly replaces the values of a swept path and reports whether it is swept.
func (l *loader) sweepOnly(a assignment) bool {
	swept := false
	for _, sweep := range l.sweeps() {
		for i := range sweep {
			if sweep[i].path == a.path {
				sweep[i].values = []*node{a.value}
				swept = true
			}
		}
	}
	return swept
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

package experiment

import (
	"errors"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/lab/churn"
)

// setting is the argument of a --set.
type setting struct {
	paths []string // several if they vary together
	value *node    // a list if it was written in brackets
	at    place
}

// offer is what --set gives to every point that can use it, which depends on what the point has chosen. Of several paths a
// point takes those that it has; every path must be of use to somebody.
type offer struct {
	dimension
	varying  bool             // given as a list, so that it tells points apart
	used     map[string]bool  // by path
	refusals map[string]error // by path: why a point could not use it
}

// refused notes that a point has no such parameter. Of several reasons the one counts that knows what was meant.
func (o *offer) refused(path string, err error) {
	var e *param.Error
	if o.refusals[path] == nil || errors.As(err, &e) && e.Nearest != "" {
		o.refusals[path] = err
	}
}

// unused returns why a path was of no use to any point, or nil.
func (o *offer) unused() error {
	for _, path := range o.paths {
		if !o.used[path] {
			return o.refusals[path]
		}
	}
	return nil
}

// parseSets reads the arguments of --set. The last one about a path counts.
func (l *loader) parseSets(args []string) error {
	for _, arg := range args {
		s, err := parseSet(arg)
		if err != nil {
			return err
		}
		l.settings = slices.DeleteFunc(l.settings, func(earlier setting) bool {
			return dimension{paths: earlier.paths}.common(dimension{paths: s.paths}) != ""
		})
		l.settings = append(l.settings, s)
	}
	return nil
}

// parseEvents checks the arguments of --event, which every point takes beside what happens in it anyway.
func (l *loader) parseEvents(args []string) error {
	for _, arg := range args {
		if _, err := churn.Parse(arg); err != nil {
			return place{flag: "--event"}.errorf("%v", err)
		}
	}
	l.events = args
	return nil
}

func parseSet(arg string) (s setting, err error) {
	s.at = place{set: arg}
	key, text, ok := strings.Cut(arg, "=")
	if !ok {
		return s, s.at.errorf("wants the form path=value")
	}
	s.paths = splitPaths(key)
	text = strings.TrimSpace(text)
	s.value = &node{kind: scalarNode, at: s.at, text: text}
	if strings.HasPrefix(text, "[") {
		if s.value, err = parseList(text, s.at); err != nil {
			return s, err
		}
	}
	path := s.paths[0]
	if len(s.paths) > 1 || path == caseKey || slices.Contains(planKeys, head(path)) {
		return s, nil
	}
	return s, checkPath(path, s.at, slices.Concat(axisNames(), planKeys))
}

// plans reports whether the setting is about the runs as such.
func (s setting) plans() bool {
	return len(s.paths) == 1 && slices.Contains(planKeys, head(s.paths[0]))
}

// dimension is the setting as a sweep; one of a single value if it is not written as a list.
func (s setting) dimension() (dimension, error) {
	if s.value.kind == listNode || len(s.paths) > 1 {
		return readDimension(s.paths, s.at, s.value)
	}
	return dimension{s.paths, s.at, [][]*node{{s.value}}}, nil
}

// applySets lets --set decide which cases there are, what is chosen and what is swept. What is left are offers to the
// points.
func (l *loader) applySets() error {
	cases := func(s setting) bool { return len(s.paths) == 1 && s.paths[0] == caseKey }
	if i := slices.IndexFunc(l.settings, cases); i >= 0 {
		if err := l.onlyCases(l.settings[i]); err != nil {
			return err
		}
		l.settings = slices.Delete(l.settings, i, i+1)
	}
	for _, s := range l.settings {
		d, err := s.dimension()
		if err != nil {
			return err
		}
		if err := l.replaceSweep(d); err != nil {
			return err
		}
		if err := l.offer(s, d); err != nil {
			return err
		}
	}
	return nil
}

// onlyCases leaves the named cases, in the order of the file.
func (l *loader) onlyCases(s setting) error {
	if len(l.cases) == 0 {
		return s.at.errorf("the experiment has no cases")
	}
	items := s.value.items
	if s.value.kind != listNode {
		items = []*node{s.value}
	}
	var known, wanted []string
	for _, c := range l.cases {
		known = append(known, c.name)
	}
	for _, item := range items {
		if err := item.want(scalarNode, caseKey); err != nil {
			return err
		}
		if !slices.Contains(known, item.text) {
			return s.at.unknownName("case", item.text, known)
		}
		wanted = append(wanted, item.text)
	}
	if len(wanted) == 0 {
		return s.at.errorf("names no case; known: %s", list(known))
	}
	l.cases = slices.DeleteFunc(l.cases, func(c caseSpec) bool {
		gone := !slices.Contains(wanted, c.name)
		for _, d := range c.sweep {
			if gone {
				l.gone = append(l.gone, d.paths...)
			}
		}
		return gone
	})
	return nil
}

// replaceSweep gives other values to what is swept already, or drops the sweep of a part of what varies together now. Paths
// that vary together do so for a reason: one of them alone is not set.
func (l *loader) replaceSweep(d dimension) error {
	sweeps := []*[]dimension{&l.sweep}
	for i := range l.cases {
		sweeps = append(sweeps, &l.cases[i].sweep)
	}
	for _, sweep := range sweeps {
		var kept []dimension
		for _, old := range *sweep {
			path := d.common(old)
			switch {
			case path == "":
				kept = append(kept, old)
			case sameSet(old.paths, d.paths):
				kept = append(kept, d)
			case len(old.paths) > 1:
				return d.at.errorf("%s varies together with others; set them as one: --set %q", path,
					strings.Join(old.paths, ",")+"=[["+strings.Repeat("…,", len(old.paths)-1)+"…]]")
			}
		}
		*sweep = kept
	}
	return nil
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// offer takes over what is not swept. A world, a mechanism or a network is chosen before parameters are looked at, and by
// every point; what is swept by some cases is offered to the others.
func (l *loader) offer(s setting, d dimension) error {
	choosing, listed := false, s.value.kind == listNode
	for _, path := range d.paths {
		if !isAxis(path) {
			continue
		}
		choosing = true
		if name := l.setByCase(path); name != "" {
			// Overriding it would leave the case with a name that says something else.
			return s.at.errorf("case %q chooses the %s itself; choose among the cases with --set case=", name, path)
		}
	}
	switch {
	case d.sweptBy(l.sweep) || choosing && d.sweptBy(slices.Concat(l.sweeps()...)):
	case choosing && listed:
		l.sweep = append(l.sweep, d)
	case choosing:
		l.choices = append(l.choices, assignment{d.paths[0], s.value, s.at})
	default:
		l.offers = append(l.offers, &offer{dimension: d, varying: listed, used: map[string]bool{}, refusals: map[string]error{}})
	}
	return nil
}

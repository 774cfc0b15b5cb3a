package experiment

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/sim"
)

// resolve applies the parameters of the experiment itself and over them those of a point, layer by layer, and checks the
// outcome.
func (l *loader) resolve(setup *Setup, layers ...[]assignment) error {
	latest, err := l.assemble(setup, layers...)
	if err != nil {
		return err
	}
	return l.validate(setup, latest)
}

// assemble applies all layers and returns where something about each axis was last said. What a layer chooses is chosen
// before any of its parameters is set: the experiment's own parameters are for its own choice, all others are for the
// point's.
func (l *loader) assemble(setup *Setup, layers ...[]assignment) (latest map[axis]place, err error) {
	setup.Host, setup.Churn = catalog.Defaults(new(sim.Config)), catalog.Defaults(new(churn.Config))
	latest = map[axis]place{}
	for _, layer := range slices.Concat([][]assignment{l.base}, layers) {
		for _, a := range choicesFirst(layer) {
			latest[axis(head(a.path))] = a.at
			if isAxis(a.path) {
				err = l.choose(setup, a)
			} else {
				err = l.assignUnder(setup, a)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for _, event := range l.events {
		setup.Churn.Add(event)
	}
	return latest, nil
}

// refuses returns an error if a set-up lacks a parameter, which was asked for at a place.
func (l *loader) refuses(setup *Setup, path string, at place) error {
	first, rest, _ := strings.Cut(path, ".")
	_, config := setup.chosen(axis(first))
	if _, err := param.Lookup(config, rest); err != nil {
		return under(first, at, err)
	}
	return nil
}

// choicesFirst puts the choices of worlds, mechanisms and networks before their parameters.
func choicesFirst(layer []assignment) []assignment {
	var choices, others []assignment
	for _, a := range layer {
		if isAxis(a.path) {
			choices = append(choices, a)
		} else {
			others = append(others, a)
		}
	}
	return append(choices, others...)
}

// choose sets which world, mechanism or network there is. The same one again keeps its parameters.
func (l *loader) choose(setup *Setup, a assignment) error {
	if err := a.value.want(scalarNode, a.path); err != nil {
		return err
	}
	if name, _ := setup.chosen(axis(a.path)); name == a.value.text && name != "" {
		return nil
	}
	if err := setup.choose(&l.space, axis(a.path), a.value.text); err != nil {
		return a.at.errorf("%v", err)
	}
	return nil
}

// assignUnder sets a parameter of what is chosen on its axis.
func (l *loader) assignUnder(setup *Setup, a assignment) error {
	first, rest, _ := strings.Cut(a.path, ".")
	name, config := setup.chosen(axis(first))
	if name == "" && !axis(first).single() {
		return a.at.errorf("%s is given, but no %s is chosen", a.path, first)
	}
	return l.assign(config, first, assignment{rest, a.value, a.at})
}

// assign sets a parameter of a config that the user knows under a prefix.
func (l *loader) assign(config any, prefix string, a assignment) error {
	path := strings.TrimPrefix(prefix+"."+a.path, ".")
	field, err := param.Lookup(config, a.path)
	if err != nil {
		// Something below a parameter is a map where a value should be.
		for above := cutLast(a.path); above != ""; above = cutLast(above) {
			if _, err := param.Lookup(config, above); err == nil && a.at.set == "" {
				return a.at.errorf("%s wants %s, not %s", strings.TrimPrefix(prefix+"."+above, "."), scalarNode, mapNode)
			}
		}
		return under(prefix, a.at, err)
	}
	var text string
	if a.value.kind == listNode && (field.List || field.Join != "") {
		if text, err = joinItems(config, a, field); err != nil {
			return err
		}
	} else if err := a.value.want(scalarNode, path); err != nil {
		return err
	} else {
		text = a.value.text
	}
	if field.File && text != "" {
		text = l.source.relative(text, a.at)
		if !l.source.exists(text) {
			return a.at.errorf("%s: cannot read %s", path, text)
		}
	}
	return under(prefix, a.at, param.Set(config, a.path, text))
}

// under makes an error about a parameter one about what the user wrote.
func under(prefix string, at place, err error) error {
	var e *param.Error
	if !errors.As(err, &e) {
		return err
	}
	e = e.Under(prefix)
	return &UserError{Where: at.String(), Message: e.Error(), cause: e}
}

func cutLast(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }

// itemChecker is a config that can say what is wrong with one item of a text that is written as a list.
type itemChecker interface {
	CheckItem(path, item string) error
}

// joinItems makes one text of a list.
func joinItems(config any, a assignment, field param.Field) (string, error) {
	separator := cmp.Or(field.Join, ",")
	if field.Join != "" {
		separator += " "
	}
	checker, checks := config.(itemChecker)
	var parts []string
	for _, item := range a.value.items {
		if field.Join != "" {
			item = item.unquoted()
		}
		if err := item.want(scalarNode, "an item of a list"); err != nil {
			return "", err
		}
		if checks {
			if err := checker.CheckItem(a.path, item.text); err != nil {
				return "", item.at.errorf("%v", err)
			}
		}
		parts = append(parts, item.text)
	}
	return strings.Join(parts, separator), nil
}

// unquoted is a text with a colon in it that YAML takes for a map, since it was written without quotes:
//
//   - at 30s: crash server 2
func (n *node) unquoted() *node {
	if n.kind != mapNode || len(n.entries) != 1 || n.entries[0].value.kind != scalarNode {
		return n
	}
	e := n.entries[0]
	return &node{kind: scalarNode, at: n.at, text: e.key + ": " + e.value.text}
}

// validate looks at a set-up as a whole. latest says where something about each axis was last said.
func (l *loader) validate(setup *Setup, latest map[axis]place) error {
	for _, a := range axes {
		name, config := setup.chosen(a)
		if name == "" && !a.single() {
			return l.at.errorf("no %s is chosen; known: %s", a, list(l.space.names(a)))
		}
		if err := param.Validate(config); err != nil {
			at, ok := latest[a]
			if !ok {
				at = l.at
			}
			return at.errorf("%s: %s", strings.TrimSpace(string(a)+" "+name), firstLine(err.Error()))
		}
	}
	return nil
}

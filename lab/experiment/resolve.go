package experiment

import (
	"errors"
	"slices"
	"strings"

	"throng/internal/param"
)

// resolve applies layers of assignments, the later ones over the earlier ones, and checks the outcome.
func (l *loader) resolve(setup *Setup, layers [][]assignment, sets *setLayer) error {
	setup.Host = Chosen{Name: l.space.Host.Name, Config: l.space.Host.config()}
	latest := map[axis]place{}
	apply := func(a assignment) error {
		latest[axis(head(a.path))] = a.at
		if isAxis(a.path) {
			return l.choose(setup, a)
		}
		return l.assignUnder(setup, a)
	}
	for _, layer := range layers {
		for _, a := range namesFirst(layer) {
			if err := apply(a); err != nil {
				return err
			}
		}
	}
	for _, a := range namesFirst(sets.assignments) {
		i := slices.Index(sets.assignments, a)
		err := apply(a)
		var refused *param.Error
		switch {
		case err == nil:
			sets.applied[i] = true
		case errors.As(err, &refused) && refused.Unknown:
			sets.refusal[i] = err
		default:
			return err
		}
	}
	return l.validate(setup, latest)
}

// namesFirst puts the choices before the parameters of what is chosen.
func namesFirst(layer []assignment) []assignment {
	out := slices.Clone(layer)
	slices.SortStableFunc(out, func(a, b assignment) int {
		switch {
		case isAxis(a.path) && !isAxis(b.path):
			return -1
		case !isAxis(a.path) && isAxis(b.path):
			return 1
		}
		return 0
	})
	return out
}

// choose sets which world, mechanism or network there is. The same one again keeps its parameters.
func (l *loader) choose(setup *Setup, a assignment) error {
	if err := a.value.want(scalarNode, a.path); err != nil {
		return err
	}
	chosen := setup.chosen(axis(a.path))
	if chosen.Name == a.value.text && chosen.Name != "" {
		return nil
	}
	var names []string
	for _, entry := range l.space.entries(axis(a.path)) {
		if entry.Name == a.value.text {
			*chosen = Chosen{Name: entry.Name, Config: entry.config()}
			return nil
		}
		names = append(names, entry.Name)
	}
	return a.at.unknownName(a.path, a.value.text, names)
}

// assignUnder sets a parameter of what is chosen on its axis.
func (l *loader) assignUnder(setup *Setup, a assignment) error {
	first, rest, _ := strings.Cut(a.path, ".")
	chosen := setup.chosen(axis(first))
	if chosen.Name == "" && axis(first) != host {
		return a.at.errorf("%s is given, but no %s is chosen", a.path, first)
	}
	return l.assign(chosen.Config, first, assignment{rest, a.value, a.at})
}

// assign sets a parameter of a config that the user knows under a prefix.
func (l *loader) assign(config any, prefix string, a assignment) error {
	complain := func(err error) error {
		var e *param.Error
		if !errors.As(err, &e) {
			return err
		}
		e = e.Under(prefix)
		return &UserError{Where: a.at.String(), Message: e.Error(), cause: e}
	}
	field, err := param.Lookup(config, a.path)
	if err != nil {
		return complain(err)
	}
	text := a.value.text
	if a.value.kind == listNode {
		if !field.List {
			return a.at.errorf("%s wants a single value, not a list", strings.TrimPrefix(prefix+"."+a.path, "."))
		}
		if text, err = joinItems(a.value); err != nil {
			return err
		}
	}
	if field.File && text != "" {
		file := l.source.relative(text, a.at)
		if !l.source.exists(file) {
			return a.at.errorf("%s: cannot read %s", prefix+"."+a.path, file)
		}
		text = file
	}
	if err := param.Set(config, a.path, text); err != nil {
		return complain(err)
	}
	return nil
}

func joinItems(n *node) (string, error) {
	var parts []string
	for _, item := range n.items {
		if err := item.want(scalarNode, "an item of a list"); err != nil {
			return "", err
		}
		parts = append(parts, item.text)
	}
	return strings.Join(parts, ","), nil
}

// validate looks at a set-up as a whole. latest says where something about each axis was last said.
func (l *loader) validate(setup *Setup, latest map[axis]place) error {
	for _, a := range axes {
		chosen := setup.chosen(a)
		if chosen.Name == "" && a != host {
			var names []string
			for _, entry := range l.space.entries(a) {
				names = append(names, entry.Name)
			}
			return l.at.errorf("no %s is chosen; known: %s", a, list(names))
		}
		if err := param.Validate(chosen.Config); err != nil {
			at, ok := latest[a]
			if !ok {
				at = l.at
			}
			return at.errorf("%s %s: %s", a, chosen.Name, firstLine(err.Error()))
		}
	}
	return nil
}

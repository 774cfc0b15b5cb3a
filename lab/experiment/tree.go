package experiment

import (
	"slices"
	"strings"
)

// node is a piece of an experiment file that knows where it was written, also after it was merged with others. Nodes are
// not changed once they are made.
type node struct {
	kind    nodeKind
	at      place
	text    string  // of a scalar
	items   []*node // of a list
	entries []entry // of a map, in the order of the file
}

type entry struct {
	key   string
	at    place
	value *node
}

type nodeKind int

const (
	nullNode nodeKind = iota
	scalarNode
	listNode
	mapNode
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a single value", "a list", "a map"}[k]
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// with returns a copy of a map in which key has this value, in the same place if the key was there; a nil value removes
// the key.
func (n *node) with(e entry) *node {
	out := *n
	out.entries = slices.Clone(n.entries)
	i := slices.IndexFunc(out.entries, func(x entry) bool { return x.key == e.key })
	switch {
	case i < 0 && e.value != nil:
		out.entries = append(out.entries, e)
	case i >= 0 && e.value != nil:
		out.entries[i] = e
	case i >= 0:
		out.entries = slices.Delete(out.entries, i, i+1)
	}
	return &out
}

func (n *node) without(key string) *node { return n.with(entry{key: key}) }

// sameNode reports whether two values are written alike.
func sameNode(a, b *node) bool {
	return a.kind == b.kind && a.text == b.text && slices.EqualFunc(a.items, b.items, sameNode) &&
		slices.EqualFunc(a.entries, b.entries, func(x, y entry) bool { return x.key == y.key && sameNode(x.value, y.value) })
}

// want returns an error unless the node is of this kind.
func (n *node) want(kind nodeKind, key string) error {
	if n.kind != kind {
		return n.at.errorf("%s wants %s, not %s", key, kind, n.kind)
	}
	return nil
}

// onlyKeys returns an error if a map has a key that is not known.
func (n *node) onlyKeys(known []string) error {
	for _, e := range n.entries {
		if !slices.Contains(known, e.key) {
			return e.at.unknownKey(e.key, known)
		}
	}
	return nil
}

// mergeFiles lays one experiment, or the quick block of one, over another.
func mergeFiles(base, over *node) *node {
	// How often to run is said in one of two ways; the later one counts.
	if over.get("replications") != nil && over.get("precision") == nil {
		base = base.without("precision")
	}
	if over.get("precision") != nil && over.get("replications") == nil {
		base = base.without("replications")
	}
	return merge(base, over)
}

// merge lays one map over another: what both have as maps is merged in turn, anything else is replaced, and null removes.
// A null that removes nothing stays, to be complained about.
func merge(base, over *node) *node {
	out := base
	for _, e := range over.entries {
		below := base.get(e.key)
		switch {
		case below == nil:
			out = out.with(e)
		case e.value.kind == nullNode:
			out = out.without(e.key)
		case below.kind == mapNode && e.value.kind == mapNode:
			out = out.with(entry{e.key, e.at, mergeUnder(e.key, below, e.value)})
		default:
			out = out.with(e)
		}
	}
	return out
}

// mergeUnder merges two maps that have the same key. When another mechanism, world or network is chosen, the parameters
// of the former one have lost their meaning.
func mergeUnder(key string, base, over *node) *node {
	was, is := base.get("name"), over.get("name")
	switch {
	case key == "quick":
		return mergeFiles(base, over)
	case isAxis(key) && is != nil && (was == nil || was.text != is.text):
		return over
	}
	return merge(base, over)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// flatten lists the values of nested maps with their dotted paths.
func flatten(prefix string, n *node) ([]assignment, error) {
	var out []assignment
	for _, e := range n.entries {
		path := prefix + e.key
		switch e.value.kind {
		case nullNode:
			return nil, e.at.errorf("%s has no value", path)
		case mapNode:
			inner, err := flatten(path+".", e.value)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
		default:
			out = append(out, assignment{path: canonicalPath(path), value: e.value, at: e.value.at})
		}
	}
	for i, a := range out {
		if j := slices.IndexFunc(out[:i], func(b assignment) bool { return a.path == b.path }); j >= 0 {
			return nil, a.at.errorf("%s is there twice", a.path)
		}
	}
	return out, nil
}

// assignment is a value for a parameter.
type assignment struct {
	path  string
	value *node
	at    place
}

// canonicalPath makes one of two ways to write the choice of a mechanism, world or network, and events.
func canonicalPath(path string) string {
	if path == eventsKey {
		return string(happening) + "." + eventsKey
	}
	if head, ok := strings.CutSuffix(path, ".name"); ok && isAxis(head) && !axis(head).single() {
		return head
	}
	return path
}

package experiment

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
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

// depthMax bounds how deep brackets are nested. Experiments need four; the YAML parser's time grows with the square.
const depthMax = 100

// parseFile reads the text of an experiment.
func parseFile(file string, text []byte) (root *node, err error) {
	// What a file contains must not bring the program down, not even by way of a mistake in the parser.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, place{file: file}.errorf("cannot be understood as YAML")
		}
	}()
	if depth(text) > depthMax {
		return nil, place{file: file}.errorf("nested too deeply")
	}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		var located yaml.Error
		if errors.As(err, &located) && located.GetToken() != nil {
			return nil, place{file: file, line: located.GetToken().Position.Line}.errorf("%s", located.GetMessage())
		}
		return nil, place{file: file}.errorf("%s", firstLine(err.Error()))
	}
	var docs []ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body != nil {
			docs = append(docs, doc.Body)
		}
	}
	switch {
	case len(docs) == 0:
		return nil, place{file: file}.errorf("is empty")
	case len(docs) > 1:
		return nil, place{file: file, line: docs[1].GetToken().Position.Line}.errorf("a file holds one experiment, not several")
	}
	root, err = convert(file, docs[0])
	if err != nil {
		return nil, err
	}
	return root, root.want(mapNode, "an experiment")
}

func depth(text []byte) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// convert turns the parser's tree into ours, which has only what experiments use.
func convert(file string, in ast.Node) (*node, error) {
	out := &node{at: placeOf(file, in)}
	switch in := in.(type) {
	case *ast.NullNode:
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		out.kind, out.text = scalarNode, in.GetToken().Value
	case *ast.LiteralNode:
		out.kind, out.text = scalarNode, in.Value.Value
	case *ast.SequenceNode:
		out.kind = listNode
		for _, value := range in.Values {
			item, err := convert(file, value)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
	case *ast.MappingNode:
		out.kind = mapNode
		for _, value := range in.Values {
			if err := out.add(file, value); err != nil {
				return nil, err
			}
		}
	case *ast.MappingValueNode:
		out.kind = mapNode
		return out, out.add(file, in)
	case *ast.AnchorNode, *ast.AliasNode:
		return nil, out.at.errorf("experiments have no anchors and aliases; see extends")
	default:
		return nil, out.at.errorf("%s is not used in experiments", strings.ToLower(in.Type().String()))
	}
	return out, nil
}

func (n *node) add(file string, in *ast.MappingValueNode) error {
	at := placeOf(file, in.Key)
	switch in.Key.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
	default:
		return at.errorf("a key is a word, not %s", strings.ToLower(in.Key.Type().String()))
	}
	key := in.Key.GetToken().Value
	if n.get(key) != nil {
		return at.errorf("key %q is there twice", key)
	}
	value, err := convert(file, in.Value)
	if err != nil {
		return err
	}
	if value.kind == nullNode {
		value.at = at // an absent value has no place of its own
	}
	n.entries = append(n.entries, entry{key, at, value})
	return nil
}

func placeOf(file string, in ast.Node) place {
	if token := in.GetToken(); token != nil && token.Position != nil {
		return place{file: file, line: token.Position.Line}
	}
	return place{file: file}
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

// canonicalPath makes one of two ways to write the choice of a mechanism, world or network.
func canonicalPath(path string) string {
	if head, ok := strings.CutSuffix(path, ".name"); ok && isAxis(head) && axis(head) != host {
		return head
	}
	return path
}

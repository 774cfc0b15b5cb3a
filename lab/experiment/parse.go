package experiment

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

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
	root, err = convert(place{file: file}, docs[0])
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

// parseList reads a list in brackets that was written at a place which is not a file.
func parseList(text string, at place) (list *node, err error) {
	wrong := at.errorf("cannot be understood as a list such as [1, 2]")
	defer func() {
		if r := recover(); r != nil {
			list, err = nil, wrong
		}
	}()
	if len(text) > fileSizeMax || depth([]byte(text)) > depthMax {
		return nil, wrong
	}
	parsed, err := parser.ParseBytes([]byte(text), 0)
	if err != nil || len(parsed.Docs) != 1 {
		return nil, wrong
	}
	list, err = convert(at, parsed.Docs[0].Body)
	if err == nil && list.kind != listNode {
		return nil, wrong
	}
	return list, err
}

// convert turns the parser's tree into ours, which has only what experiments use. Everything in it was written at a
// place, or in the file that is the place.
func convert(from place, in ast.Node) (*node, error) {
	out := &node{at: from.of(in)}
	switch in := in.(type) {
	case *ast.NullNode:
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		out.kind, out.text = scalarNode, in.GetToken().Value
	case *ast.LiteralNode:
		out.kind, out.text = scalarNode, in.Value.Value
	case *ast.SequenceNode:
		out.kind = listNode
		for _, value := range in.Values {
			item, err := convert(from, value)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
	case *ast.MappingNode:
		out.kind = mapNode
		for _, value := range in.Values {
			if err := out.add(from, value); err != nil {
				return nil, err
			}
		}
	case *ast.MappingValueNode:
		out.kind = mapNode
		return out, out.add(from, in)
	case *ast.AnchorNode, *ast.AliasNode:
		return nil, out.at.errorf("experiments have no anchors and aliases; see extends")
	default:
		return nil, out.at.errorf("%s is not used in experiments", strings.ToLower(in.Type().String()))
	}
	return out, nil
}

func (n *node) add(from place, in *ast.MappingValueNode) error {
	at := from.of(in.Key)
	switch in.Key.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
	default:
		return at.errorf("a key is a word, not %s", strings.ToLower(in.Key.Type().String()))
	}
	key := in.Key.GetToken().Value
	if n.get(key) != nil {
		return at.errorf("key %q is there twice", key)
	}
	value, err := convert(from, in.Value)
	if err != nil {
		return err
	}
	if value.kind == nullNode {
		value.at = at // an absent value has no place of its own
	}
	n.entries = append(n.entries, entry{key, at, value})
	return nil
}

// of is the place of a piece of what was written here. An argument of the command line has no lines.
func (p place) of(in ast.Node) place {
	if token := in.GetToken(); p.set == "" && token != nil && token.Position != nil {
		p.line = token.Position.Line
	}
	return p
}

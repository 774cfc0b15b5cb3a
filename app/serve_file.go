//go:build !js

package app

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"throng/lab/experiment"
)

// readSettings reads a file of settings: nested maps, or dotted names, or both. What something is called (world: crowd) may
// also stand under name, as in experiments.
func readSettings(file string) ([]given, error) {
	documents, err := openSettings(file)
	if err != nil {
		return nil, err
	}
	var list []given
	for _, body := range documents {
		if list, err = flatten(file, "", body, list); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// openSettings reads a file of settings, and returns what each document in it holds.
func openSettings(file string) (documents []ast.Node, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &experiment.UserError{Where: file, Message: reason(err)}
	}
	return parseSettings(file, text)
}

// parseSettings parses a file of settings, and returns what each document in it holds.
func parseSettings(file string, text []byte) (documents []ast.Node, err error) {
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		var located yaml.Error
		if errors.As(err, &located) && located.GetToken() != nil {
			at := given{where: fmt.Sprintf("%s:%d", file, located.GetToken().Position.Line)}
			return nil, at.errorf("%s", located.GetMessage())
		}
		message, _, _ := strings.Cut(err.Error(), "\n")
		return nil, &experiment.UserError{Where: file, Message: message}
	}
	for _, document := range tree.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	return documents, nil
}

// flatten appends the values below a node with their paths.
func flatten(file, path string, n ast.Node, list []given) ([]given, error) {
	at := given{path: path, where: fmt.Sprintf("%s:%d", file, n.GetToken().Position.Line), layer: layerFile}
	switch n := n.(type) {
	case *ast.MappingNode:
		var err error
		for _, entry := range n.Values {
			if list, err = flattenEntry(file, path, entry, list); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *ast.MappingValueNode:
		return flattenEntry(file, path, n, list)
	case *ast.SequenceNode:
		var texts []string
		for _, v := range n.Values {
			item, ok := v.(ast.ScalarNode)
			if !ok {
				return nil, at.errorf("%s wants single values", path)
			}
			texts = append(texts, scalarText(item))
		}
		at.text = strings.Join(texts, ",")
	case *ast.NullNode:
		return nil, at.errorf("%s has no value", path)
	case ast.ScalarNode:
		at.text = scalarText(n)
	default:
		return nil, at.errorf("%s wants a value, not %s", path, strings.ToLower(n.Type().String()))
	}
	if path == "" {
		return nil, at.errorf("wants settings such as listen: 127.0.0.1:8080")
	}
	return append(list, at), nil
}

func flattenEntry(file, path string, entry *ast.MappingValueNode, list []given) ([]given, error) {
	key := keyText(entry)
	if path != "" {
		key = path + "." + key
	}
	if key == "world.name" || key == "mechanism.name" {
		key = path
	}
	return flatten(file, key, entry.Value, list)
}

func keyText(entry *ast.MappingValueNode) string {
	if scalar, ok := entry.Key.(ast.ScalarNode); ok {
		return scalarText(scalar)
	}
	return entry.Key.String()
}

// scalarText is a value as it was written, without quotes.
func scalarText(n ast.ScalarNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

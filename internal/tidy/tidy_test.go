// Package tidy holds the rules of the code base that a compiler does not know: which way dependencies point, and what the
// pure part may not contain.
package tidy

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "throng"

// file is one parsed Go file, with the folder of its package relative to the root.
type file struct {
	name, folder string
	test         bool
	set          *token.FileSet
	tree         *ast.File
}

// under reports whether the file is in one of the folders or below them.
func (f *file) under(folders ...string) bool {
	for _, d := range folders {
		if f.folder == d || strings.HasPrefix(f.folder, d+"/") {
			return true
		}
	}
	return false
}

func (f *file) at(p token.Pos) string {
	return f.name + ":" + strconv.Itoa(f.set.Position(p).Line)
}

func parse(t *testing.T) []*file {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("found only %d files", len(files))
	}
	return files
}

// parsed is every Go file of the tree.
var parsed = sync.OnceValues(func() (files []*file, err error) {
	root := os.DirFS("../..")
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, &file{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), set, tree})
		return nil
	})
	return files, err
})

// mayImport lists, for each part of the tree, which parts of throng it may use. What is missing may be used by nobody
// but those who list it.
var mayImport = []struct {
	part string
	uses []string
}{
	{"world", []string{"world"}},
	{"worlds", []string{"world"}},
	{"mechanism", []string{"world", "mechanism"}},
	{"lab", []string{"world", "mechanism", "lab", "catalog", "internal/json", "internal/param", "internal/image", "live/replica"}},
	{"lab/network", []string{"world", "lab/network", "internal/param"}},
	{"lab/churn", []string{"world", "mechanism", "lab/churn", "lab/network", "internal/param"}},
	{"lab/sim", []string{"world", "mechanism", "lab/churn", "lab/network", "lab/queue", "lab/sim", "live/replica/batch", "internal/param"}},
	{"catalog", []string{"world", "worlds", "mechanism", "lab/network", "internal/param"}},
	{"live", []string{"world", "mechanism", "catalog", "internal/param", "internal/image", "live"}},
	{"live/protocol", []string{"world", "mechanism", "live/protocol"}},
	{"live/driver", []string{"world", "mechanism"}},
	{"web", []string{"web", "world", "mechanism", "catalog", "internal/json", "internal/param", "lab/network", "lab/queue", "lab/record", "live/session", "live/protocol", "live/direct", "live/driver"}},
	{"app", []string{"app/recorder", "world", "mechanism", "lab", "catalog", "internal/param", "examples", "experiments", "live", "web"}},
	{"cmd", []string{"app"}},
	{"internal/param", []string{"world", "internal/param"}},
	{"internal/image", nil},
	{"internal/tidy", nil},
	{"internal/mutants", nil},
	{"internal/pages", nil},
}

func TestDependenciesPointOneWay(t *testing.T) {
	for _, f := range parse(t) {
		if f.test {
			continue // tests may reach further, as long as no cycle forms
		}
		for _, rule := range mayImport {
			if !f.under(rule.part) {
				continue
			}
			for _, imp := range f.tree.Imports {
				name, _ := strconv.Unquote(imp.Path.Value)
				used, inside := strings.CutPrefix(name, module+"/")
				if inside && !(&file{folder: used}).under(rule.uses...) {
					t.Errorf("%s: %s may not use %s", f.at(imp.Pos()), rule.part, used)
				}
			}
		}
	}
}

// pure are the folders that hold no clock, no input or output, no goroutine, no chance and no floating point.
var pure = []string{"world", "worlds", "mechanism"}

// Packages that the pure part does without: they bring time, chance, the outside world or other orders of events.
var impure = []string{"time", "math/rand", "math/rand/v2", "crypto/rand", "os", "io", "net", "net/http", "sync", "sync/atomic",
	"context", "log", "log/slog", "runtime", "syscall", "reflect"}

func TestPurePartUsesOnlyTheStandardLibrary(t *testing.T) {
	for _, f := range parse(t) {
		if f.test || !f.under(pure...) || isTestHelp(f) {
			continue
		}
		for _, imp := range f.tree.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			if first != module && strings.Contains(first, ".") {
				t.Errorf("%s: %s is not in the standard library", f.at(imp.Pos()), name)
			}
			for _, bad := range impure {
				if name == bad {
					t.Errorf("%s: the pure part does without %s", f.at(imp.Pos()), name)
				}
			}
		}
	}
}

// isTestHelp reports whether a file belongs to a package for tests: those may use testing and files.
func isTestHelp(f *file) bool {
	return f.under("world/worldtest", "mechanism/mechanismtest", "mechanism/parts/link/linktest")
}

func TestPurePartHasNoFloatsGoroutinesOrMapOrder(t *testing.T) {
	for _, f := range parse(t) {
		if f.test || !f.under(pure...) || isTestHelp(f) {
			continue
		}
		maps := mapNames(f.tree)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if n.Name == "float64" || n.Name == "float32" || n.Name == "complex128" {
					t.Errorf("%s: no floating point in the pure part: processors disagree on it", f.at(n.Pos()))
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT {
					t.Errorf("%s: no floating point in the pure part: processors disagree on it", f.at(n.Pos()))
				}
			case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
				t.Errorf("%s: no goroutines or channels in the pure part: drivers own those", f.at(n.Pos()))
			case *ast.RangeStmt:
				if name := lastName(n.X); maps[name] {
					t.Errorf("%s: ranging over the map %s: its order differs from run to run", f.at(n.Pos()), name)
				}
			}
			return true
		})
	}
}

// mapNames are the names of fields and variables in a file that are declared as maps. Types are not resolved: a map that
// gets its type from elsewhere escapes, one that shares its name with something else is a reason to rename it.
func mapNames(tree *ast.File) map[string]bool {
	names := map[string]bool{}
	declared := func(idents []*ast.Ident, typ ast.Expr) {
		if _, ok := typ.(*ast.MapType); ok {
			for _, id := range idents {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			declared(n.Names, n.Type)
		case *ast.ValueSpec:
			declared(n.Names, n.Type)
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				id, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident)
				if ok && isMapValue(right) {
					names[id.Name] = true
				}
			}
		}
		return true
	})
	return names
}

// isMapValue reports whether an expression is a map literal or make(map...).
func isMapValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		_, ok := e.Type.(*ast.MapType)
		return ok
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			_, ok := e.Args[0].(*ast.MapType)
			return ok
		}
	}
	return false
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// In a browser a program has no command line, and should not carry it along.
func TestCommandLineIsNotForBrowsers(t *testing.T) {
	for _, f := range parse(t) {
		if f.test || f.folder != "app" || f.name == "app/program.go" || f.name == "app/hooks.go" || strings.HasSuffix(f.name, "_js.go") {
			continue
		}
		if forBrowsers(f) {
			t.Errorf("%s: has no //go:build !js, and so would be part of the page", f.name)
		}
	}
}

// forBrowsers reports whether a file is compiled for browsers.
func forBrowsers(f *file) bool {
	for _, group := range f.tree.Comments {
		for _, line := range group.List {
			if expr, err := constraint.Parse(line.Text); err == nil && line.Pos() < f.tree.Package {
				return expr.Eval(func(tag string) bool { return tag == "js" || tag == "wasm" })
			}
		}
	}
	return true
}

func TestNoTestSleeps(t *testing.T) {
	for _, f := range parse(t) {
		if !f.test {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && lastName(s.X) == "time" && s.Sel.Name == "Sleep" {
				t.Errorf("%s: a test that sleeps is slow on a fast machine and fails on a slow one", f.at(n.Pos()))
			}
			return true
		})
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	said := map[string]bool{}
	for _, f := range parse(t) {
		doc := f.tree.Doc != nil && len(f.tree.Doc.Text()) > 40
		said[f.folder] = said[f.folder] || doc
	}
	for folder, ok := range said {
		if !ok {
			t.Errorf("%s has no package comment", folder)
		}
	}
}

package tidy

import (
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// page is a document of the tree.
type page struct {
	name, text string
}

// pages are all documents.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "out" || strings.HasPrefix(d.Name(), ".") && name != "../.."):
			return fs.SkipDir
		case path.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		all = append(all, page{strings.TrimPrefix(filepath.ToSlash(name), "../../"), string(text)})
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	return all
}

// exists reports whether there is a file or folder of the tree.
func exists(name string) bool {
	_, err := os.Stat(path.Join("../..", name))
	return err == nil
}

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)`)
	for _, p := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(p.text, -1) {
			if to := m[1]; !strings.Contains(to, "://") && !exists(path.Join(path.Dir(p.name), to)) {
				t.Errorf("%s: there is no %s", p.name, to)
			}
		}
	}
}

func TestTheIndexHasEveryDocument(t *testing.T) {
	all := pages(t)
	index := all[slices.IndexFunc(all, func(p page) bool { return p.name == "docs/README.md" })]
	for _, p := range all {
		name, ok := strings.CutPrefix(p.name, "docs/")
		if ok && p.name != index.name && !strings.Contains(index.text, "]("+name+")") {
			t.Errorf("%s does not lead to %s: add a line", index.name, p.name)
		}
	}
}

// TestFilesInDocumentsAreThere looks for what documents call by its path, or by the name of a Go file.
func TestFilesInDocumentsAreThere(t *testing.T) {
	var folders, files []string
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".go" {
			files = append(files, d.Name())
		}
		if err == nil && d.IsDir() && path.Dir(filepath.ToSlash(name)) == "../.." {
			folders = append(folders, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([a-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*/?)`")
	for _, p := range pages(t) {
		if p.name == "CHANGELOG.md" {
			continue // tells of what was
		}
		for _, m := range name.FindAllStringSubmatch(p.text, -1) {
			first, rest, _ := strings.Cut(m[1], "/")
			switch {
			case strings.Contains(m[1], "NAME") || first == "out" || first == "bin":
			case rest == "" && path.Ext(m[1]) == ".go" && !slices.Contains(files, m[1]),
				rest != "" && slices.Contains(folders, first) && !exists(m[1]) && !exists(path.Join(path.Dir(p.name), m[1])):
				t.Errorf("%s: there is no %s", p.name, m[1])
			}
		}
	}
}

// TestNamesInDocumentsAreDeclared looks for what documents call by its package, such as `world.Rules`.
func TestNamesInDocumentsAreDeclared(t *testing.T) {
	declared := map[string]bool{}
	packages := map[string]bool{}
	for _, f := range parse(t) {
		name := strings.TrimSuffix(f.tree.Name.Name, "_test")
		packages[name] = true
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.IsExported() {
				declared[name+"."+id.Name] = true // or used there, which for a word in a document is as good
			}
			return true
		})
	}
	name := regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]+)[.(`]")
	for _, p := range pages(t) {
		if p.name == "CHANGELOG.md" {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(p.text, -1) {
			if packages[m[1]] && !declared[m[1]+"."+m[2]] {
				t.Errorf("%s: there is no %s.%s", p.name, m[1], m[2])
			}
		}
	}
}

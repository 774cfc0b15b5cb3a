package tidy

import (
	"go/ast"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"throng/internal/documents"
)

// root is the root of the tree.
const root = "../.."

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)`)
	for _, p := range documents.Read(t, root) {
		for _, m := range link.FindAllStringSubmatch(p.Text, -1) {
			if to := m[1]; !strings.Contains(to, "://") && !documents.Exist(root, path.Join(path.Dir(p.Name), to)) {
				t.Errorf("%s: there is no %s", p.Name, to)
			}
		}
	}
}

func TestTheIndexHasEveryDocument(t *testing.T) {
	all := documents.Read(t, root)
	index := all[slices.IndexFunc(all, func(p documents.Page) bool { return p.Name == "docs/README.md" })]
	for _, p := range all {
		name, ok := strings.CutPrefix(p.Name, "docs/")
		if ok && p.Name != index.Name && !strings.Contains(index.Text, "]("+name+")") {
			t.Errorf("%s does not lead to %s: add a line", index.Name, p.Name)
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
	for _, p := range documents.Read(t, root) {
		if p.Name == "CHANGELOG.md" {
			continue // tells of what was
		}
		for _, m := range name.FindAllStringSubmatch(p.Text, -1) {
			first, rest, _ := strings.Cut(m[1], "/")
			switch {
			case strings.Contains(m[1], "NAME") || first == "out" || first == "bin":
			case rest == "" && path.Ext(m[1]) == ".go" && !slices.Contains(files, m[1]),
				rest != "" && slices.Contains(folders, first) && !documents.Exist(root, m[1]) && !documents.Exist(root, path.Join(path.Dir(p.Name), m[1])):
				t.Errorf("%s: there is no %s", p.Name, m[1])
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
	for _, p := range documents.Read(t, root) {
		if p.Name == "CHANGELOG.md" {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(p.Text, -1) {
			if packages[m[1]] && !declared[m[1]+"."+m[2]] {
				t.Errorf("%s: there is no %s.%s", p.Name, m[1], m[2])
			}
		}
	}
}

// TestMetricsAreDocumented looks for the names of metrics that no operator can look up.
func TestMetricsAreDocumented(t *testing.T) {
	var pages string // for operators
	for _, p := range documents.Read(t, root) {
		if p.Name == "docs/serving.md" || p.Name == "docs/cluster.md" {
			pages += p.Text
		}
	}
	name, found := regexp.MustCompile(`^"throng_[a-z_]+"$`), 0
	for _, f := range parse(t) {
		if f.test || !f.under("live", "app") {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && name.MatchString(l.Value) {
				if found++; !strings.Contains(pages, strings.Trim(l.Value, `"`)) {
					t.Errorf("%s: %s has no row in docs/serving.md", f.at(l.Pos()), l.Value)
				}
			}
			return true
		})
	}
	if found < 10 {
		t.Errorf("%d metrics are found", found)
	}
}

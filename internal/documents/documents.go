// Package documents reads the documents of the tree, for tests of what they say.
package documents

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Page is a document.
type Page struct{ Name, Text string }

// Read returns all documents below the root of the tree, by their paths from there.
func Read(t testing.TB, root string) []Page {
	t.Helper()
	var all []Page
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "out" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case path.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		all = append(all, Page{name, string(text)})
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	return all
}

// Exist reports whether there is a file or folder of the tree.
func Exist(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}

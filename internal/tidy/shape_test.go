package tidy

import (
	"go/ast"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"throng/catalog"
)

// What wants to be longer wants to be two things.
const (
	linesPerFile     = 400
	linesPerFunction = 70
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	for _, f := range parse(t) {
		if n := f.set.File(f.tree.Pos()).LineCount(); n > linesPerFile {
			t.Errorf("%s has %d lines, more than %d", f.name, n, linesPerFile)
		}
		if f.test {
			continue // a table of cases may be long
		}
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := f.set.Position(fn.End()).Line - f.set.Position(fn.Pos()).Line + 1; n > linesPerFunction {
				t.Errorf("%s: %s has %d lines, more than %d", f.at(fn.Pos()), fn.Name.Name, n, linesPerFunction)
			}
		}
	}
}

// The parts that deal with any world and any mechanism: who of them names one has a branch for it, which belongs into that world
// or mechanism behind an optional interface.
var general = []string{"world", "mechanism/parts", "mechanism/mechanismtest", "lab", "live", "web", "app", "cmd"}

// exception is a folder that names something nevertheless.
type exception struct{ folder, names string }

var exceptions = []exception{
	{"mechanism/parts", "mechanism/parts"},
	{"mechanism/parts/link/linktest", "mechanism/mechanismtest"},
	{"lab/sim", "mechanism/parts/memo"}, // what replicas in one process share
	{"live/bots", "mechanism/parts/memo"},
}

func TestOnlyTheCatalogNamesWorldsAndMechanisms(t *testing.T) {
	needed := map[exception]bool{}
	for _, f := range parse(t) {
		if f.test || !f.under(general...) {
			continue
		}
		for _, imp := range f.tree.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			used, _ := strings.CutPrefix(name, module+"/")
			one := &file{folder: used}
			if used == "mechanism" || !one.under("worlds", "mechanism") {
				continue
			}
			i := slices.IndexFunc(exceptions, func(e exception) bool { return f.under(e.folder) && one.under(e.names) })
			if i < 0 {
				t.Errorf("%s: only the catalog names %s", f.at(imp.Pos()), used)
			} else {
				needed[exceptions[i]] = true
			}
		}
	}
	for _, e := range exceptions {
		if !needed[e] {
			t.Errorf("%s no longer names %s and needs no exception", e.folder, e.names)
		}
	}
}

func TestMechanismsDoNotNameEachOther(t *testing.T) {
	for _, f := range parse(t) {
		if f.test || !f.under("mechanism") || f.under("mechanism/parts", "mechanism/mechanismtest") {
			continue
		}
		for _, imp := range f.tree.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			used, _ := strings.CutPrefix(name, module+"/")
			if one := (&file{folder: used}); used != "mechanism" && one.under("mechanism") && !one.under("mechanism/parts", f.folder) {
				t.Errorf("%s: what mechanisms share is in mechanism/parts, not in %s", f.at(imp.Pos()), used)
			}
		}
	}
}

// A folder below mechanism or worlds is one entry of the catalog, and a mechanism has its page.
func TestTheTreeShowsTheCatalog(t *testing.T) {
	c := catalog.Default()
	var mechanisms, worlds []string
	for _, m := range c.Mechanisms {
		mechanisms = append(mechanisms, m.Name)
		if _, err := os.Stat("../../docs/mechanisms/" + m.Name + ".md"); err != nil {
			t.Errorf("mechanism %s: %v", m.Name, err)
		}
	}
	for _, w := range c.Worlds {
		worlds = append(worlds, w.Name)
	}
	for root, known := range map[string][]string{"mechanism": append(mechanisms, "parts", "mechanismtest"), "worlds": worlds} {
		entries, err := os.ReadDir(path.Join("../..", root))
		if err != nil {
			t.Fatal(err)
		}
		var folders []string
		for _, e := range entries {
			if e.IsDir() {
				folders = append(folders, e.Name())
				if !slices.Contains(known, e.Name()) {
					t.Errorf("%s/%s is not in the catalog", root, e.Name())
				}
			}
		}
		for _, name := range known {
			if !slices.Contains(folders, name) {
				t.Errorf("%s %s of the catalog is not in a folder of its own", root, name)
			}
		}
	}
}

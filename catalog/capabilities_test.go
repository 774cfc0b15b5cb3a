package catalog_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"throng/catalog"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

const (
	root   = ".."
	tables = root + "/docs/capabilities.md"
)

// capability is one of a contract's optional interfaces.
type capability struct {
	name string
	of   reflect.Type
}

func named[C any](name string) capability { return capability{name, reflect.TypeFor[C]()} }

var ofMechanisms = []capability{
	named[mechanism.Admitting]("Admitting"), named[mechanism.Arriving]("Arriving"), named[mechanism.Authority]("Authority"), named[mechanism.Cheating]("Cheating"), named[mechanism.Clouded]("Clouded"),
	named[mechanism.Converging]("Converging"), named[mechanism.Departing]("Departing"), named[mechanism.Described]("Described"), named[mechanism.Differing]("Differing"), named[mechanism.Enduring]("Enduring"),
	named[mechanism.Holder]("Holder"), named[mechanism.Idealised]("Idealised"), named[mechanism.Lagging]("Lagging"), named[mechanism.Recorded]("Recorded"),
	named[mechanism.Lightening]("Lightening"), named[mechanism.Lingering]("Lingering"), named[mechanism.Mapped]("Mapped"), named[mechanism.Mingling]("Mingling"), named[mechanism.Ordered]("Ordered"),
	named[mechanism.Paced]("Paced"), named[mechanism.Placing]("Placing"), named[mechanism.Playable]("Playable"), named[mechanism.Serial]("Serial"), named[mechanism.Relaying]("Relaying"), named[mechanism.Served]("Served"), named[mechanism.Shadowed]("Shadowed"),
	named[mechanism.Simulating]("Simulating"), named[mechanism.Sized]("Sized"), named[mechanism.Slowing]("Slowing"), named[mechanism.Watching]("Watching"),
	named[mechanism.Zoned]("Zoned"),
}

var ofWorlds = []capability{
	named[world.Answerer]("Answerer"), named[world.Coster]("Coster"), named[world.Depicted]("Depicted"),
	named[world.Explained]("Explained"), named[world.Gatherer]("Gatherer"), named[world.Inhabited]("Inhabited"), named[world.Limited]("Limited"),
	named[world.Patient]("Patient"), named[world.Playable]("Playable"), named[world.Scenic]("Scenic"), named[world.Scored]("Scored"),
	named[world.Spoken]("Spoken"), named[world.Still]("Still"), named[world.Valued]("Valued"), named[world.Veiled]("Veiled"),
}

// notCapabilities are interfaces that stand beside the capabilities which need them.
var notCapabilities = []string{"Witness", "LightClient"}

// part is something of a world or a mechanism that may have capabilities.
type part struct {
	name  string
	value any
}

func mechanismParts(t *testing.T, m catalog.Mechanism, w world.World) []part {
	config := catalog.Defaults(m.New())
	parts := []part{{"yes", config}}
	s := &mechanism.Session{World: w, Start: world.NewState(w.Schema(), 1), Places: config.Places(w)}
	w.Populate(s.Start)
	seen := map[string]bool{}
	for _, p := range s.Places {
		if seen[p.Role] {
			continue
		}
		seen[p.Role] = true
		node, err := config.NewNode(s, p)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{p.Role, node})
	}
	return parts
}

func worldParts(t *testing.T, config catalog.WorldConfig) []part {
	w, err := config.World()
	if err != nil {
		t.Fatal(err)
	}
	return []part{{"yes", w}, {"player", w.Player(1, random.New(1, "player"))}, {"parameters", config}}
}

// has reports whether a part has a capability. Rules that contain their parameters have theirs only by accident.
func (p *part) has(c capability) bool {
	return reflect.TypeOf(p.value).Implements(c.of) && (c.name != "Playable" || p.name == "parameters")
}

// table says which parts of whom have which capability.
func table(all []capability, names []string, parts map[string][]part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n| --- |%s\n", strings.Join(names, " | "), strings.Repeat(" --- |", len(names)))
	for _, c := range all {
		fmt.Fprintf(&b, "| `%s` |", c.name)
		for _, name := range names {
			var have []string
			for _, p := range parts[name] {
				if p.has(c) {
					have = append(have, p.name)
				}
			}
			fmt.Fprintf(&b, " %s |", strings.Join(have, ", "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func everything(t *testing.T) (mechanisms, worlds map[string][]part, mechanismNames, worldNames []string) {
	c := catalog.Default()
	mechanisms, worlds = map[string][]part{}, map[string][]part{}
	for _, w := range c.Worlds {
		worldNames = append(worldNames, w.Name)
		worlds[w.Name] = worldParts(t, catalog.Defaults(w.New()))
		config := catalog.Defaults(w.New())
		if p, ok := config.(world.Playable); ok {
			p.Play()
			name := w.Name + " (play)"
			worldNames = append(worldNames, name)
			worlds[name] = worldParts(t, config)
		}
	}
	for _, m := range c.Mechanisms {
		mechanismNames = append(mechanismNames, m.Name)
		mechanisms[m.Name] = mechanismParts(t, m, worlds[worldNames[0]][0].value.(world.World))
	}
	return mechanisms, worlds, mechanismNames, worldNames
}

// docs/capabilities.md says who has what; run with -update to write it anew.
func TestTablesOfCapabilities(t *testing.T) {
	mechanisms, worlds, mechanismNames, worldNames := everything(t)
	want := "# Capabilities\n\n" +
		"What mechanisms and worlds can do beyond their contract, each a small interface that drivers, measures and mechanisms ask for. A test writes this page.\n\n" +
		"## Mechanisms\n\n`mechanism/capabilities.go` describes each. Where it is not the mechanism itself that has one (yes), the roles of the nodes that do are named.\n\n" +
		table(ofMechanisms, mechanismNames, mechanisms) +
		"\n## Worlds\n\n`world/capabilities.go` describes each. It is the rules that have one (yes), the artificial player, or the parameters.\n\n" +
		table(ofWorlds, worldNames, worlds)
	if flag.Lookup("update").Value.String() == "true" { // package mechanismtest has it
		if err := os.WriteFile(tables, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(tables); err != nil || string(got) != want {
		t.Errorf("%s is out of date (%v): go test ./catalog -run Capabilities -update", tables, err)
	}
}

// Every interface among the capabilities is in the tables.
func TestCapabilitiesAreInTheTables(t *testing.T) {
	for file, all := range map[string][]capability{"mechanism/capabilities.go": ofMechanisms, "world/capabilities.go": ofWorlds} {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				_, is := spec.Type.(*ast.InterfaceType)
				listed := slices.ContainsFunc(all, func(c capability) bool { return c.name == spec.Name.Name })
				if is && !listed && !slices.Contains(notCapabilities, spec.Name.Name) {
					t.Errorf("%s: %s is in no table", file, spec.Name.Name)
				}
			}
			return true
		})
	}
}

// A capability is asserted where it is implemented, so that a renamed method does not silently switch it off.
func TestCapabilitiesAreAsserted(t *testing.T) {
	mechanisms, worlds, _, _ := everything(t)
	for contract, groups := range map[string]map[string][]part{"mechanism": mechanisms, "world": worlds} {
		all := map[string][]capability{"mechanism": ofMechanisms, "world": ofWorlds}[contract]
		for _, parts := range groups {
			for _, p := range parts {
				asserted(t, contract, p, all)
			}
		}
	}
}

func asserted(t *testing.T, contract string, p part, all []capability) {
	t.Helper()
	of := reflect.TypeOf(p.value)
	if of.Kind() != reflect.Pointer {
		return
	}
	source := sourceOf(t, strings.TrimPrefix(of.Elem().PkgPath(), "throng/"))
	for _, c := range all {
		line := fmt.Sprintf(`_\s+%s\.%s\s+= \(\*%s\)\(nil\)`, contract, c.name, of.Elem().Name())
		if p.has(c) && !regexp.MustCompile(line).MatchString(source) {
			t.Errorf("%s: missing: var _ %s.%s = (*%s)(nil)", of.Elem().PkgPath(), contract, c.name, of.Elem().Name())
		}
	}
}

// sourceOf is all code of a package, tests left out.
func sourceOf(t *testing.T, folder string) string {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && !strings.HasSuffix(f, "_test.go") {
			b.Write(text)
		}
	}
	return b.String()
}

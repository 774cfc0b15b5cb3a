package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltInErrors(t *testing.T) {
	source := files(map[string]string{
		"adam/delay.yaml": "seed: x\n",
		"adam/long.yaml":  strings.Repeat("#", fileSizeMax+1),
		"adam/two.yaml":   `network: {"a\nb": }`,
	})
	for name, want := range map[string]string{
		"adam/delay":    `built-in/adam/delay.yaml:1: seed: "x" is not a whole number; allowed: 0..`,
		"adam/dealy":    `unknown experiment "adam/dealy"; did you mean "adam/delay"?`,
		"something":     `unknown experiment "something"; known: adam/delay, adam/long, adam/two`,
		"adam/long":     "built-in/adam/long.yaml: too long for an experiment; allowed: 65536 bytes",
		"adam/two":      `built-in/adam/two.yaml:1: network.a b has no value`,
		"":              `"" is neither the name of an experiment (see throng list) nor the path of a .yaml file`,
		"none/x.yaml":   "cannot read none/x.yaml: no such file or directory",
		"testdata.yaml": "cannot read testdata.yaml: no such file or directory",
	} {
		if _, err := Load(source, name, Options{}, testSpace()); err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", name, err, want)
		}
	}
	want := `unknown experiment "x"; there are none`
	if _, err := Load(Source{}, "x", Options{}, testSpace()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSourcePrefersTheDirectory(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("mine.yaml", plain+"title: On disk\n")
	write("notes.txt", "not an experiment")
	source := files(map[string]string{"mine.yaml": plain, "yours.yaml": plain + "title: Built in\n"})
	source.Dir = dir
	names, err := source.Names()
	if err != nil || strings.Join(names, " ") != "mine yours" {
		t.Errorf("names %v, %v", names, err)
	}
	for name, want := range map[string]string{
		"mine": "On disk", "yours": "Built in", filepath.Join(dir, "mine.yaml"): "On disk",
	} {
		if title, err := source.Title(name); err != nil || title != want {
			t.Errorf("title of %s is %q, %v; want %q", name, title, err, want)
		}
	}
	e, err := Load(source, filepath.Join(dir, "mine.yaml"), Options{}, testSpace())
	if err != nil || e.Name != "mine" {
		t.Errorf("loaded by path: %+v, %v", e, err)
	}
	missing := Source{Dir: filepath.Join(dir, "none")}
	if names, err := missing.Names(); err != nil || len(names) != 0 {
		t.Errorf("names in a directory that is not there: %v, %v", names, err)
	}
}

func TestFileParameterIsRelativeToItsExperiment(t *testing.T) {
	source := files(map[string]string{
		"adam/x.yaml":     "world: pong\nmechanism: ideal\nnetwork: {name: matrix, file: data/m.csv}\n",
		"adam/data/m.csv": "1,2\n",
	})
	e, err := Load(source, "adam/x", Options{}, testSpace())
	if err != nil {
		t.Fatal(err)
	}
	name := value(t, e, "network.file")
	f, err := source.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if name != "built-in/adam/data/m.csv" {
		t.Errorf("file is %s", name)
	}
	e, err = Load(source, "adam/x", Options{Set: []string{"network.file=load_test.go"}}, testSpace())
	if err != nil {
		t.Fatal(err)
	}
	if name := value(t, e, "network.file"); name != "load_test.go" {
		t.Errorf("file from the command line is %s", name)
	}
}

func FuzzLoad(f *testing.F) {
	seeds, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range seeds {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "network.delay=1ms")
	}
	f.Add(plain+"quick: {sweep: {network.delay: [1ms, 2ms]}}\n", "case=x")
	f.Fuzz(func(t *testing.T, text, set string) {
		source := files(map[string]string{"x.yaml": text, "base.yaml": plain})
		for _, opts := range []Options{{}, {Quick: true, Set: []string{set}}} {
			e, err := Load(source, "x", opts, testSpace())
			var user *UserError
			switch {
			case err == nil && len(e.Points()) == 0:
				t.Error("an experiment without points")
			case err != nil && !errors.As(err, &user):
				t.Errorf("not a UserError: %v", err)
			case err != nil && strings.ContainsAny(err.Error(), "\n"):
				t.Errorf("more than one line: %q", err)
			}
		}
	})
}

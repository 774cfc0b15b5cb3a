package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// module is the code that is broken: the packages to break, and who imports whom.
type module struct {
	root      string
	files     []source // that may be broken
	importers map[string][]string
	tested    map[string]bool   // packages that have tests
	folders   map[string]string // where packages are
}

// source is a file of a package.
type source struct{ path, folder, pkg string }

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports                            []string
	Module                             *struct{ Path, Dir string }
}

func load(ctx context.Context, patterns []string) (*module, error) {
	m := &module{importers: map[string][]string{}, tested: map[string]bool{}, folders: map[string]string{}}
	chosen, err := list(ctx, patterns)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, []string{"./..."})
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		m.root, m.folders[p.ImportPath] = p.Module.Dir, p.Dir
		m.tested[p.ImportPath] = len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		for _, imp := range p.Imports {
			m.importers[imp] = append(m.importers[imp], p.ImportPath)
		}
	}
	for _, p := range chosen {
		folder, err := filepath.Rel(m.root, p.Dir)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(folder, "test") {
			continue // made for tests: nothing tests them but the tests that they are for
		}
		for _, name := range p.GoFiles {
			m.files = append(m.files, source{filepath.Join(p.Dir, name), folder, p.ImportPath})
		}
	}
	return m, nil
}

func list(ctx context.Context, patterns []string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// mutations are all that can be done to the chosen packages.
func (m *module) mutations() ([]mutation, error) {
	var all []mutation
	for _, f := range m.files {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return nil, err
		}
		found, err := find(filepath.Join(f.folder, filepath.Base(f.path)), f.folder, text)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

type verdict string

const (
	unfit    verdict = ""         // it does not compile
	caught   verdict = "caught"   // a test failed
	hung     verdict = "hung"     // a test did not end, which is noticed too
	survived verdict = "survived" // no test minded
)

// outcome is what became of a mutation.
type outcome struct {
	mutation
	verdict       verdict
	by            string // the package whose tests noticed
	before, after string
	took          time.Duration
}

func (o *outcome) headline() string {
	text := fmt.Sprintf("%s:%d: %s (%.1f s)", o.file, o.line, o.kind, o.took.Seconds())
	if o.by != "" && !strings.HasSuffix(o.by, o.folder) {
		text += " by " + o.by
	}
	return text
}

// tester runs tests against changed code.
type tester struct {
	module  *module
	scratch string
	slowest time.Duration
	with    []string                 // packages that the user wants asked too
	usual   map[string]time.Duration // how long the tests of a package take when nothing is broken
}

func newTester(m *module, o options) (*tester, error) {
	scratch, err := os.MkdirTemp("", "mutants")
	return &tester{m, scratch, o.slowest, o.with, map[string]time.Duration{}}, err
}

func (t *tester) close() { os.RemoveAll(t.scratch) }

// try finds out whether anybody notices a mutation.
func (t *tester) try(ctx context.Context, m *mutation) (outcome, error) {
	began := time.Now()
	path := filepath.Join(t.module.root, m.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return outcome{}, err
	}
	overlay, err := t.overlay(path, m.apply(text))
	if err != nil {
		return outcome{}, err
	}
	out := outcome{mutation: *m, verdict: survived}
	out.before, out.after = m.lines(text)
	for _, pkg := range t.witnesses(m) {
		limit, err := t.limit(ctx, pkg)
		if err != nil {
			return out, err
		}
		if v := t.test(ctx, pkg, overlay, limit); v != survived {
			out.verdict, out.by = v, pkg
			break
		}
	}
	out.took = time.Since(began)
	return out, nil
}

// witnesses are the packages whose tests should notice, the nearest first: the package's own, those that the user named, and for
// a part of mechanisms the mechanisms that are made of it.
func (t *tester) witnesses(m *mutation) []string {
	i := slices.IndexFunc(t.module.files, func(f source) bool { return f.folder == m.folder })
	own := t.module.files[i].pkg
	all := append([]string{own}, t.with...)
	if strings.Contains(own, "/parts/") {
		all = append(all, t.module.importers[own]...)
	}
	return slices.DeleteFunc(all, func(p string) bool { return !t.module.tested[p] })
}

// overlay writes a changed file and says what it replaces.
func (t *tester) overlay(path string, changed []byte) (string, error) {
	broken, overlay := filepath.Join(t.scratch, "broken.go"), filepath.Join(t.scratch, "overlay.json")
	if err := os.WriteFile(broken, changed, 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: broken}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// limit is how long the tests of a package may take: some times as long as when nothing is broken.
func (t *tester) limit(ctx context.Context, pkg string) (time.Duration, error) {
	if _, known := t.usual[pkg]; !known {
		began := time.Now()
		if v := t.test(ctx, pkg, "", t.slowest); v != survived && ctx.Err() == nil {
			return 0, fmt.Errorf("the tests of %s do not pass as the code stands", pkg)
		}
		t.usual[pkg] = time.Since(began)
	}
	return min(t.slowest, 10*time.Second+4*t.usual[pkg]), nil
}

// failures are the files in which rapid keeps what made a test of a package fail: of broken code nobody wants to know that.
func (t *tester) failures(pkg string) []string {
	files, _ := filepath.Glob(filepath.Join(t.module.folders[pkg], "testdata", "rapid", "*", "*.fail"))
	return files
}

// bounded runs a test with little memory: what is broken may ask for more and more of it.
const bounded = `sh -c 'ulimit -v 8000000; exec "$0" "$@"'`

// test runs the tests of one package.
func (t *tester) test(ctx context.Context, pkg, overlay string, limit time.Duration) verdict {
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String(), "-exec", bounded}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir = t.module.root
	had := t.failures(pkg)
	out, err := cmd.CombinedOutput()
	for _, file := range t.failures(pkg) {
		if !slices.Contains(had, file) {
			os.Remove(file)
		}
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived
	case errors.As(err, &exit) && bytes.Contains(out, []byte("[build failed]")):
		return unfit
	case bytes.Contains(out, []byte("panic: test timed out")):
		return hung
	}
	return caught
}

package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes a module with one main package, which needs nothing else.
func module(t *testing.T, source string) Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module game\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOCACHE", goEnv(t, "GOCACHE")) // asked for before the next line, which is to change only our own
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return Program{Package: "game", Dir: dir, Folder: dir}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestClient(t *testing.T) {
	p := module(t, fmt.Sprintf("package main\n\nfunc main() { println(%q) }\n", t.TempDir())) // another one each time, or it has been compiled before
	var seen []string
	c, err := p.Client(t.Context(), func(pkg string) { seen = append(seen, pkg) })
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(c.Program, []byte("\x00asm")) || !bytes.Contains(c.Script, []byte("globalThis.Go")) {
		t.Errorf("a program of %d bytes and a script of %d", len(c.Program), len(c.Script))
	}
	if !slices.Contains(seen, "game") {
		t.Errorf("compiled %q", seen)
	}
	seen = nil
	again, err := p.Client(t.Context(), func(pkg string) { seen = append(seen, pkg) })
	if err != nil || !bytes.Equal(again.Program, c.Program) || len(seen) > 0 {
		t.Errorf("another program, or compiled again: %q, %v", seen, err)
	}
}

func TestClientWithMistakes(t *testing.T) {
	p := module(t, "package main\n\nfunc main() { nothing() }\n")
	_, err := p.Client(t.Context(), func(string) {})
	var wrong *BuildError
	if !errors.As(err, &wrong) || !strings.Contains(wrong.Output, "main.go:3:15: undefined: nothing") {
		t.Errorf("got %v", err)
	}
}

func TestClientIsGivenUp(t *testing.T) {
	p := module(t, "package main\n\nfunc main() {}\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Client(ctx, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFollow(t *testing.T) {
	var seen []string
	problems := follow(strings.NewReader("internal/cpu\nexample.com/game\n# example.com/game\n./main.go:3:2: undefined: x\n"),
		func(pkg string) { seen = append(seen, pkg) })
	if !slices.Equal(seen, []string{"internal/cpu", "example.com/game"}) || problems != "# example.com/game\n./main.go:3:2: undefined: x\n" {
		t.Errorf("packages %q, problems %q", seen, problems)
	}
}

func TestIn(t *testing.T) {
	p := module(t, "package main\n\nfunc main() {}\n")
	elsewhere := t.TempDir()
	for _, c := range []struct {
		pkg, dir, module string
		found            bool
	}{
		{"game", p.Dir, "game", true},
		{".", p.Dir, "game", true},
		{".", p.Dir, "", true},
		{"game", p.Dir, "other", false}, // a module of the same package's name, but not the one that it was built from
		{"other", p.Dir, "game", false},
		{"game", elsewhere, "game", false},
		{"fmt", p.Dir, "", false}, // no main package
	} {
		got, ok := Program{Package: c.pkg}.in(t.Context(), c.dir, c.module)
		if ok != c.found || ok && (got.Dir != c.dir || got.Folder != c.dir) {
			t.Errorf("%s of %s in %s: %t, %+v", c.pkg, c.module, c.dir, ok, got)
		}
	}
}

func TestCandidates(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source := t.TempDir()
	if got := candidates(source); len(got) < 2 || got[0] != source || got[1] != dir {
		t.Errorf("got %q", got)
	}
	for _, unknown := range []string{"", "throng/cmd/throng", filepath.Join(source, "gone")} { // the second is what -trimpath leaves
		if got := candidates(unknown); got[0] != dir {
			t.Errorf("%q: got %q", unknown, got)
		}
	}
}

// A test's own sources are no main package: what is said then is what somebody reads whose sources are elsewhere.
func TestFindSaysWhatToDo(t *testing.T) {
	_, err := Find(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), "throng bundle") || !strings.Contains(err.Error(), "run the program in the folder of its module") {
		t.Errorf("got %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context(), ""); !errors.Is(err, ErrNoToolchain) {
		t.Errorf("without a go command: %v", err)
	}
}

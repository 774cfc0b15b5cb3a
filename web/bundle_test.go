package web

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"throng/web/internal/toolchain"
)

// A bundled program needs neither sources nor a toolchain, and leaves nothing behind in its sources.
func TestBundledProgramHasItsPageInside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole program")
	}
	t.Setenv("GOCACHE", goCache(t)) // before the next line, by which it would be another
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	archive, err := pack(map[string][]byte{"play.html": []byte("<p>out of the archive"), "client.wasm": []byte("\x00asm")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("../cmd/throng")
	if err != nil {
		t.Fatal(err)
	}
	program := toolchain.Program{Package: "throng/cmd/throng", Dir: source, Folder: source}
	executable := filepath.Join(t.TempDir(), "throng")
	var said strings.Builder
	if err := program.Executable(t.Context(), archive, executable, []string{"-ldflags=-s -w"}, &said); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if left, _ := filepath.Glob(filepath.Join(source, "throng_page*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	served := exec.CommandContext(t.Context(), executable, "serve", "--listen", "127.0.0.1:0", "--no-webtransport", "--world", "pong")
	served.Dir, served.Env = t.TempDir(), []string{"PATH="}
	out, err := served.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := served.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		served.Process.Kill()
		served.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("the server says %q, %v", line, err)
	}
	for path, want := range map[string]string{"/": "<p>out of the archive", "/client.wasm": "\x00asm"} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := body(t, r); got != want {
			t.Errorf("%s: %s, %q", path, r.Status, got)
		}
		r.Body.Close()
	}
}

func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

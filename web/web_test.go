package web

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"throng/web/internal/asset"
	"throng/web/internal/toolchain"
)

func get(h http.Handler, method, path string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// page is one that is made when it is asked for, with a client that some function compiles.
func page(t *testing.T, compile func(w *builder) (toolchain.Client, error)) http.Handler {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := newBuilder(t.Context(), Config{})
	w.begin = func() {}
	w.make(func() (toolchain.Client, error) { return compile(w) })
	return serve(w)
}

func TestThePageIsThereBeforeItsClient(t *testing.T) {
	w := newBuilder(t.Context(), Config{})
	w.begin = func() {}
	w.compiling("throng/world")
	w.compiling("throng/worlds/rts")
	h := serve(w)
	if r := get(h, "GET", "/"); r.StatusCode != http.StatusOK || !strings.Contains(body(t, r), `src="/play.js"`) {
		t.Errorf("the page: %s", r.Status)
	}
	r := get(h, "GET", "/client.wasm")
	var news progress
	if err := json.NewDecoder(r.Body).Decode(&news); err != nil || r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the client: %s, %v, %v", r.Status, err, r.Header)
	}
	if news != (progress{Compiling: "throng/worlds/rts", Packages: 2}) {
		t.Errorf("progress: %+v", news)
	}
}

// Whoever asks for what is not there has nothing compiled.
func TestStrangersBeginNothing(t *testing.T) {
	b, begun := newBuilder(t.Context(), Config{}), 0
	b.begin = func() { begun++ }
	h := serve(b)
	if get(h, "GET", "/wp-login.php"); begun != 0 {
		t.Error("compiles for a stranger")
	}
	if get(h, "GET", "/"); begun == 0 {
		t.Error("does not compile for a visitor")
	}
}

func TestTheClientIsServedOnceItIsThere(t *testing.T) {
	h := page(t, func(*builder) (toolchain.Client, error) {
		return toolchain.Client{Program: []byte("\x00asm"), Script: []byte("globalThis.Go=0")}, nil
	})
	for path, want := range map[string]string{"/client.wasm": "\x00asm", "/wasm_exec.js": "globalThis.Go=0"} {
		if r := get(h, "GET", path); r.StatusCode != http.StatusOK || body(t, r) != want {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}

func TestThePageSaysWhyThereIsNoClient(t *testing.T) {
	h := page(t, func(*builder) (toolchain.Client, error) { return toolchain.Client{}, errors.New("no compiler") })
	r := get(h, "GET", "/client.wasm")
	if text := body(t, r); r.StatusCode != http.StatusInternalServerError || !strings.Contains(text, `"failed":"no compiler"`) {
		t.Errorf("%s: %s", r.Status, text)
	}
}

func TestVisitorsDoNotSeeSources(t *testing.T) {
	h := page(t, func(*builder) (toolchain.Client, error) {
		return toolchain.Client{}, &toolchain.BuildError{Package: "game", Output: "secret.go:1:1: undefined: x", Err: errors.New("exit status 1")}
	})
	if text := body(t, get(h, "GET", "/client.wasm")); strings.Contains(text, "secret") || !strings.Contains(text, "log says why") {
		t.Errorf("told: %s", text)
	}
}

// everyFile is what a page loads beside its client.
var everyFile = map[string]string{
	"/": "text/html; charset=utf-8", "/view": "text/html; charset=utf-8", "/play.js": "text/javascript; charset=utf-8", "/view.js": "text/javascript; charset=utf-8",
	"/play.css": "text/css; charset=utf-8", "/view.css": "text/css; charset=utf-8", "/icon.svg": "image/svg+xml",
}

func TestHeaders(t *testing.T) {
	h := page(t, func(*builder) (toolchain.Client, error) { return toolchain.Client{}, nil })
	for path, kind := range everyFile {
		r := get(h, "HEAD", path)
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != kind || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s, %v", path, r.Status, r.Header)
		}
		if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe-inline") {
			t.Errorf("%s: policy %q", path, p)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	h := page(t, func(*builder) (toolchain.Client, error) { return toolchain.Client{}, nil })
	for _, path := range []string{"/none", "/src/play.ts", "/play.ts", "/play.js.br", "/../web.go"} {
		if r := get(h, "GET", path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	if r := get(h, "POST", "/"); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") == "" {
		t.Errorf("POST: %s", r.Status)
	}
}

func TestWhatIsPackedIsServed(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	archive, err := pack(map[string][]byte{"play.html": []byte("<p>hello"), "client.wasm": []byte("\x00asm")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	h := serve(unpack(string(archive)))
	for path, want := range map[string]string{"/": "<p>hello", "/client.wasm": "\x00asm"} {
		if r := get(h, "GET", path); r.StatusCode != http.StatusOK || body(t, r) != want {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	if r := get(h, "GET", "/view"); r.StatusCode != http.StatusNotFound {
		t.Errorf("/view: %s", r.Status)
	}
}

// pageMax is how many bytes somebody loads before being in the world, at most: two or three seconds on a slow line.
const pageMax = 1_500_000

func TestPageIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and compresses the whole client")
	}
	files, err := everything(t.Context(), toolchain.Program{Package: "throng/cmd/throng", Dir: ".", Folder: "../cmd/throng"})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, name := range []string{"play.html", "play.css", "play.js", "client.wasm", "wasm_exec.js", "icon.svg"} {
		compressed := asset.CompressBest(files[name])
		if len(compressed) == 0 {
			t.Fatalf("there is no %s", name)
		}
		t.Logf("%-12s %9d bytes, %8d compressed", name, len(files[name]), len(compressed))
		sum += len(compressed)
	}
	if t.Logf("all together %d", sum); sum > pageMax {
		t.Errorf("the page takes %d bytes, more than the %d that are promised", sum, pageMax)
	}
}

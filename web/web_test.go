package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"throng/catalog"
	"throng/web/internal/inputs"
)

func TestPageIsUpToDate(t *testing.T) {
	built, err := Files.ReadFile("dist/" + inputs.File)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := inputs.Sum(".")
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(built)) != sum {
		t.Error("web/dist was built from other sources than these: run make web")
	}
}

// pageMax is how much somebody has to load before being in the world: a promise, and two seconds on a slow line.
const pageMax = 1_000_000

func TestPageIsSmall(t *testing.T) {
	parts := map[string][]string{"view": {"view.html", "view.css", "view.js", "viewer.wasm", "icon.svg"}}
	for _, m := range catalog.Default().Mechanisms {
		parts["play "+m.Family] = []string{"play.html", "play.css", "play.js", "client-" + m.Family + ".wasm", "icon.svg"}
	}
	for page, script := range parts {
		sum := int64(0)
		for _, name := range script {
			info, err := fs.Stat(Files, "dist/"+name+".br")
			if err != nil {
				t.Fatal(err)
			}
			sum += info.Size()
		}
		if t.Logf("%s: %d bytes", page, sum); sum > pageMax {
			t.Errorf("the page %s is %d bytes", page, sum)
		}
	}
}

func get(t *testing.T, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler(catalog.FamilyServers).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) []byte {
	t.Helper()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestEveryFormIsTheSame(t *testing.T) {
	for _, path := range []string{"/", "/view", "/play.js", "/play.css", "/client.wasm"} {
		plain := get(t, "GET", path)
		if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Encoding") != "" {
			t.Fatalf("%s: %s, %v", path, plain.Status, plain.Header)
		}
		zipped := get(t, "GET", path, "Accept-Encoding", "deflate, gzip;q=0.5, br;q=0")
		if e := zipped.Header.Get("Content-Encoding"); e != "gzip" {
			t.Fatalf("%s: encoding %q", path, e)
		}
		unzipped, err := gzip.NewReader(zipped.Body)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(body(t, plain.Body), body(t, unzipped)) {
			t.Errorf("%s: what is zipped differs from what is not", path)
		}
		brotli := get(t, "GET", path, "Accept-Encoding", "gzip, deflate, br, zstd")
		if e := brotli.Header.Get("Content-Encoding"); e != "br" || len(body(t, brotli.Body)) == 0 {
			t.Errorf("%s: encoding %q", path, e)
		}
		if tags := [3]string{plain.Header.Get("ETag"), zipped.Header.Get("ETag"), brotli.Header.Get("ETag")}; tags[0] == tags[1] || tags[1] == tags[2] {
			t.Errorf("%s: forms that share a tag: %v", path, tags)
		}
	}
}

func TestHeaders(t *testing.T) {
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/view.js": "text/javascript; charset=utf-8", "/viewer.wasm": "application/wasm",
		"/icon.svg": "image/svg+xml", "/view.css": "text/css; charset=utf-8",
	} {
		h := get(t, "HEAD", path, "Accept-Encoding", "br").Header
		if h.Get("Content-Type") != kind || h.Get("Vary") != "Accept-Encoding" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
		if p := h.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe-inline") {
			t.Errorf("%s: policy %q", path, p)
		}
	}
}

func TestNotModified(t *testing.T) {
	first := get(t, "GET", "/", "Accept-Encoding", "br")
	tag := first.Header.Get("ETag")
	for list, status := range map[string]int{
		tag: http.StatusNotModified, `"other", W/` + tag: http.StatusNotModified, "*": http.StatusNotModified, `"other"`: http.StatusOK,
	} {
		if r := get(t, "GET", "/", "Accept-Encoding", "br", "If-None-Match", list); r.StatusCode != status {
			t.Errorf("If-None-Match %s: %s", list, r.Status)
		}
	}
	if r := get(t, "GET", "/", "Accept-Encoding", "gzip", "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("the tag of one form stands for another: %s", r.Status)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	for _, path := range []string{"/none", "/dist/play.js", "/inputs.sum", "/play.js.gz", "/../web.go"} {
		if r := get(t, "GET", path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	if r := get(t, "POST", "/"); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") == "" {
		t.Errorf("POST: %s", r.Status)
	}
}

// What the pages name must be there.
func TestNothingIsMissing(t *testing.T) {
	names := regexp.MustCompile(`(?:src|href)="(/[^"?]*)`)
	for _, page := range []string{"/", "/view"} {
		found := names.FindAllSubmatch(body(t, get(t, "GET", page).Body), -1)
		if len(found) < 3 {
			t.Errorf("%s names %d files", page, len(found))
		}
		for _, match := range found {
			if r := get(t, "HEAD", string(match[1])); r.StatusCode != http.StatusOK {
				t.Errorf("%s names %s: %s", page, match[1], r.Status)
			}
		}
	}
}

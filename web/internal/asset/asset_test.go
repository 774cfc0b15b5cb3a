package asset

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func get(a *Asset, method string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "/", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w.Result()
}

var content = []byte(strings.Repeat("what is sent and sent again ", 5000))

// both are an asset that is compressed when it is asked for, and one that was.
func both(t *testing.T) map[string]*Asset {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return map[string]*Asset{"plain": New("a.js", content), "compressed": Compressed("a.js", CompressBest(content))}
}

func TestEveryFormIsTheSame(t *testing.T) {
	for name, a := range both(t) {
		tags := map[string]bool{}
		for accepted, encoding := range map[string]string{
			"": "", "deflate, gzip;q=0.5, br;q=0": "gzip", "gzip, deflate, br, zstd": "br", "br;q=0.0, gzip; q=1": "gzip", "identity": "",
		} {
			r := get(a, "GET", "Accept-Encoding", accepted)
			if got := r.Header.Get("Content-Encoding"); r.StatusCode != http.StatusOK || got != encoding {
				t.Errorf("%s, %q: %s as %q", name, accepted, r.Status, got)
			}
			var body io.Reader = r.Body
			switch encoding {
			case "gzip":
				unzipped, err := gzip.NewReader(body)
				if err != nil {
					t.Fatal(err)
				}
				body = unzipped
			case "br":
				body = brotli.NewReader(body)
			}
			if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s, %q: other bytes (%v)", name, accepted, err)
			}
			tags[r.Header.Get("ETag")] = true
		}
		if len(tags) != 3 {
			t.Errorf("%s: three forms have %d tags", name, len(tags))
		}
	}
}

func TestHeaders(t *testing.T) {
	for name, a := range both(t) {
		r := get(a, "HEAD", "Accept-Encoding", "br")
		h := r.Header
		if h.Get("Content-Type") != "text/javascript; charset=utf-8" || h.Get("Vary") != "Accept-Encoding" || h.Get("Content-Length") == "" || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %v", name, h)
		}
		if body, _ := io.ReadAll(r.Body); len(body) != 0 {
			t.Errorf("%s: HEAD has a body of %d bytes", name, len(body))
		}
	}
}

func TestNotModified(t *testing.T) {
	a := both(t)["plain"]
	tag := get(a, "GET", "Accept-Encoding", "br").Header.Get("ETag")
	for list, status := range map[string]int{
		tag: http.StatusNotModified, `"other", W/` + tag: http.StatusNotModified, "*": http.StatusNotModified, `"other"`: http.StatusOK,
	} {
		if r := get(a, "GET", "Accept-Encoding", "br", "If-None-Match", list); r.StatusCode != status {
			t.Errorf("If-None-Match %s: %s", list, r.Status)
		}
	}
	if r := get(a, "GET", "Accept-Encoding", "gzip", "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("the tag of one form stands for another: %s", r.Status)
	}
	if other := get(New("a.js", content[1:]), "GET", "Accept-Encoding", "br"); other.Header.Get("ETag") == tag {
		t.Error("other contents have the same tag")
	}
}

// An improving asset is served as it is compressed at first, then as well as can be; and at once if that was done before.
func TestImproving(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var text []byte // in which a better search finds more
	for i := range 40_000 {
		text = append(text, content[i*i%997:][:5]...)
	}
	size := func(a *Asset) string {
		r := get(a, "GET", "Accept-Encoding", "br")
		if got, err := io.ReadAll(brotli.NewReader(r.Body)); err != nil || !bytes.Equal(got, text) {
			t.Errorf("other bytes (%v)", err)
		}
		return r.Header.Get("Content-Length")
	}
	fast, best := strconv.Itoa(len(CompressFast(text))), ""
	var waits []func()
	a := improving("a.wasm", text, func(improve func()) { waits = append(waits, improve) })
	if first, again := size(a), size(a); first != fast || again != fast || len(waits) != 1 {
		t.Fatalf("%s and %s bytes of %s, improved %d times", first, again, fast, len(waits))
	}
	waits[0]()
	if best = size(a); best >= fast {
		t.Errorf("%s bytes, and %s as well as can be", fast, best)
	}
	a = improving("a.wasm", text, func(func()) { t.Error("it is made again") })
	if got := size(a); got != best {
		t.Errorf("%s bytes, where %s were made before", got, best)
	}
}

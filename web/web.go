// Package web is the page: the player's and the one for recordings, built from the other folders here by command build and
// contained in the server's binary.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Files is the built page. Every file is there twice, compressed in two ways, and in no other.
//
//go:embed dist
var Files embed.FS

// asset is one file of the page.
type asset struct {
	kind         string // its content type
	brotli, gzip []byte
	tag          string // changes with the content
}

// types are the content types of the page's files, by their extensions.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

// pages are the addresses that people see.
var pages = map[string]string{"/": "/play.html", "/view": "/view.html"}

// policy is what the page may do: run its own scripts and programs, and nobody else's. It may connect elsewhere, since
// WebTransport has a port of its own and recordings can be watched from anywhere.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self' ws: wss: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// clientPath is where pages find their client, which differs with the family of the mechanism.
const clientPath = "/client.wasm"

// Handler serves the page, with the client for a family of mechanisms (see package catalog).
func Handler(family string) http.Handler {
	assets, err := load()
	if err != nil {
		panic(err) // the binary was put together wrongly
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if page, ok := pages[name]; ok {
			name = page
		}
		if name == clientPath {
			name = "/client-" + family + ".wasm"
		}
		a, ok := assets[name]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
		default:
			a.serve(w, r)
		}
	})
}

func load() (map[string]*asset, error) {
	entries, err := Files.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	assets := map[string]*asset{}
	for _, e := range entries {
		name, zipped := strings.CutSuffix(e.Name(), ".gz")
		if !zipped {
			continue
		}
		a := &asset{kind: types[path.Ext(name)]}
		if a.gzip, err = Files.ReadFile("dist/" + e.Name()); err != nil {
			return nil, err
		}
		if a.brotli, err = Files.ReadFile("dist/" + name + ".br"); err != nil {
			return nil, err
		}
		if a.kind == "" {
			return nil, fmt.Errorf("web: %s is of no known type", name)
		}
		sum := sha256.Sum256(a.gzip)
		a.tag = hex.EncodeToString(sum[:8])
		assets["/"+name] = a
	}
	return assets, nil
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	encoding, body := a.choose(r.Header.Get("Accept-Encoding"))
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("ETag", `"`+a.tag+"-"+encoding+`"`)
	h.Set("Cache-Control", "no-cache") // keep it, but ask whether it is still good: a new server brings a new page
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if matches(r.Header.Get("If-None-Match"), h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if encoding != identity {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if r.Method == http.MethodHead {
		return
	}
	if encoding != identity {
		w.Write(body)
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(a.gzip))
	if err != nil {
		http.Error(w, "the page is damaged", http.StatusInternalServerError)
		return
	}
	io.Copy(w, plain)
}

const identity = "identity"

// choose takes the smallest form that the client understands.
func (a *asset) choose(accepted string) (encoding string, body []byte) {
	switch {
	case accepts(accepted, "br"):
		return "br", a.brotli
	case accepts(accepted, "gzip"):
		return "gzip", a.gzip
	}
	return identity, nil
}

// accepts reports whether a header allows an encoding. Weights do not matter beyond whether they are zero.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		weight = strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(weight), "q="), " ")
		return strings.Trim(weight, "0.") != "" || weight == ""
	}
	return false
}

// matches reports whether a list of tags has one.
func matches(list, tag string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "W/"); part == tag || part == "*" {
			return true
		}
	}
	return false
}

// Package asset serves files as small as a browser can read them.
package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Asset is a file that is served. It is kept in the forms that browsers have asked for.
type Asset struct {
	kind  string // its content type
	tag   string // changes with the content
	plain func() []byte

	brotli, gzip func() []byte
}

// types are the content types by extension.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

// New returns an asset with a content. It is compressed quickly, once somebody asks for it.
func New(name string, content []byte) *Asset {
	plain := func() []byte { return content }
	return newAsset(name, content, plain, func() []byte { return CompressFast(content) })
}

// improveAfter is how long a better form waits once an asset has been asked for: whoever asked has what is left of the
// processor until then.
const improveAfter = 10 * time.Second

// Improving returns an asset with a content, which is compressed quickly once somebody asks for it, and from then on better in the
// background. What is smallest so far is what is served; if it was made in an earlier run of the program, that is the best.
func Improving(name string, content []byte) *Asset {
	return improving(name, content, func(improve func()) { time.AfterFunc(improveAfter, improve) })
}

func improving(name string, content []byte, later func(improve func())) *Asset {
	var best atomic.Pointer[[]byte]
	improve := func() {
		compressed := CompressBest(content)
		best.Store(&compressed)
	}
	begin := sync.OnceFunc(func() {
		if hasBest(content) {
			improve()
		} else {
			later(improve)
		}
	})
	fast := sync.OnceValue(func() []byte { return CompressFast(content) })
	a := newAsset(name, content, func() []byte { return content }, nil)
	a.brotli = func() []byte {
		begin()
		if compressed := best.Load(); compressed != nil {
			return *compressed
		}
		return fast()
	}
	return a
}

// Compressed returns an asset whose content was compressed by [CompressBest].
func Compressed(name string, brotli []byte) *Asset {
	plain := sync.OnceValue(func() []byte { return unpack(brotli) })
	return newAsset(name, brotli, plain, func() []byte { return brotli })
}

func newAsset(name string, unique []byte, plain, brotli func() []byte) *Asset {
	sum := sha256.Sum256(unique)
	return &Asset{
		kind: types[path.Ext(name)], tag: hex.EncodeToString(sum[:8]), plain: plain,
		brotli: sync.OnceValue(brotli), gzip: sync.OnceValue(func() []byte { return zip(plain()) }),
	}
}

// ServeHTTP answers with the asset, or with the news that the browser has it.
func (a *Asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	encoding, body := a.choose(r.Header.Get("Accept-Encoding"))
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("ETag", `"`+a.tag+"-"+encoding+`"`)
	h.Set("Cache-Control", "no-cache") // keep it, but ask whether it is still good: a new server brings a new page
	h.Set("Vary", "Accept-Encoding")
	if matches(r.Header.Get("If-None-Match"), h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	content := body()
	if encoding != identity {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method != http.MethodHead {
		w.Write(content)
	}
}

const identity = "identity"

// choose takes the smallest form that the browser understands.
func (a *Asset) choose(accepted string) (encoding string, body func() []byte) {
	switch {
	case accepts(accepted, "br"):
		return "br", a.brotli
	case accepts(accepted, "gzip"):
		return "gzip", a.gzip
	}
	return identity, a.plain
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

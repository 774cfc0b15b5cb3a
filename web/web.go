// Package web is the page: the player's and the one for recordings. What it shows is computed by the program itself, compiled
// for browsers (see app.Main), so that every world and mechanism that a program has can be played.
//
// A program made by [Bundle] has all of that inside. Any other makes it when somebody opens the page: the scripts at once, the
// client with the Go toolchain, while the page shows how far that is.
package web

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
)

// sources are what the page's scripts, styles and documents are made of.
//
//go:embed src third_party
var sources embed.FS

// addresses are those that people see, with the files behind them.
var addresses = map[string]string{"/": "/play.html", "/view": "/view.html"}

// policy is what the page may do: run its own scripts and programs, and nobody else's. It may connect elsewhere, since
// WebTransport has a port of its own and recordings can be watched from anywhere.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self' ws: wss: http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Config is what a page needs to know.
type Config struct {
	// Source is the folder of the main package as far as the program knows it. See [app.Main].
	Source string

	Log *slog.Logger
}

// Handler serves the page. What it has to compile ends with ctx.
func Handler(ctx context.Context, c Config) http.Handler {
	if embedded != "" {
		return serve(unpack(embedded))
	}
	return serve(newBuilder(ctx, c))
}

// serve serves files, wherever they come from.
func serve(files interface {
	find(name string) http.Handler
}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if page, ok := addresses[name]; ok {
			name = page
		}
		file := files.find(name)
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		switch {
		case file == nil:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
		default:
			file.ServeHTTP(w, r)
		}
	})
}

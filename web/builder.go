package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"throng/web/internal/asset"
	"throng/web/internal/scripts"
	"throng/web/internal/toolchain"
)

// The files that the toolchain makes: the program, and the script that runs it.
const (
	clientFile = "/client.wasm"
	scriptFile = "/wasm_exec.js"
)

// builder makes the page when it is asked for: scripts within the moment, the client within seconds.
type builder struct {
	ctx    context.Context
	config Config
	files  func() map[string]*asset.Asset
	begin  func()

	mu       sync.Mutex
	progress progress
	client   map[string]*asset.Asset // nil until it is compiled
}

// progress is what the page is told while there is no client.
type progress struct {
	Compiling string `json:"compiling,omitempty"` // a package
	Packages  int    `json:"packages,omitempty"`  // how many have been, or are being, compiled
	Failed    string `json:"failed,omitempty"`    // there will be none, for this reason
}

func newBuilder(ctx context.Context, c Config) *builder {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	w := &builder{ctx: ctx, config: c}
	w.files = sync.OnceValue(w.bundle)
	w.begin = sync.OnceFunc(func() { go w.make(w.compile) })
	return w
}

func (w *builder) find(name string) http.Handler {
	w.begin()
	if name == clientFile || name == scriptFile {
		return w.made(name)
	}
	if file, ok := w.files()[name]; ok {
		return file
	}
	return nil
}

// bundle makes what needs no toolchain.
func (w *builder) bundle() map[string]*asset.Asset {
	files, err := scripts.Bundle(sources)
	if err != nil {
		panic(err) // the sources are this program's own
	}
	return assets(files)
}

func assets(files map[string][]byte) map[string]*asset.Asset {
	list := map[string]*asset.Asset{}
	for name, content := range files {
		list["/"+name] = asset.New(name, content)
	}
	return list
}

// make has the client compiled.
func (w *builder) make(compile func() (toolchain.Client, error)) {
	began := time.Now()
	client, err := compile()
	if errors.Is(err, context.Canceled) {
		err = errors.New("the server is going down")
	}
	if err != nil {
		w.config.Log.Error("there is no page", "because", err)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.progress.Failed = reason(err)
		return
	}
	w.config.Log.Info("the page is compiled", "took", time.Since(began).Round(time.Millisecond), "bytes", len(client.Program))
	files := map[string][]byte{clientFile[1:]: client.Program, scriptFile[1:]: client.Script}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client = assets(files)
}

func (w *builder) compile() (toolchain.Client, error) {
	program, err := toolchain.Find(w.ctx, w.config.Source)
	if err != nil {
		return toolchain.Client{}, err
	}
	client, err := program.Client(w.ctx, w.compiling)
	if err == nil {
		client.Script, err = scripts.Minify(client.Script)
	}
	return client, err
}

// reason is what visitors are told. What a compiler says is not for them.
func reason(err error) string {
	var wrong *toolchain.BuildError
	if errors.As(err, &wrong) {
		return "the program does not compile for browsers; the server's log says why"
	}
	return err.Error()
}

// compiling notes which package is being compiled.
func (w *builder) compiling(pkg string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Compiling = pkg
	w.progress.Packages++
}

// made is a file of the client's, or the news about it.
func (w *builder) made(name string) http.Handler {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != nil {
		return w.client[name]
	}
	news := w.progress
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		out.Header().Set("Cache-Control", "no-store")
		status := http.StatusInternalServerError
		if news.Failed == "" {
			out.Header().Set("Retry-After", strconv.Itoa(1))
			status = http.StatusServiceUnavailable
		}
		out.WriteHeader(status)
		json.NewEncoder(out).Encode(news)
	})
}

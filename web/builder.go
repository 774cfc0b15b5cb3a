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
	b := &builder{ctx: ctx, config: c}
	b.files = sync.OnceValue(b.bundle)
	b.begin = sync.OnceFunc(func() { go b.make(b.compile) })
	return b
}

func (b *builder) find(name string) http.Handler {
	if name == clientFile || name == scriptFile {
		b.begin()
		return b.made(name)
	}
	if file, ok := b.files()[name]; ok {
		b.begin() // it is going to be wanted
		return file
	}
	return nil
}

// bundle makes what needs no toolchain.
func (b *builder) bundle() map[string]*asset.Asset {
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
func (b *builder) make(compile func() (toolchain.Client, error)) {
	began := time.Now()
	client, err := compile()
	if errors.Is(err, context.Canceled) {
		err = errors.New("the server is going down")
	}
	if err != nil {
		b.config.Log.Error("there is no page", "because", err)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.progress.Failed = reason(err)
		return
	}
	b.config.Log.Info("the page is compiled", "took", time.Since(began).Round(time.Millisecond), "bytes", len(client.Program))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.client = map[string]*asset.Asset{
		clientFile: asset.Improving(clientFile[1:], client.Program),
		scriptFile: asset.New(scriptFile[1:], client.Script),
	}
}

func (b *builder) compile() (toolchain.Client, error) {
	program, err := toolchain.Find(b.ctx, b.config.Source)
	if err != nil {
		return toolchain.Client{}, err
	}
	client, err := program.Client(b.ctx, b.compiling)
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
func (b *builder) compiling(pkg string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.progress.Compiling = pkg
	b.progress.Packages++
}

// made is a file of the client's, or the news about it.
func (b *builder) made(name string) http.Handler {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.client != nil {
		return b.client[name]
	}
	news := b.progress
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

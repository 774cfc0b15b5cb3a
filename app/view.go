//go:build !js

package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"throng/lab/experiment"
	"throng/lab/record"
)

type viewCommand struct {
	Path   string `arg:"" help:"A recording, or a folder with recordings and reports."`
	Listen string `default:"127.0.0.1:0" help:"Where the viewer is to be found; port 0 takes any that is free."`
}

func (viewCommand) Help() string {
	return `Opens recordings in the browser: play, pause, scrub, several hosts' views over each other, measures as curves under them. Reports
below a folder are listed too, can be searched, and any two of them compared.

Examples:
  throng view out
  throng run adam/delay --quick --record 60s
  throng view out/adam/delay-quick/recordings`
}

func (c *viewCommand) Run(e *environment) error {
	written := reports{c.Path}
	list := written.find()
	recordings, err := findRecordings(c.Path)
	if err != nil && len(list) == 0 {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return &experiment.UserError{Where: "--listen " + c.Listen, Message: err.Error()}
	}
	address := "http://" + listener.Addr().String() + "/view"
	if len(list) > 0 {
		fmt.Fprintf(e.stdout, "%d reports at http://%s/reports/\n", len(list), listener.Addr())
	}
	if len(recordings) == 1 {
		address += "?recording=" + url.QueryEscape(recordings[0].Name)
	}
	fmt.Fprintf(e.stdout, "%d recordings at %s\nCtrl-C ends it.\n", len(recordings), address)

	server := &http.Server{Handler: viewer(recordings, written, e.page(e.ctx, slog.New(slog.NewTextHandler(e.stderr, nil)))), ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(e.ctx, func() { server.Close() })
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// recording is one file to be watched.
type recording struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	path string
}

// findRecordings lists the recordings at or below a path. Each is looked into, so that a mistake shows here and not as an empty
// page.
func findRecordings(root string) ([]recording, error) {
	var found []recording
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path != root && filepath.Ext(strings.TrimSuffix(path, record.PartSuffix)) != recordingEnding {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Size() == 0 && path != root {
			return nil // it has only just been begun
		}
		r, err := record.OpenFile(path)
		if err != nil {
			return err
		}
		r.Close()
		name := filepath.Base(path)
		if relative, err := filepath.Rel(root, path); err == nil && path != root {
			name = filepath.ToSlash(relative)
		}
		found = append(found, recording{Name: name, Size: info.Size(), path: path})
		return nil
	})
	switch {
	case err != nil:
		return nil, &experiment.UserError{Where: root, Message: strings.TrimPrefix(reason(err), root+": ")}
	case len(found) == 0:
		return nil, &experiment.UserError{Where: root, Message: "there are no recordings here (make some with throng run --record 60s)"}
	}
	return found, nil
}

// viewer serves the page for recordings and the recordings themselves, reports, and no other file.
func viewer(recordings []recording, written reports, page http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", page)
	written.routes(mux)
	mux.Handle("GET /{$}", http.RedirectHandler("/view", http.StatusFound))
	serveRecordings(mux, func() []recording { return recordings })
	return mux
}

// serveRecordings serves those of a list, and the list.
func serveRecordings(mux *http.ServeMux, list func() []recording) {
	mux.HandleFunc("GET /api/recordings", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, http.StatusOK, append([]recording{}, list()...)) // a list, if an empty one
	})
	mux.HandleFunc("GET /api/recordings/{name...}", func(w http.ResponseWriter, r *http.Request) {
		for _, rec := range list() {
			if rec.Name == r.PathValue("name") {
				w.Header().Set("Content-Type", "application/octet-stream")
				http.ServeFile(w, r, rec.path)
				return
			}
		}
		http.NotFound(w, r)
	})
}

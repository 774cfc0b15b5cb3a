//go:build !js

package app

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"throng/lab/report"
)

const summaryFile = "summary.json"

// reports are the experiments whose results are below a folder.
type reports struct {
	root string
}

// find looks through the folder: what has been run since is there too.
func (r reports) find() []*report.Finished {
	var all []*report.Finished
	filepath.WalkDir(r.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != summaryFile {
			return nil // what cannot be read is no report
		}
		file, err := os.Open(path)
		if err != nil {
			return nil
		}
		defer file.Close()
		found, err := report.ReadSummary(file)
		if err != nil {
			return nil
		}
		folder := filepath.Dir(path)
		if relative, err := filepath.Rel(r.root, folder); err == nil {
			found.Folder = filepath.ToSlash(relative)
		}
		_, err = os.Stat(filepath.Join(folder, reportFile))
		found.Report = err == nil
		recordings, _ := filepath.Glob(filepath.Join(folder, "recordings", "*"+recordingEnding))
		found.Recordings = len(recordings)
		all = append(all, found)
		return nil
	})
	slices.SortFunc(all, func(a, b *report.Finished) int { return strings.Compare(a.Folder, b.Folder) })
	return all
}

// routes adds the list, the reports themselves and the comparison of two.
func (r reports) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /reports/{$}", func(w http.ResponseWriter, _ *http.Request) {
		report.WriteList(w, r.find())
	})
	mux.HandleFunc("GET /reports/compare", func(w http.ResponseWriter, request *http.Request) {
		var two []*report.Finished
		for _, name := range request.URL.Query()["of"] {
			for _, f := range r.find() {
				if f.Folder == name {
					two = append(two, f)
				}
			}
		}
		if len(two) != 2 {
			http.Error(w, "two experiments are wanted, as in compare?of=adam/delay&of=adam/delay-quick", http.StatusBadRequest)
			return
		}
		report.WriteComparison(w, two[0], two[1])
	})
	mux.HandleFunc("GET /reports/{path...}", func(w http.ResponseWriter, request *http.Request) {
		folder, name := filepath.Split(filepath.FromSlash(request.PathValue("path")))
		for _, f := range r.find() {
			if name == reportFile && f.Folder == filepath.ToSlash(filepath.Clean(folder)) {
				http.ServeFile(w, request, filepath.Join(r.root, folder, name))
				return
			}
		}
		http.NotFound(w, request)
	})
}

//go:build !js

package app

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"throng/lab/experiment"
)

// openPage opens the folder with files of one's own for the page; nil for none. Nothing outside of it is served, wherever links in it lead.
func (s *serving) openPage() (fs.FS, error) {
	if s.Page == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(s.Page)
	if err != nil {
		return nil, &experiment.UserError{Where: s.from["page"], Message: fmt.Sprintf("%s: %s", s.Page, reason(err))}
	}
	return root.FS(), nil
}

// overlaid serves the files of a folder, and what is not there as the page itself does. Hidden files are not served.
func overlaid(files fs.FS, page http.Handler) http.Handler {
	if files == nil {
		return page
	}
	own := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		info, err := fs.Stat(files, name)
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
			page.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		own.ServeHTTP(w, r)
	})
}

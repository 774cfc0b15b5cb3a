package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// Files of one's own take the place of the page's; what is hidden, or lies elsewhere, is not served.
func TestPageOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	for path, text := range map[string]string{
		filepath.Join(dir, "index.html"): "mine", filepath.Join(dir, "look.js"): "look", filepath.Join(dir, ".env"): "hidden", secret: "elsewhere",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.js")); err != nil {
		t.Fatal(err)
	}
	files, err := (&serving{Page: dir}).openPage()
	if err != nil {
		t.Fatal(err)
	}
	h := overlaid(files, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "built in") }))
	for path, want := range map[string]string{
		"/": "mine", "/look.js": "look", "/play.js": "built in", "/.env": "built in", "/link.js": "built in", "/../secret": "built in", "/sub/": "built in",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.URL.Path = path
		h.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
	if _, err := (&serving{Page: filepath.Join(dir, "none")}).openPage(); err == nil {
		t.Error("a folder that is not there")
	}
	if files, err := (&serving{}).openPage(); files != nil || err != nil {
		t.Error("a folder where none was named")
	}
}

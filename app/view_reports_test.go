package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportsAreListedAndCompared makes two results and reads the pages over them.
func TestReportsAreListedAndCompared(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"adam/delay", "adam/other"} {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		summary := `{"experiment":"` + name + `","points":[{"params":{},"measures":{"delay":{"mean":` + map[string]string{"adam/delay": "1", "adam/other": "2"}[name] + `,"ci95":0.1,"n":3,"unit":"s"}}}]}`
		for file, text := range map[string]string{summaryFile: summary, reportFile: "the report of " + name, "secret.txt": "secret"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := viewer(nil, reports{root}, http.NotFoundHandler())
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		text, _ := io.ReadAll(w.Result().Body)
		return w.Code, string(text)
	}
	for path, want := range map[string]string{
		"/reports/":                                    `href="/reports/adam/delay/report.html"`,
		"/reports/adam/delay/report.html":              "the report of adam/delay",
		"/reports/compare?of=adam/delay&of=adam/other": "1 of 1 figures differ",
	} {
		if code, text := get(path); code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	for _, path := range []string{"/reports/adam/delay/secret.txt", "/reports/adam/delay/summary.json", "/reports/compare?of=adam/delay", "/reports/adam/none/report.html"} {
		if code, _ := get(path); code == http.StatusOK {
			t.Errorf("%s is served", path)
		}
	}
}

package scripts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"testing/fstest"
	"throng/internal/needs"
)

var sources = os.DirFS("../..")

// What the pages name must be there, or be the toolchain's.
func TestNothingIsMissing(t *testing.T) {
	files, err := Bundle(sources)
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?:src|href)="/([^"?]+\.[a-z]+)`)
	for _, page := range []string{"play.html", "view.html"} {
		found := names.FindAllSubmatch(files[page], -1)
		if len(found) < 3 {
			t.Errorf("%s names %d files", page, len(found))
		}
		for _, match := range found {
			if name := string(match[1]); files[name] == nil && name != "client.wasm" {
				t.Errorf("%s names %s, which there is not", page, name)
			}
		}
	}
	if !bytes.Contains(files["view.js"], []byte("Copyright (c) 2022 Leon Sorokin")) {
		t.Error("others' code has lost its notice")
	}
}

func TestMistakesAreTold(t *testing.T) {
	broken := fstest.MapFS{}
	for _, name := range entries {
		broken[name] = &fstest.MapFile{Data: []byte(`import "./nowhere";`)}
	}
	if _, err := Bundle(broken); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a script that imports nothing is bundled: %v", err)
	}
}

func TestMinify(t *testing.T) {
	small, err := Minify([]byte("globalThis.Go = class  {\n\t// says nothing\n};\n"))
	if err != nil || !bytes.HasPrefix(small, []byte("globalThis.Go=class{")) {
		t.Errorf("%q, %v", small, err)
	}
	if _, err := Minify([]byte("class {")); err == nil {
		t.Error("what is no script becomes smaller")
	}
}

// Others' code stands in third_party, so that nobody needs npm. It is what npm has.
func TestThirdPartyIsUnchanged(t *testing.T) {
	for _, name := range []string{"LICENSE", "dist/uPlot.esm.js", "dist/uPlot.min.css"} {
		theirs, err := os.ReadFile(filepath.Join("../../node_modules/uplot", name))
		if errors.Is(err, fs.ErrNotExist) {
			needs.Missing(t, "npm ci was not run in web; scripts/setup does that")
		}
		if err != nil {
			t.Fatal(err)
		}
		ours, err := fs.ReadFile(sources, path.Join("third_party/uplot", path.Base(name)))
		if err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("third_party/uplot/%s is not the package's (%v)", path.Base(name), err)
		}
	}
}

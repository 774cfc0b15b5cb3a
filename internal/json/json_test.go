package json

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

type word string

type inner struct {
	N     int8              `json:"n"`
	Big   uint64            `json:"big,string"`
	Low   int64             `json:"low,string"`
	Names map[word]string   `json:"names,omitempty"`
	Sets  map[string][]bool `json:"sets"`
}

type outer struct {
	inner
	Whole  inner    `json:"whole"`
	List   []inner  `json:"list"`
	Half   float64  `json:"half"`
	Texts  []string `json:"texts"`
	Plain  bool
	Hidden string `json:"-"`
}

// The same texts mean the same, and are refused alike, whoever reads them.
func TestAsTheStandardLibrary(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"whole": null, "list": [], "unknown": {"n": 1}}`,
		`{"n": -128, "big": "18446744073709551615", "low": "-9223372036854775808", "half": 0.5, "Plain": true, "Hidden": "x", "texts": ["ü", ""]}`,
		`{"list": [{"n": 1, "names": {"a": "b", "c": "d"}}, {"sets": {"x": [true, false], "y": []}}], "half": -1e300, "n": 100}`,
		`{"n": 128}`, `{"n": 1.5}`, `{"n": "1"}`, `{"big": 5}`, `{"big": "-1"}`, `{"big": "x"}`, `{"low": "9223372036854775808"}`,
		`{"texts": "x"}`, `{"texts": [1]}`, `{"whole": []}`, `{"list": {}}`, `{"names": {"a": 1}}`, `{"Plain": 1}`, `{"half": "0.5"}`,
		``, `{`, `[]`, `{"n": 1}}`,
	} {
		var got, want outer
		err, wrong := Unmarshal([]byte(text), &got), json.Unmarshal([]byte(text), &want)
		if (err == nil) != (wrong == nil) {
			t.Errorf("%s: %v; the standard library: %v", text, err, wrong)
		} else if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v instead of %+v", text, got, want)
		}
	}
}

// What is for browsers is tested in Node.js, which reads JSON as they do.
func TestForBrowsers(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("this is it")
	}
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no node")
		}
		t.Skip("no node")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-count=1", "-exec", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/go_js_wasm_exec"), ".")
	run.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

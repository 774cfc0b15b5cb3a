package app

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// In a browser a program is the page's client, and should not carry along what only servers and laboratories need.
func TestBrowsersLoadNoCommandLine(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "throng/cmd/throng")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for pkg := range strings.FieldsSeq(string(out)) {
		found[pkg] = true
		for _, heavy := range []string{"net/http", "crypto/tls", "os/exec", "html/template", "throng/live/gateway", "throng/live/bus", "throng/lab/report",
			"throng/lab/experiment", "github.com/alecthomas/kong", "github.com/evanw/esbuild", "github.com/goccy/go-yaml", "github.com/nats-io"} {
			if pkg == heavy || strings.HasPrefix(pkg, heavy+"/") {
				t.Errorf("the page's client contains %s", pkg)
			}
		}
	}
	if !found["throng/web/browser"] || !found["throng/worlds/crowd"] {
		t.Error("the page's client is no client")
	}
}

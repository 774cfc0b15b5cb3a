package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"throng/internal/needs"
	"throng/live/thin/conformance"
)

// sdks are how the tests of each are run; the address of a server is added.
var sdks = []struct {
	name          string
	needs         string // a program
	conform, live []string
}{
	{"typescript", "node", []string{"node", "../sdk/typescript/tests/conform.mjs"}, []string{"node", "../sdk/typescript/tests/live.mjs"}},
	{"typescript-msgpack", "node", []string{"node", "../sdk/typescript/tests/conform.mjs", "--msgpack"}, []string{"node", "../sdk/typescript/tests/live.mjs", "--msgpack"}},
	{"python", debianPython, []string{debianPython, "../sdk/python/tests/conform.py"}, []string{debianPython, "../sdk/python/tests/live.py"}},
	{"python-json", debianPython, []string{debianPython, "../sdk/python/tests/conform.py", "--json"}, []string{debianPython, "../sdk/python/tests/live.py", "--json"}},
}

// debianPython is the one that Debian's packages of modules are for.
const debianPython = "/usr/bin/python3"

// Every SDK keeps to the protocol's script, and plays in a real world.
func TestSDKs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "1", "--set", "world.mode=dense")
	defer func() { stop(); <-ended }()
	for _, sdk := range sdks {
		t.Run(sdk.name, func(t *testing.T) {
			needs.Program(t, sdk.needs)
			if sdk.needs == debianPython {
				if err := exec.Command(debianPython, "-c", "import websockets, msgpack").Run(); err != nil {
					needs.Missing(t, "Debian's python3-websockets and python3-msgpack")
				}
			}
			var out bytes.Buffer
			if err := conformance.Run(t.Context(), sdk.conform, &out); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
			limit, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if out, err := exec.CommandContext(limit, sdk.live[0], append(sdk.live[1:len(sdk.live):len(sdk.live)], url)...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The SDK for browsers is small, and its types are what they say.
func TestTypeScriptSDK(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	files, err := filepath.Glob("../sdk/typescript/*.js")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(b)
	}
	z.Close()
	if packed.Len() > 15<<10 {
		t.Errorf("%d bytes compressed", packed.Len())
	}
	const compiler = "../web/node_modules/.bin/tsc"
	if _, err := os.Stat(compiler); err != nil {
		needs.Missing(t, "the TypeScript compiler (scripts/setup)")
	}
	out, err := exec.Command(compiler, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "esnext", "--moduleResolution", "bundler",
		"--types", "", "../sdk/typescript/tests/types.ts").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

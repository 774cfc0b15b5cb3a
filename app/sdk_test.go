package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	build         []string // what is run before, if anything; OUT is a file of the test's own, here and above
}{
	{"typescript", "node", []string{"node", "../sdk/typescript/tests/conform.mjs"}, []string{"node", "../sdk/typescript/tests/live.mjs"}, nil},
	{"typescript-msgpack", "node", []string{"node", "../sdk/typescript/tests/conform.mjs", "--msgpack"}, []string{"node", "../sdk/typescript/tests/live.mjs", "--msgpack"}, nil},
	{"python", debianPython, []string{debianPython, "../sdk/python/tests/conform.py"}, []string{debianPython, "../sdk/python/tests/live.py"}, nil},
	{"csharp", "mcs", []string{"mono", "OUT", "conform"}, []string{"mono", "OUT", "live"}, compileCSharp},
	{"csharp-msgpack", "mcs", []string{"mono", "OUT", "conform", "--msgpack"}, []string{"mono", "OUT", "live", "--msgpack"}, compileCSharp},
	{"godot", "godot3-server", []string{"godot3-server", "--path", "../sdk/godot", "-s", "tests.gd", "conform"},
		[]string{"godot3-server", "--path", "../sdk/godot", "-s", "tests.gd", "live"}, nil},
	{"python-json", debianPython, []string{debianPython, "../sdk/python/tests/conform.py", "--json"}, []string{debianPython, "../sdk/python/tests/live.py", "--json"}, nil},
}

var compileCSharp = []string{"mcs", "-langversion:7", "-warnaserror", "-out:OUT", "../sdk/csharp/Throng.cs", "../sdk/csharp/Json.cs", "../sdk/csharp/MsgPack.cs", "../sdk/csharp/tests/Tests.cs"}

// debianPython is the one that Debian's packages of modules are for.
const debianPython = "/usr/bin/python3"

// Every SDK keeps to the protocol's script, and plays in a real world.
func TestSDKs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	// A square of 40 m: who walks does so away from the nearer side.
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "1", "--set", "world.mode=dense", "--set", "world.sight=160")
	defer func() { stop(); <-ended }()
	for _, sdk := range sdks {
		t.Run(sdk.name, func(t *testing.T) {
			needs.Program(t, sdk.needs)
			if sdk.needs == debianPython {
				if err := exec.Command(debianPython, "-c", "import websockets, msgpack").Run(); err != nil {
					needs.Missing(t, "Debian's python3-websockets and python3-msgpack")
				}
			}
			file := filepath.Join(t.TempDir(), "program.exe")
			words := func(command []string, more ...string) (list []string) {
				for _, word := range append(slices.Clone(command), more...) {
					list = append(list, strings.Replace(word, "OUT", file, 1))
				}
				return list
			}
			run := func(command []string) {
				t.Helper()
				limit, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if out, err := exec.CommandContext(limit, command[0], command[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %v\n%s", command, err, out)
				}
			}
			if sdk.build != nil {
				run(words(sdk.build))
			}
			var out bytes.Buffer
			if err := conformance.Run(t.Context(), words(sdk.conform), &out); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
			run(words(sdk.live, url))
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

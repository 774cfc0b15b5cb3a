// Command build makes the page that the server contains: it compiles the programs in web/client and web/viewer to WebAssembly,
// bundles the scripts and styles in web/src, compresses everything and writes it to web/dist.
//
//	go run ./web/build
//
// It needs Node.js: for the packages that package-lock.json names and for Brotli, which Go does not come with. Nobody else
// needs it, since web/dist is committed.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"throng/web/internal/inputs"
)

func main() {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build() error {
	root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	web := filepath.Join(root, "web")
	if err := install(web); err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, step := range []func(web string, files map[string][]byte) error{compile, bundle, copyPages} {
		if err := step(web, files); err != nil {
			return err
		}
	}
	return write(web, files)
}

// install fetches the packages of the page, unless they are there.
func install(web string) error {
	wanted, err := os.Stat(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return err
	}
	have, err := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	if err == nil && !have.ModTime().Before(wanted.ModTime()) {
		return nil
	}
	return run(web, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
}

// compactly has everything compiled without inlining but for those packages whose functions are called in loops. What remains
// is longer and yet compresses better: the page becomes a twentieth smaller.
var compactly = []string{"-gcflags=all=-l", "-gcflags=math/bits=", "-gcflags=cmp=", "-gcflags=iter=", "-gcflags=encoding/binary=",
	"-gcflags=throng/world=", "-gcflags=throng/world/fixed="}

// compile makes WebAssembly of the Go programs.
func compile(web string, files map[string][]byte) error {
	dir, err := os.MkdirTemp("", "throng-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, program := range inputs.Programs {
		name := program.Name()
		out := filepath.Join(dir, name)
		args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-tags=clients," + program.Tag, "-o", out}, compactly...)
		if err := run(web, []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS="}, "go", append(args, "./"+program.Package)...); err != nil {
			return err
		}
		if files[name], err = os.ReadFile(out); err != nil {
			return err
		}
	}
	return nil
}

// bundle makes one script and one style sheet for each page.
func bundle(web string, files map[string][]byte) error {
	goroot, err := output("", "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     web,
		EntryPoints:       []string{"src/play.ts", "src/view.ts", "src/pages/play.css", "src/pages/view.css"},
		EntryNames:        "[name]",
		Outdir:            "dist",
		Alias:             map[string]string{"wasm_exec": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")},
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsEndOfFile,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		LogLevel:          api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return errors.New("the scripts do not bundle")
	}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return nil
}

// copyPages takes what needs no work.
func copyPages(web string, files map[string][]byte) error {
	pages, err := os.ReadDir(filepath.Join(web, "src", "pages"))
	if err != nil {
		return err
	}
	for _, p := range pages {
		if filepath.Ext(p.Name()) == ".css" {
			continue
		}
		if files[p.Name()], err = os.ReadFile(filepath.Join(web, "src", "pages", p.Name())); err != nil {
			return err
		}
	}
	return nil
}

// write replaces what was built before.
func write(web string, files map[string][]byte) error {
	dist := filepath.Join(web, "dist")
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		zipped, err := zip(files[name])
		if err != nil {
			return err
		}
		brotli, err := compress(files[name])
		if err != nil {
			return err
		}
		if err := errors.Join(
			os.WriteFile(filepath.Join(dist, name+".gz"), zipped, 0o644),
			os.WriteFile(filepath.Join(dist, name+".br"), brotli, 0o644),
		); err != nil {
			return err
		}
		fmt.Printf("%-12s %9d bytes  %8d gzip  %8d brotli\n", name, len(files[name]), len(zipped), len(brotli))
	}
	sum, err := inputs.Sum(web)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, inputs.File), []byte(sum+"\n"), 0o644)
}

func zip(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// brotliScript compresses its standard input, with a window of 16 MB.
const brotliScript = `
const { brotliCompressSync, constants: c } = require("node:zlib");
const all = require("node:fs").readFileSync(0);
process.stdout.write(brotliCompressSync(all, { params: {
	[c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: all.length,
} }));`

func compress(content []byte) ([]byte, error) {
	command := exec.Command("node", "-e", brotliScript)
	command.Stdin = bytes.NewReader(content)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	return out, nil
}

// run runs a command whose output is for whoever builds.
func run(dir string, environment []string, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), environment...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// output runs a command and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

package toolchain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"throng/web/internal/cache"
)

// Client is a program compiled for browsers, and the script that comes with the toolchain to run it.
type Client struct {
	Program []byte // WebAssembly
	Script  []byte // defines Go
}

// compactly has everything compiled without inlining but for those packages whose functions are called in loops. What remains
// is longer and yet compresses better, by a tenth.
var compactly = []string{"-gcflags=all=-l", "-gcflags=math/bits=", "-gcflags=cmp=", "-gcflags=iter=", "-gcflags=encoding/binary=",
	"-gcflags=throng/world=", "-gcflags=throng/world/fixed="}

// clients is the tag of programs without what only servers need; see mechanism.ClientsOnly.
const clients = "clients"

// Client compiles the program for browsers. It names each package that has to be compiled; what has not changed since the last
// time is found in the go command's cache.
func (p Program) Client(ctx context.Context, compiling func(pkg string)) (Client, error) {
	dir, remove, err := p.folder()
	if err != nil {
		return Client{}, err
	}
	defer remove()
	out := filepath.Join(dir, "client.wasm")
	args := append([]string{"build", "-v", "-trimpath", "-buildvcs=false", "-race=false", "-ldflags=-s -w",
		"-tags=" + strings.Trim(p.Tags+","+clients, ","), "-o", out}, compactly...)
	command := p.command(ctx, p.Dir, append(args, p.Package)...)
	// Files move into place at once, rather than byte by byte, within one file system.
	command.Env = append(command.Env, "GOOS=js", "GOARCH=wasm", "GOTMPDIR="+dir)
	stderr, err := command.StderrPipe()
	if err != nil {
		return Client{}, err
	}
	if err := command.Start(); err != nil {
		return Client{}, err
	}
	problems := follow(stderr, compiling)
	if err := command.Wait(); err != nil {
		if ctx.Err() != nil {
			return Client{}, ctx.Err()
		}
		return Client{}, &BuildError{Package: p.Package, Output: problems, Err: err}
	}
	var c Client
	if c.Program, err = os.ReadFile(out); err != nil {
		return Client{}, err
	}
	c.Script, err = p.script(ctx)
	return c, err
}

// BuildError says that the sources do not compile for browsers.
type BuildError struct {
	Package string
	Output  string // what the go command says
	Err     error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("go build of %s for browsers: %v\n%s", e.Package, e.Err, e.Output)
}

// follow reads what go build -v prints: the names of packages, and everything that is wrong.
func follow(stderr io.Reader, compiling func(pkg string)) (problems string) {
	var b strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if line := lines.Text(); strings.ContainsAny(line, " :\t") {
			b.WriteString(line + "\n")
		} else if line != "" {
			compiling(line)
		}
	}
	io.Copy(io.Discard, stderr) // whatever a scanner cannot read
	return b.String()
}

// script reads the script of the toolchain that compiles the program, which need not be the one that compiled this.
func (p Program) script(ctx context.Context) ([]byte, error) {
	root, err := p.command(ctx, p.Dir, "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

// folder is one for what is compiled of the program, which stays so that it is not linked again when nothing has changed.
// Where nothing can be kept, it is one for this time.
func (p Program) folder() (dir string, remove func(), err error) {
	remove = func() {}
	if dir, err = cache.Folder("client", p.Package, p.Folder, p.Tags); err == nil {
		return dir, remove, nil
	}
	if dir, err = os.MkdirTemp("", "throng-page"); err != nil {
		return "", remove, fmt.Errorf("there is no folder to compile the page in: %w (set TMPDIR to one)", err)
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

// Package toolchain compiles the running program once more: for browsers, or with its page inside. It finds the program's
// sources and leaves the rest to the go command, whose own cache says what has changed.
package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// Program is a main package and where it is found.
type Program struct {
	Package string // as the go command knows it in Dir
	Dir     string // a folder of the module
	Folder  string // the main package's own
	Tags    string // the build tags that the program has, comma-separated
}

// remedy is what helps where a program cannot be compiled.
const remedy = "or use a program that has its page inside (throng bundle makes one)"

// ErrNoToolchain is returned where there is no go command.
var ErrNoToolchain = errors.New("the page is compiled when it is first opened, and there is no Go toolchain here for that: install Go and have it in the PATH, " + remedy)

// unnamed is what the go command calls a main package that was given as a list of files.
const unnamed = "command-line-arguments"

// Find finds the sources of the program that runs. Where they are is known from the folder of a file of the main package, which
// is empty or relative if the program does not know it; else the working directory and the executable's own are tried.
func Find(ctx context.Context, source string) (Program, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" {
		return Program{}, errors.New("this program does not say which package it was built from: build it in a module, " + remedy)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return Program{}, ErrNoToolchain
	}
	p := Program{Package: info.Path}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			p.Tags = s.Value
		}
	}
	if p.Package == unnamed {
		p.Package = "."
	}
	places := candidates(source)
	for _, dir := range places {
		if found, ok := p.in(ctx, dir, info.Main.Path); ok {
			return found, nil
		}
		if err := ctx.Err(); err != nil {
			return Program{}, err
		}
	}
	return Program{}, fmt.Errorf("the sources of %s, from which the page is compiled when it is first opened, are not in %s: run the program in the folder of its module, %s",
		info.Path, strings.Join(places, " or "), remedy)
}

// candidates are the folders in which sources may be found, the most likely ones first.
func candidates(source string) (dirs []string) {
	add := func(dir string, err error) {
		if err == nil && filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			if s, err := os.Stat(dir); err == nil && s.IsDir() {
				dirs = append(dirs, dir)
			}
		}
	}
	add(source, nil)
	add(os.Getwd())
	if executable, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(executable); err == nil {
			executable = real
		}
		add(filepath.Dir(executable), nil)
	}
	return dirs
}

// in reports whether the go command finds the program in a folder, as a part of the module that it was built from.
func (p Program) in(ctx context.Context, dir, module string) (Program, bool) {
	const format = "{{.Name}}\n{{.Dir}}\n{{with .Module}}{{.Path}}{{end}}"
	command := p.command(ctx, dir, "list", "-tags="+p.Tags, "-f", format, p.Package)
	out, err := command.Output()
	if err != nil {
		return p, false
	}
	lines := strings.Split(string(bytes.TrimRight(out, "\n")), "\n")
	if len(lines) != 3 || lines[0] != "main" || module != "" && strings.TrimSpace(lines[2]) != module {
		return p, false
	}
	p.Dir, p.Folder = dir, strings.TrimSpace(lines[1])
	return p, true
}

// command is a go command in a folder.
func (p Program) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PWD="+dir)
	return c
}

// Package inputs tells whether the page that is committed is the one that the sources make.
//
// Building the page takes half a minute and a Node.js; looking at what it is built from takes neither. So the build writes
// down a sum of that, and a test compares.
package inputs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Program is something that becomes WebAssembly.
type Program struct {
	Package string
	Tag     string // what it is built with, if anything
}

// Name is what the program's file is called.
func (p Program) Name() string {
	if p.Tag == "" {
		return p.Package + ".wasm"
	}
	return p.Package + "-" + p.Tag + ".wasm"
}

// Programs are all of them: a client for each family of mechanisms (see package catalog), and the viewer.
var Programs = []Program{{"client", "replicas"}, {"client", "servers"}, {"client", "areas"}, {"client", "actions"}, {"viewer", ""}}

// File is where, in the folder of the built page, the sum is written down.
const File = "inputs.sum"

// Sum is the sum of everything that the page in a folder is built from: its sources and how they are put together, the Go
// files of all packages that its programs need, and the versions of what comes from elsewhere. Comments in Go files do not
// count.
func Sum(web string) (string, error) {
	web, err := filepath.Abs(web)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, root := range []string{"src", "build", "client", "package-lock.json"} {
		err := filepath.WalkDir(filepath.Join(web, root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			line, err := sumFile(web, path)
			lines = append(lines, line)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	needed, err := needs(web)
	if err != nil {
		return "", err
	}
	lines = append(lines, needed...)
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:]), nil
}

// needs lists what the programs are compiled from.
func needs(web string) ([]string, error) {
	const format = `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{else}}{{.Path}} {{.Version}}
{{end}}{{end}}`
	args := []string{"list", "-deps", "-f", format}
	for _, p := range Programs { // without their tags, which is with everything
		args = append(args, "./"+p.Package)
	}
	command := exec.Command("go", args...)
	command.Dir = web
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, problems.Bytes())
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		line := s.Text()
		if strings.HasSuffix(line, ".go") {
			if line, err = sumFile(web, line); err != nil {
				return nil, err
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func sumFile(web, path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if filepath.Ext(path) == ".go" {
		content = tokens(content)
	}
	name, err := filepath.Rel(web, path)
	sum := sha256.Sum256(content)
	return filepath.ToSlash(name) + " " + hex.EncodeToString(sum[:]), err
}

// tokens is a Go file without comments and layout. What tells the compiler something looks like a comment too, and stays.
func tokens(source []byte) []byte {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", set.Base(), len(source)), source, nil, scanner.ScanComments)
	var out []byte
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return out
		case kind == token.COMMENT && !strings.HasPrefix(text, "//go:"):
			continue
		case text == "":
			text = kind.String()
		}
		out = append(append(out, text...), '\n')
	}
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ownMain is a program in a module of its own, with the world of examples/02-own-world and a mechanism that throng does not have.
const ownMain = `package main

import (
	"throng/app"
	"throng/catalog"
	"throng/mechanism"
	"throng/mechanism/central"
)

// Mine is a mechanism of one's own: as it happens, another one by another name.
type Mine struct{ central.Config }

func main() {
	p := app.Default()
	p.Worlds = append(p.Worlds, catalog.World{Name: "crown", About: "a crown to be snatched", New: func() catalog.WorldConfig { return new(Config) }})
	p.Mechanisms = append(p.Mechanisms, catalog.Mechanism{Name: "mine", About: "as I like it", New: func() mechanism.Mechanism { return new(Mine) }})
	app.Main(p)
}
`

const ownExperiment = "world: crown\nmechanism: mine\nnetwork: constant\nduration: 2s\nreplications: 1\n"

// ownProgram writes, builds and tries a program in a module of its own, and returns its path. It is built such that it knows
// where its sources are, and runs elsewhere.
func ownProgram(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)\ntool .*`).ReplaceAllString(string(module), "\n")
	text = strings.Replace(text, "module throng\n", "module example.org/game\n\nrequire throng v0.0.0\n\nreplace throng => "+root+"\n", 1)
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", text)
	write("main.go", ownMain)
	write("own.yaml", ownExperiment)
	for to, from := range map[string]string{"go.sum": "go.sum", "world.go": "examples/02-own-world/world.go"} {
		content, err := os.ReadFile(filepath.Join(root, from))
		if err != nil {
			t.Fatal(err)
		}
		write(to, string(content))
	}
	game := filepath.Join(dir, "game")
	for _, args := range [][]string{
		{"go", "build", "-trimpath=false", "-o", game, "."},
		{game, "run", "own.yaml", "--out", filepath.Join(dir, "out")},
	} {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "PWD="+dir)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return game
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ownMechanism is a mechanism that throng does not have, as part of a program: as it happens, another one by another name.
const ownMechanism = `	type mine struct{ central.Config }
	program.Mechanisms = append(program.Mechanisms, catalog.Mechanism{
		Name: "mine", About: "as I like it", New: func() mechanism.Mechanism { return new(mine) },
	})
`

const ownExperiment = `world: hats
sweep: {mechanism: [mine, central], network.delay: [50ms, 100ms, 200ms]}
network: constant
duration: 2s
replications: 3
measures: [divergence, discontinuity, drift, packets.sent, bytes.sent]
plots: [{x: network.delay, y: divergence, by: [mechanism]}]
`

// ownProgram makes a world by throng new, adds a mechanism to its program, builds and tries it, and returns its path. It is built
// such that it knows where its sources are, and runs elsewhere.
func ownProgram(t *testing.T, root, throng string) string {
	t.Helper()
	parent := t.TempDir()
	dir := filepath.Join(parent, "hats")
	run := func(in string, args ...string) {
		t.Helper()
		command := exec.Command(args[0], args[1:]...)
		command.Dir = in
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "PWD="+in)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	run(parent, throng, "new", "hats", "--throng", root)
	run(dir, "go", "vet", "./...")
	run(dir, "go", "test", "./...")
	main, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(main), "\tapp.Main(program)\n", ownMechanism+"\tapp.Main(program)\n", 1)
	text = strings.Replace(text, "\t\"throng/catalog\"\n", "\t\"throng/catalog\"\n\t\"throng/mechanism\"\n\t\"throng/mechanism/central\"\n", 1)
	for name, content := range map[string]string{"main.go": text, "own.yaml": ownExperiment} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	game := filepath.Join(dir, "game")
	run(dir, "go", "build", "-trimpath=false", "-o", game, ".")
	run(dir, game, "run", "own.yaml", "--out", filepath.Join(dir, "out"))
	return game
}

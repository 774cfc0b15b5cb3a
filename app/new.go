//go:build !js

package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"throng/examples"
	"throng/lab/experiment"
)

type newCommand struct {
	Name   string `arg:"" help:"What the world is called: letters and digits, beginning with a small letter. It is also the folder."`
	Throng string `type:"path" placeholder:"DIR" help:"The folder with throng's own sources, which the new module uses. Default: those that this program was built from, or that are around the current folder."`
}

func (newCommand) Help() string {
	return `Writes a small world in a module of its own: rules, what they are made of, artificial players, a test that says whether it keeps what
all mechanisms rely on. It works at once: lab, server and page.

Examples:
  throng new arena
  throng new arena --throng ../throng`
}

// nameRule is what a world of one's own may be called: it becomes a folder, a module and a word on the command line.
var nameRule = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

func (c *newCommand) Run(e *environment) error {
	if !nameRule.MatchString(c.Name) {
		return &experiment.UserError{Message: fmt.Sprintf("%q: a name has small letters and digits, and begins with a letter", c.Name)}
	}
	if _, err := e.program.World(c.Name); err == nil {
		return &experiment.UserError{Message: fmt.Sprintf("there is a world %s already: see throng explain %s", c.Name, c.Name)}
	}
	root, err := e.sources(c.Throng)
	if err != nil {
		return err
	}
	files, err := newWorld(c.Name, root)
	if err != nil {
		return err
	}
	if err := os.Mkdir(c.Name, 0o755); errors.Is(err, fs.ErrExist) {
		return &experiment.UserError{Message: fmt.Sprintf("there is a folder %s already", c.Name)}
	} else if err != nil {
		return &experiment.UserError{Message: fmt.Sprintf("cannot make the folder %s: %s", c.Name, reason(err))}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(c.Name, name), content, 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(e.stdout, "A world is in the folder %s. Play it, and then change world.go:\n  cd %s\n  go run . serve --world %s\n", c.Name, c.Name, c.Name)
	return nil
}

// sources finds throng's own: those asked for, those that this program was built from, or those around the current folder.
func (e *environment) sources(asked string) (string, error) {
	places := []string{asked}
	if asked == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		places = []string{e.program.source, here}
	}
	for _, place := range places {
		if !filepath.IsAbs(place) {
			continue // compiled without saying where
		}
		for dir := place; ; dir = filepath.Dir(dir) {
			text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err == nil && bytes.HasPrefix(text, []byte("module throng\n")) {
				return dir, nil
			}
			if dir == filepath.Dir(dir) || asked != "" {
				break
			}
		}
	}
	if asked != "" {
		return "", &experiment.UserError{Where: "--throng", Message: asked + " is not the folder with throng's own sources"}
	}
	return "", &experiment.UserError{Message: "throng's own sources are not around here, and the new module needs them: say where they are by --throng DIR"}
}

// newWorld returns the files of a world in a module of its own: those of the example, by another name.
func newWorld(name, root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	const example, exampleName = "02-own-world", "crown"
	entries, err := examples.OwnWorld.ReadDir(example)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := examples.OwnWorld.ReadFile(example + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		// The crown itself keeps its name.
		s := strings.ReplaceAll(string(text), fmt.Sprintf("Name: %q, Tick", exampleName), fmt.Sprintf("Name: %q, Tick", name))
		s = strings.ReplaceAll(s, fmt.Sprintf("Name:  %q", exampleName), fmt.Sprintf("Name:  %q", name))
		for _, command := range []string{"explain ", "--world "} {
			s = strings.ReplaceAll(s, command+exampleName, command+name)
		}
		files[entry.Name()] = []byte(strings.ReplaceAll(s, "go run ./examples/"+example, "go run ."))
	}
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	// What throng requires the new module requires too, so that nothing need be looked up.
	text := regexp.MustCompile(`(?s)\ntool .*`).ReplaceAllString(string(module), "\n")
	text = strings.Replace(text, "module throng\n", "module example.org/"+name+"\n\nrequire throng v0.0.0\n\nreplace throng => "+root+"\n", 1)
	files["go.mod"], files["go.sum"] = []byte(text), sums
	files["README.md"] = []byte(strings.ReplaceAll(newReadme, "NAME", name))
	return files, nil
}

const newReadme = `# NAME

A world for throng: runners who snatch a crown from one another, until you make something else of it.

    go run . serve --world NAME                    # open the address that it prints, and play
    go run . compare --world NAME --quick          # which way of sharing suits it
    go run . serve --world NAME --mechanism aos    # and serve it that way
    go test ./...                                  # does it keep what all mechanisms rely on

- world.go has the rules, what the world is made of, how it begins, how it looks and is played, and the artificial players.
- main.go adds it to what throng comes with.
- go.mod says where throng's sources are.

Programs in other languages join by the thin protocol (docs/protocol.md in throng's folder).
`

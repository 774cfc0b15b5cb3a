package app

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"throng/internal/documents"
	"throng/internal/param"
)

// root is the root of the tree.
const root = ".."

// TestCommandsInDocumentsAreRight reads the commands that documents show, in lines of their own and within the text.
func TestCommandsInDocumentsAreRight(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`((?:throng|make|go test|go run) [^`]+)`")
	for _, p := range documents.Read(t, root) {
		var found []string
		for _, m := range quoted.FindAllStringSubmatch(p.Text, -1) {
			found = append(found, m[1])
		}
		for i, block := range strings.Split(p.Text, "```") {
			if i%2 == 1 {
				for line := range strings.Lines(block) {
					line, _, _ = strings.Cut(line, " #")
					found = append(found, strings.TrimSpace(line))
				}
			}
		}
		for _, command := range found {
			words := strings.Fields(command)
			switch {
			case len(words) < 2:
			case words[0] == "throng":
				checkShown(t, p.Name, strings.Join(words[1:], " "))
			case strings.HasPrefix(command, "go run ./cmd/throng "):
				checkShown(t, p.Name, strings.Join(words[3:], " "))
			case words[0] == "make" && !strings.Contains(string(makefile), "\n"+words[1]+":"):
				t.Errorf("%s: %s: there is no such target", p.Name, command)
			case words[0] == "go":
				for _, w := range words {
					if folder, ok := strings.CutPrefix(w, "./"); ok && !strings.Contains(w, "NAME") && !documents.Exist(root, strings.TrimSuffix(folder, "/...")) {
						t.Errorf("%s: %s: there is no %s", p.Name, command, w)
					}
				}
			}
		}
	}
}

// checkShown checks a command line unless something is left open in it.
func checkShown(t *testing.T, page, args string) {
	t.Helper()
	if strings.ContainsAny(args, "…<") || regexp.MustCompile(`\b[A-Z]{3,}\b`).MatchString(args) {
		return
	}
	t.Run(page+"/"+strings.Fields(args)[0], func(t *testing.T) {
		if strings.Contains(args, " ") {
			checkExample(t, args)
		} else if !isCommand(t, args) {
			t.Errorf("there is no command %s", args)
		}
	})
}

func isCommand(t *testing.T, name string) bool {
	t.Helper()
	parser, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	return name == "help" || slices.ContainsFunc(parser.Model.Leaves(false), func(n *kong.Node) bool { return n.Name == name })
}

// TestParametersInDocumentsAreRight looks for parameters with values, such as `turn: 50ms` or `host.up=1Mbit/s`, and tries them on
// everything that has one of that name.
func TestParametersInDocumentsAreRight(t *testing.T) {
	setting := regexp.MustCompile("`([a-z][a-z0-9.-]*)(?:: |=)([^`,…]+)`")
	program := Default()
	for _, p := range documents.Read(t, root) {
		if !strings.HasPrefix(p.Name, "docs/mechanisms/") && !strings.HasPrefix(p.Name, "docs/reproductions/") {
			continue
		}
		for _, m := range setting.FindAllStringSubmatch(p.Text, -1) {
			if err := program.trySetting(m[1], strings.Trim(m[2], `"'`)); err != nil {
				t.Errorf("%s: %s: %v", p.Name, m[0], err)
			}
		}
	}
}

// trySetting sets a parameter, known with or without the axis before it, wherever there is one. The first refusal counts if nothing
// accepts it.
func (p *Program) trySetting(name, value string) error {
	err := error(&param.UnknownName{What: "parameter", Name: name})
	try := func(axis string, config any) {
		path := strings.TrimPrefix(name, axis+".")
		if _, missing := param.Lookup(config, path); missing == nil && err != nil {
			err = param.Set(config, path, value)
		}
	}
	for _, w := range p.Worlds {
		try("world", w.New())
	}
	for _, m := range p.Mechanisms {
		try("mechanism", m.New())
	}
	for _, n := range p.Networks {
		try("network", n.Config())
	}
	return err
}

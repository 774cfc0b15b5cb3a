package app

import (
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"throng/experiments"
	"throng/lab"
	"throng/lab/experiment"
)

// TestHelpExamplesAreRight reads the examples in the help of every command.
func TestHelpExamplesAreRight(t *testing.T) {
	parser, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range append(parser.Model.Leaves(false), parser.Model.Node) {
		examples := 0
		for line := range strings.Lines(command.Detail) {
			if args, ok := strings.CutPrefix(line, "  throng "); ok {
				args, _, _ = strings.Cut(args, "   ") // what an example does stands beside it
				checkExample(t, args)
				examples++
			}
		}
		if examples == 0 {
			t.Errorf("the help of %s has no example", command.FullPath())
		}
	}
}

// TestGuideIsRight reads the commands and the experiment that the guide shows.
func TestGuideIsRight(t *testing.T) {
	_, sample := checkPage(t, "../docs/guide.md", 5)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("sample.yaml", []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	checkExample(t, "run sample.yaml")
	checkExample(t, "run sample.yaml --quick")
}

// TestChurnPageIsRight holds the experiments in the page about churn against what there is: every statement must mean something
// for its world and mechanism.
func TestChurnPageIsRight(t *testing.T) {
	text, _ := checkPage(t, "../docs/churn.md", 3)
	t.Chdir(t.TempDir())
	for i, block := range strings.Split(text, "```yaml\n")[1:] {
		sample, _, _ := strings.Cut(block, "```")
		if err := os.WriteFile("sample.yaml", []byte(sample), 0o644); err != nil {
			t.Fatal(err)
		}
		p := Default()
		x, err := experiment.Load(experiment.Source{BuiltIn: experiments.Files}, "sample.yaml", experiment.Options{}, p.space())
		if err == nil {
			err = lab.CheckPoints(x.Points())
		}
		if err != nil {
			t.Errorf("experiment %d: %v", i+1, err)
		}
	}
}

// checkPage reads a page that shows so many commands at the least, and returns it and the first file that it shows.
func checkPage(t *testing.T, name string, least int) (text, sample string) {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = string(page)
	examples := 0
	for line := range strings.Lines(text) {
		if args, ok := strings.CutPrefix(line, "throng "); ok && !strings.HasPrefix(args, "answers") {
			args, _, _ = strings.Cut(args, "#")
			checkExample(t, args)
			examples++
		}
	}
	_, sample, ok := strings.Cut(text, "```yaml\n")
	sample, _, _ = strings.Cut(sample, "```")
	if !ok || examples < least {
		t.Fatalf("found a file: %v, and %d commands", ok, examples)
	}
	return text, sample
}

// shellWords splits a command line as a shell does, up to the first pipe: what is in single quotes is one word.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(strings.TrimSpace(line), "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		part, _, piped := strings.Cut(part, "|")
		words = append(words, strings.Fields(part)...)
		if piped {
			break
		}
	}
	return words
}

// checkExample finds what is wrong with a command line and, if it runs an experiment, with that.
func checkExample(t *testing.T, line string) {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(shellWords(line))
	if err != nil && strings.Contains(err.Error(), `but got "EOL"`) {
		return // a text that names a flag, without a value for it
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	name := cli.Run.Experiment
	if parsed.Command() != "run <experiment>" || strings.HasPrefix(name, "my/") {
		return
	}
	p, opts := Default(), experiment.Options{Quick: cli.Run.Quick, Set: cli.Run.Set, Event: cli.Run.Event}
	if _, err := experiment.Load(experiment.Source{BuiltIn: experiments.Files}, name, opts, p.space()); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

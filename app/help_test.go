package app

import (
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"throng/experiments"
	"throng/lab/experiment"
)

// TestHelpExamplesAreRight reads every example in the commands' help and, of those that run experiments, the experiments.
func TestHelpExamplesAreRight(t *testing.T) {
	examples := 0
	for _, command := range []kong.HelpProvider{
		&commands{}, runCommand{}, compareCommand{}, listCommand{}, explainCommand{}, verifyCommand{}, versionCommand{},
	} {
		for line := range strings.Lines(command.Help()) {
			args, ok := strings.CutPrefix(line, "  throng ")
			if !ok {
				continue
			}
			examples++
			args, _, _ = strings.Cut(args, "|")
			args = regexp.MustCompile("   .*").ReplaceAllString(args, "") // what an example does stands beside it
			var cli commands
			parser, err := kong.New(&cli)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := parser.Parse(strings.Fields(args))
			if err != nil {
				t.Errorf("%s: %v", args, err)
				continue
			}
			if name := cli.Run.Experiment; parsed.Command() == "run <experiment>" && !strings.HasSuffix(name, ".yaml") {
				p, opts := Default(), experiment.Options{Quick: cli.Run.Quick, Set: cli.Run.Set}
				if _, err := experiment.Load(experiment.Source{BuiltIn: experiments.Files}, name, opts, p.space()); err != nil {
					t.Errorf("%s: %v", args, err)
				}
			}
		}
	}
	if examples < 10 {
		t.Errorf("found only %d examples", examples)
	}
}

//go:build !js

// Package app is throng's command line as a library. A program that has worlds, mechanisms or measures of its own adds them to
// Default and calls Main; it then is throng with those added.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"throng/experiments"
	"throng/lab/experiment"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1 // something went wrong that was not the user's mistake, or a verification failed
	exitUsage       = 2 // the user's mistake: the message says what and where
	exitInterrupted = 130
)

// Main runs the command line of the current process and ends it. In a browser, for which every program can be compiled, it
// runs the page's client instead, with the same worlds and mechanisms.
func Main(p Program) {
	if _, file, _, ok := runtime.Caller(1); ok {
		p.source = filepath.Dir(file)
	}
	// The first interrupt ends work in good order; the second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(Run(ctx, p, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs one command and returns the process's exit code.
func Run(ctx context.Context, p Program, args []string, stdout, stderr io.Writer) (code int) {
	var cli commands
	exited := -1
	parser, err := kong.New(&cli,
		kong.Name("throng"),
		kong.Description("Puts a crowd into one virtual world: a laboratory that measures every known way of sharing it, and a server that runs them."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited = code }),
	)
	if err != nil {
		panic(err) // the commands below are declared wrongly
	}
	parsed, err := parser.Parse(askingForHelp(args))
	if exited >= 0 { // help was asked for, and shown
		return exited
	}
	if err != nil {
		fmt.Fprintf(stderr, "throng: %v (see %s --help)\n", err, commandOf(err))
		return exitUsage
	}
	env := &environment{ctx: ctx, program: p, stdin: os.Stdin, stdout: stdout, stderr: stderr, args: args}
	return env.exit(parsed.Run(env))
}

// askingForHelp turns the ways of asking for help that other programs have taught people into ours.
func askingForHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// commandOf is the command that could not be understood, as far as it was.
func commandOf(err error) string {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) {
		if command := wrong.Context.Selected(); command != nil {
			return command.FullPath()
		}
	}
	return "throng"
}

// commands is the command line.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Serve a world that people join with a browser, with artificial players in it."`
	Bots    botsCommand    `cmd:"" help:"Join a running server with artificial users; measure what they get."`
	Run     runCommand     `cmd:"" help:"Run an experiment; write its results and a report."`
	Compare compareCommand `cmd:"" help:"Run one world under every mechanism, side by side."`
	Tune    tuneCommand    `cmd:"" help:"Find the mechanism and parameters with the greatest quality for their cost."`
	Analyse analyseCommand `cmd:"" help:"Find out from what users did where they have their interests."`
	View    viewCommand    `cmd:"" help:"Watch recordings in the browser."`
	Data    dataCommand    `cmd:"" help:"Look into the folder in which a world is kept."`
	Bundle  bundleCommand  `cmd:"" help:"Build this program with its page inside, to be run where there is no Go."`
	Gym     gymCommand     `cmd:"" help:"Play a world step by step, for programs that learn to."`
	New     newCommand     `cmd:"" help:"Begin a world of your own, in a module of its own."`
	List    listCommand    `cmd:"" help:"List experiments, worlds, mechanisms, networks and measures."`
	Explain explainCommand `cmd:"" help:"Explain one of them, with every parameter."`
	Verify  verifyCommand  `cmd:"" help:"Check that every experiment still does exactly what it did."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// Help is shown with the list of commands.
func (*commands) Help() string {
	return `Examples:
  throng serve                      a town full of artificial people, to walk about in
  throng compare --quick            every mechanism, side by side, in seconds
  throng run adam/delay --quick     an experiment, with a report to look at
  throng list                       what else there is`
}

// environment is what commands work with.
type environment struct {
	ctx            context.Context
	program        Program
	stdin          io.Reader
	stdout, stderr io.Writer
	args           []string // as given, to repeat the command
}

// source is where experiments are found: below the current folder, else built in.
func (e *environment) source() experiment.Source {
	return experiment.Source{Dir: "experiments", BuiltIn: experiments.Files}
}

// errVerdict ends a command that has already said what is wrong.
var errVerdict = errors.New("not as it should be")

func (e *environment) exit(err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errVerdict) {
		return exitFailed
	}
	fmt.Fprintln(e.stderr, "throng:", err)
	var mistake *experiment.UserError
	switch {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &mistake):
		return exitUsage
	}
	return exitFailed
}

// reason is an error without the operation and the path that the operating system puts before it: the message around it
// names the file.
func reason(err error) string {
	var onPath *fs.PathError
	if errors.As(err, &onPath) {
		return onPath.Err.Error()
	}
	return err.Error()
}

// errInterrupted ends a command that was told to stop.
var errInterrupted = errors.New("interrupted")

type versionCommand struct{}

func (versionCommand) Help() string {
	return `Examples:
  throng version`
}

func (versionCommand) Run(e *environment) error {
	_, err := fmt.Fprintln(e.stdout, "throng", version())
	return err
}

// version is that of the module, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "devel"
}

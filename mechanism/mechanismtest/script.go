package mechanismtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/mechanism"
	"throng/world"
)

var update = flag.Bool("update", false, "write the outcome of transcripts into their files")

// Script runs a mechanism's transcripts.
//
// A transcript begins with a comment that says what it shows. Then come blocks: one or more commands, a line of four
// dashes, everything that came of them, an empty line.
//
//	nodes N [key=value ...]            lay out a run for N users; the keys go to Mechanism
//	act USER VERB [target=ID] [arg=value ...]
//	advance SPAN                       let time pass, such as 50ms
//	inflight                           list the messages in flight
//	deliver all | FROM TO [#K]         deliver what is in flight from one node to another, or only the K-th of that
//	drop    all | FROM TO [#K]         lose it instead
//	repeat  all | FROM TO [#K]         deliver it and keep it in flight
//	delay SPAN                         from now on messages arrive by themselves after that time
//	hold                               from now on they wait to be delivered, as they do at first
//	leave NODE                         a node is gone without a word; what is for it is lost
//	bye NODE                           a node says goodbye and is gone
//	join NODE                          somebody takes its place who knows nothing of the run so far
//	garbage NODE HEX [from=NODE]       hand these bytes to a node
//	view NODE [ID ...]                 print what a client sees: the objects named, or all
//	hash                               print every client's tick and a fingerprint of its view
//	show NODE                          print what Show says of a node
//
// What came of a command are the datagrams sent (from>to, class, size, and what Describe makes of them), the events
// reported, and the wake-ups that time brought.
type Script struct {
	// World makes the world for a number of users: Marbles, if nil.
	World func(users world.User) world.World

	// Mechanism makes the mechanism for the keys of the command nodes.
	Mechanism func(keys Keys) (mechanism.Mechanism, error)

	// Describe says what is in a message. It may be nil.
	Describe func(s *mechanism.Session, m mechanism.Message) string

	// Show says how things stand inside a node. It may be nil.
	Show func(n mechanism.Node) string
}

// Keys are the settings given to a command.
type Keys map[string]string

// Run runs every transcript that matches a pattern, such as testdata/*.txt, and compares what comes of it with what the
// file says.
func (s Script) Run(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcript matches %q", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { s.runFile(t, file) })
	}
}

func (s Script) runFile(t *testing.T, file string) {
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Transcribe(string(want))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if got == string(want) {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	line, wantLine, gotLine := firstDifference(string(want), got)
	t.Errorf("%s:%d: the transcript says\n\t%s\nbut this came of it:\n\t%s\n(-update writes the outcome anew)", file, line, wantLine, gotLine)
}

func firstDifference(want, got string) (line int, wantLine, gotLine string) {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; ; i++ {
		wantLine, gotLine = "(the end)", "(the end)"
		if i < len(w) {
			wantLine = w[i]
		}
		if i < len(g) {
			gotLine = g[i]
		}
		if wantLine != gotLine {
			return i + 1, wantLine, gotLine
		}
	}
}

// Transcribe runs the commands of a transcript and returns it with what came of them.
func (s Script) Transcribe(text string) (string, error) {
	if !strings.HasPrefix(text, "#") {
		return "", fmt.Errorf("the first line must say what is shown, after a #")
	}
	var out strings.Builder
	run := runner{script: &s}
	commands, outcome := false, false // whether in a block's commands, or in its outcome
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case outcome:
			outcome = line != ""
			if !outcome {
				out.WriteString("\n")
			}
			continue
		case line == "----":
			commands, outcome = false, true
			out.WriteString(line + "\n" + run.out.String())
			run.out.Reset()
			continue
		case line != "" && line[0] != '#':
			commands = true
			if err := run.do(line); err != nil {
				return "", fmt.Errorf("line %d: %s: %w", i+1, line, err)
			}
		}
		out.WriteString(line + "\n")
	}
	if commands {
		out.WriteString("----\n" + run.out.String())
	}
	return out.String(), nil
}

// Package needs is for tests of what is not written in Go: they need a browser, Node.js or an emulator, which not every
// machine has. In continuous integration a test that cannot run fails. Elsewhere it is skipped, and `make check` says at its end
// what was left out.
package needs

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The environment that decides.
const (
	inCI    = "CI"              // set by every service for continuous integration
	leftOut = "CHECKS_LEFT_OUT" // the file that make check gathers what was left out in
)

// Program returns the path of the first of some programs that is installed.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, strings.Join(names, " or ")+" is not installed; scripts/setup installs it")
	return ""
}

// File makes sure that there is a file or folder; remedy says how to come by it.
func File(t testing.TB, path, remedy string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		Missing(t, path+" is missing; "+remedy)
	}
}

// Missing ends a test that lacks something which could be there: it fails in continuous integration, and is left out elsewhere.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv(inCI) != "" {
		t.Fatal(what)
	}
	LeaveOut(t, what)
}

// LeaveOut skips a test that this machine cannot run, whatever is installed.
func LeaveOut(t testing.TB, why string) {
	t.Helper()
	if path := os.Getenv(leftOut); path != "" {
		if err := note(path, t.Name()+": "+why); err != nil {
			t.Fatal(err)
		}
	}
	t.Skip(why)
}

func note(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, line); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

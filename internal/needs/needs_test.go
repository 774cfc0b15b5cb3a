package needs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is a test that remembers how it ended.
type outcome struct {
	testing.TB
	failed, skipped string
}

func (o *outcome) Helper()           {}
func (o *outcome) Name() string      { return "TestBrowser" }
func (o *outcome) Fatal(args ...any) { o.failed = args[0].(string); panic(o) }
func (o *outcome) Skip(args ...any)  { o.skipped = args[0].(string); panic(o) }

// end runs a test that may end early.
func end(test func(testing.TB)) (o *outcome) {
	o = new(outcome)
	defer func() { recover() }()
	test(o)
	return o
}

func TestWhatIsMissing(t *testing.T) {
	lack := func(t testing.TB) { Program(t, "no-such-program", "nor-this-one") }
	const why = "no-such-program or nor-this-one is not installed; scripts/setup installs it"
	list := filepath.Join(t.TempDir(), "left-out")
	t.Setenv(leftOut, list)

	t.Setenv(inCI, "true")
	if o := end(lack); o.failed != why || o.skipped != "" {
		t.Errorf("in continuous integration: %+v", o)
	}
	if _, err := os.Stat(list); err == nil {
		t.Error("what fails counts as left out")
	}

	t.Setenv(inCI, "")
	if o := end(lack); o.failed != "" || o.skipped != why {
		t.Errorf("elsewhere: %+v", o)
	}
	if o := end(func(t testing.TB) { File(t, "no/such/file", "run npm ci") }); o.skipped != "no/such/file is missing; run npm ci" {
		t.Errorf("a missing file: %+v", o)
	}
	text, err := os.ReadFile(list)
	if want := "TestBrowser: " + why + "\nTestBrowser: no/such/file is missing; run npm ci\n"; err != nil || string(text) != want {
		t.Errorf("noted: %q, %v", text, err)
	}
}

func TestWhatIsThere(t *testing.T) {
	t.Setenv(inCI, "true")
	var found string
	if o := end(func(t testing.TB) { found = Program(t, "no-such-program", "go"); File(t, "needs.go", "") }); o.failed != "" || o.skipped != "" {
		t.Errorf("%+v", o)
	}
	if !strings.Contains(filepath.Base(found), "go") {
		t.Errorf("found %s", found)
	}
}

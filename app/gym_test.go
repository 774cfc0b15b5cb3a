package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"throng/internal/needs"
)

// The environment for programs that learn is the same for the same seed and acts.
func TestPythonEnvironment(t *testing.T) {
	needs.Program(t, debianPython)
	if err := exec.Command(debianPython, "-c", "import websockets, msgpack").Run(); err != nil {
		needs.Missing(t, "Debian's python3-websockets and python3-msgpack")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A test's executable is throng where it is called by that name (see TestMain).
	throng := filepath.Join(t.TempDir(), "throng")
	if err := os.Symlink(self, throng); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(debianPython, "../sdk/python/tests/env.py", throng).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

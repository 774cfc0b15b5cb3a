package app_test

import (
	"context"
	"os"
	"strings"
	"testing"
)

// A search that is interrupted says what is known by then, in its first runs and when it looks at other networks too, and goes on to what it would have found.
func TestTuneIsInterrupted(t *testing.T) {
	args := []string{"tune", "--world", "swarm", "--set", "world.bees=2", "--set", "duration=3s", "--set", "warmup=1s", "-m", "loose,optimistic", "--repeat", "2", "--json", "-j", "1", "-o", "found"}
	t.Chdir(t.TempDir())
	runs, last := 0, 0
	interrupt := func() {}
	program := spied(func() float64 {
		if runs++; runs == last {
			interrupt()
		}
		return 1
	})
	whole := run(t.Context(), program, args...)
	if whole.code != 0 {
		t.Fatal(whole.stderr)
	}
	all := runs
	for _, last = range []int{1, 3, all - 1} {
		ctx, cancel := context.WithCancel(t.Context())
		interrupt, runs = cancel, 0
		got := run(ctx, program, args...)
		if got.code != 130 || !strings.Contains(got.stderr, "with --resume goes on with them") || strings.Contains(got.stderr, "no run had") {
			t.Fatalf("interrupted in run %d of %d: exit code %d and\n%s", last, all, got.code, got.stderr)
		}
		if last > 1 && !strings.Contains(got.stdout, `"serve": "throng serve --world swarm`) {
			t.Errorf("interrupted in run %d of %d, and nothing is known:\n%s", last, all, got.stdout)
		}
		if got = run(t.Context(), program, append(args, "--resume")...); got.code != 0 || got.stdout != whole.stdout {
			t.Errorf("resumed after run %d: exit code %d and\n%s\nwant\n%s", last, got.code, got.stdout, whole.stdout)
		}
		if runs != all {
			t.Errorf("%d runs were finished or begun, want %d: those that were finished are not run again", runs, all)
		}
		if _, err := os.Stat("found/paused"); !os.IsNotExist(err) {
			t.Errorf("what was kept is kept for good: %v", err)
		}
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"throng/internal/needs"
)

// target is one kind of processor, and what it takes to run a program built for it here.
type target struct {
	name string
	env  []string
	run  func(t *testing.T, binary string) *exec.Cmd
}

func native(_ *testing.T, binary string) *exec.Cmd { return exec.Command(binary) }

// under runs a binary by the first of the given programs that is installed.
func under(programs ...string) func(*testing.T, string) *exec.Cmd {
	return func(t *testing.T, binary string) *exec.Cmd {
		return exec.Command(needs.Program(t, programs...), binary)
	}
}

func inNode(t *testing.T, binary string) *exec.Cmd {
	needs.Program(t, "node")
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(filepath.Join(strings.TrimSpace(string(out)), "lib/wasm/go_js_wasm_exec"), binary)
}

func hasV3(t *testing.T, binary string) *exec.Cmd {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !strings.Contains(string(info), " avx2") || !strings.Contains(string(info), " fma") {
		needs.LeaveOut(t, "this processor has no fused multiply-add to be wary of")
	}
	return exec.Command(binary)
}

func TestSameEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program five times")
	}
	targets := []target{
		{"arm64", []string{"GOARCH=arm64"}, under("qemu-aarch64", "qemu-aarch64-static")}, // takes longest
		{"wasm", []string{"GOOS=js", "GOARCH=wasm"}, inNode},
		{"amd64-v1", []string{"GOARCH=amd64", "GOAMD64=v1"}, native},
		{"amd64-v3", []string{"GOARCH=amd64", "GOAMD64=v3"}, hasV3},
	}
	want := target{"native", nil, native}.play(t)
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(target.name, "amd64") && runtime.GOARCH != "amd64" {
				needs.LeaveOut(t, "this is no amd64 machine")
			}
			if got := target.play(t); got != want {
				t.Errorf("differs:\n%s\nfrom this machine's:\n%s", got, want)
			}
		})
	}
}

// play builds the program for a kind of processor, and returns what it prints there.
func (x target) play(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "crosscheck")
	run := x.run(t, binary)
	build := exec.Command("go", "build", "-trimpath", "-o", binary, ".") // as the page is built: one cache does for both
	build.Env = append(os.Environ(), append(x.env, "CGO_ENABLED=0")...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

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
		{"native", nil, native},
		{"amd64-v1", []string{"GOARCH=amd64", "GOAMD64=v1"}, native},
		{"amd64-v3", []string{"GOARCH=amd64", "GOAMD64=v3"}, hasV3},
		{"arm64", []string{"GOARCH=arm64"}, under("qemu-aarch64", "qemu-aarch64-static")},
		{"wasm", []string{"GOOS=js", "GOARCH=wasm"}, inNode},
	}
	var want string
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			if strings.HasPrefix(target.name, "amd64") && runtime.GOARCH != "amd64" {
				needs.LeaveOut(t, "this is no amd64 machine")
			}
			binary := filepath.Join(t.TempDir(), "crosscheck")
			build := exec.Command("go", "build", "-trimpath", "-o", binary, ".") // as the page is built: one cache does for both
			build.Env = append(os.Environ(), append(target.env, "CGO_ENABLED=0")...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := target.run(t, binary).Output()
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = string(out)
			}
			if string(out) != want {
				t.Errorf("differs:\n%s\nfrom %s:\n%s", out, targets[0].name, want)
			}
		})
	}
}

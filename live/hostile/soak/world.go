//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one of a world's.
type process struct {
	pid               int
	public, operators string
}

// world is the processes of one that was begun by one command. All of them write to the same place, also those that were started in
// the stead of another.
type world struct {
	first *exec.Cmd
	done  chan struct{} // closed when nobody writes any more

	mu    sync.Mutex
	list  []process
	wrong []string // what no process should have had to say
}

var (
	foreign = regexp.MustCompile(`^Also, by pid (\d+): (.*)$`)
	site    = regexp.MustCompile(`(http://[0-9.:]+)(/admin)?`)
)

// begin starts a world, by a command before it if there is one.
func begin(program string, before []string, args ...string) (*world, error) {
	line := append(append(before, program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--no-webtransport",
		"--players", "20", "--set", "world.restless=true", "--set", "grace=2s",
		// Everybody comes from one address here. All other limits hold.
		"--set", "limits.connections-per-host=1000", "--set", "limits.joins-per-minute=100000"), args...)
	w := &world{first: exec.Command(line[0], line[1:]...), done: make(chan struct{})}
	from, to, err := os.Pipe() // processes outlive the one that started them
	if err != nil {
		return nil, err
	}
	w.first.Stdout, w.first.Stderr = to, to
	if err := w.first.Start(); err != nil {
		return nil, err
	}
	to.Close()
	go func() {
		defer close(w.done)
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			w.hear(lines.Text())
		}
	}()
	go w.first.Wait()
	return w, nil
}

// hear takes note of where processes are reached, and of what goes wrong.
func (w *world) hear(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Contains(line, "panic") || strings.Contains(line, "level=ERROR") {
		w.wrong = append(w.wrong, line)
	}
	pid := w.first.Process.Pid
	if m := foreign.FindStringSubmatch(line); m != nil {
		pid, _ = strconv.Atoi(m[1])
		line = m[2]
	}
	m := site.FindStringSubmatch(line)
	if m == nil {
		return
	}
	at := len(w.list)
	for i := range w.list {
		if w.list[i].pid == pid {
			at = i
		}
	}
	if at == len(w.list) {
		w.list = append(w.list, process{pid: pid})
	}
	if m[2] != "" {
		w.list[at].operators = m[1]
	} else {
		w.list[at].public = m[1]
	}
}

// living are the processes that there are.
func (w *world) living() (list []process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.list {
		if p.public != "" && p.operators != "" && syscall.Kill(p.pid, 0) == nil {
			list = append(list, p)
		}
	}
	return list
}

// whole waits until so many processes let people in.
func (w *world) whole(ctx context.Context, wanted int) error {
	return until(ctx, fmt.Sprintf("%d processes let people in", wanted), func() bool {
		ready := 0
		for _, p := range w.living() {
			if answer, err := client.Get(p.operators + "/readyz"); err == nil {
				answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					ready++
				}
			}
		}
		return ready >= wanted
	})
}

// patience is how long anything may take that should take a moment.
const patience = time.Minute

// until waits for something.
func until(ctx context.Context, what string, ok func() bool) error {
	deadline := time.Now().Add(patience)
	for !ok() {
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted")
		case time.Now().After(deadline):
			return errors.New("it did not come to pass that " + what)
		}
		pause(ctx, 100*time.Millisecond)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// end has all processes end in good order.
func (w *world) end(ctx context.Context) error {
	for _, p := range w.living() {
		syscall.Kill(p.pid, syscall.SIGTERM)
	}
	err := until(ctx, "all processes have ended", func() bool { return len(w.living()) == 0 })
	if err != nil {
		for _, p := range w.living() {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	return err
}

var client = http.Client{Timeout: 5 * time.Second}

// metrics are what a process says of itself, by name and labels.
func (p *process) metrics() (map[string]float64, error) {
	answer, err := client.Get(p.operators + "/metrics")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	m := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, ' ')
		if v, err := strconv.ParseFloat(strings.TrimSpace(line[at+1:]), 64); err == nil && line[0] != '#' {
			m[line[:at]] = v
		}
	}
	return m, err
}

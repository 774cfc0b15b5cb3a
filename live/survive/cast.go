package main

import (
	"bufio"
	"context"
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

// replicas is how many processes a world has.
const replicas = 3

// cast is the processes of a world.
type cast struct {
	first  *exec.Cmd
	exited chan struct{} // closed when that has ended
	wanted int           // processes that there should be
	output sync.WaitGroup

	mu    sync.Mutex
	urls  map[int]string // operators' addresses by pid, of all that ever were
	order []int          // pids, as they have come
	dead  map[int]bool
	url   string // by which further processes join
	said  text
}

// text is what processes say.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

var (
	also = regexp.MustCompile(`^Also, by pid (\d+): For operators: (\S+)/admin$`)
	own  = regexp.MustCompile(`^For operators: (\S+)/admin$`)
)

// begin starts a world and waits until all of its processes let people in.
func begin(ctx context.Context, c *config) (*cast, error) {
	w := &cast{urls: map[int]string{}, dead: map[int]bool{}}
	n := replicas
	if c.replicas != 0 {
		n = c.replicas
	}
	args := []string{"serve", "--world", c.world, "--mechanism", c.mechanism, "--replicas", strconv.Itoa(n), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--no-webtransport", "--set", "limits.connections-per-host=100000", "--set", "limits.joins-per-minute=100000", "--set", "ledger=true", "--set", "grace=1m"}
	args = append(args, c.args...)
	if c.disks != nil {
		args = append(args, "--data", c.disks.dir)
	}
	if c.world == "crowd" && len(c.args) == 0 {
		args = append(args, "--players", "6", "--set", "world.mode=dense", "--set", "world.restless=true")
	}
	w.first = exec.Command(c.program, args...)
	w.first.Stderr = &w.said
	if c.verbose {
		w.first.Stderr = io.MultiWriter(&w.said, os.Stderr)
	}
	// Processes outlive the one that started them, and so does what they write to.
	errs, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, err := w.first.StdoutPipe()
	if err != nil {
		return nil, err
	}
	to := w.first.Stderr
	w.first.Stderr = in
	if err := w.first.Start(); err != nil {
		return nil, err
	}
	in.Close()
	w.output.Go(func() { io.Copy(to, errs) })
	w.output.Go(func() { w.read(out) })
	w.exited = make(chan struct{})
	go func() {
		w.first.Process.Wait()
		close(w.exited)
	}()
	w.wanted = n
	if !w.whole(ctx, time.Minute) {
		w.end()
		return nil, fmt.Errorf("the world has not begun: %s", w.said.String())
	}
	return w, nil
}

// read takes note of where processes are reached.
func (w *cast) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, join, ok := strings.Cut(lines.Text(), " --join "); ok {
			w.mu.Lock()
			w.url = join
			w.mu.Unlock()
		}
		pid, url := w.first.Process.Pid, ""
		if m := own.FindStringSubmatch(lines.Text()); m != nil {
			url = m[1]
		} else if m := also.FindStringSubmatch(lines.Text()); m != nil {
			pid, _ = strconv.Atoi(m[1])
			url = m[2]
		}
		if url == "" {
			continue
		}
		w.mu.Lock()
		w.urls[pid] = url
		w.order = append(w.order, pid)
		w.mu.Unlock()
	}
}

// join is what further processes join by.
func (w *cast) join() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.url
}

// living are the pids of processes that have not been killed, in the order in which they have come.
func (w *cast) living() (pids []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, pid := range w.order {
		if !w.dead[pid] && syscall.Kill(pid, 0) == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// whole waits until there are as many processes as there should be, and all of them are ready.
func (w *cast) whole(ctx context.Context, limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		ready := 0
		for _, pid := range w.living() {
			if w.ready(pid) {
				ready++
			}
		}
		if ready >= w.wanted {
			return true
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return false
}

var client = http.Client{Timeout: time.Second}

// address is where operators reach a process.
func (w *cast) address(pid int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.urls[pid]
}

func (w *cast) ready(pid int) bool {
	answer, err := client.Get(w.address(pid) + "/readyz")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// admin is where operators reach one of those that live.
func (w *cast) admin() string {
	for _, pid := range w.living() {
		if w.ready(pid) {
			return w.address(pid)
		}
	}
	return ""
}

func (w *cast) kill(pid int) {
	w.mu.Lock()
	w.dead[pid] = true
	w.mu.Unlock()
	syscall.Kill(pid, syscall.SIGKILL)
}

// pause stops a process for a while. The others may have given it up when it goes on; then it ends.
func (w *cast) pause(ctx context.Context, pid int) {
	syscall.Kill(pid, syscall.SIGSTOP)
	select {
	case <-time.After(pauseTime):
	case <-ctx.Done():
	}
	syscall.Kill(pid, syscall.SIGCONT)
}

// complaints are what a process should not have had to say.
func (w *cast) complaints() (list []string) {
	for line := range strings.Lines(w.said.String()) {
		if strings.Contains(line, "panic") || strings.Contains(line, "level=ERROR") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// end kills all processes, those included that have been started meanwhile.
func (w *cast) end() {
	for range 100 {
		pids := w.living()
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGTERM)
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, pid := range w.living() {
		w.kill(pid)
	}
}

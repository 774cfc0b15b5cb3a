//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"throng/live/bots"
)

// The processors that server and load run on.
const (
	serverCore = 0
	loadCore   = 1
)

// command makes a process of this program's own, on one processor.
func (d *director) command(ctx context.Context, core int, role string, p *part) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	line := append([]string{"taskset", "-c", strconv.Itoa(core), self}, p.arguments(role)...)
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Stderr = os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 5 * time.Second
	return c, nil
}

// server is a server that runs, with its use of the processor and of memory over time.
type server struct {
	cmd     *exec.Cmd
	stop    context.CancelFunc
	address string
	watched chan struct{}

	mu      sync.Mutex
	samples []sample
	tallies []tally
}

type sample struct {
	at     time.Time
	cpu    time.Duration // of the server
	all    time.Duration // of everything on the two processors
	memory int64         // that the server holds
}

// start starts a server and waits until it listens.
func (d *director) start(ctx context.Context, role string, p *part) (*server, error) {
	ctx, stop := context.WithCancel(ctx)
	c, err := d.command(ctx, serverCore, role, p)
	if err != nil {
		stop()
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	s := &server{cmd: c, stop: stop, watched: make(chan struct{})}
	said := bufio.NewReader(out)
	line, err := said.ReadString('\n')
	if err != nil {
		s.end()
		return nil, fmt.Errorf("%s did not start: %w", role, err)
	}
	s.address = strings.TrimSpace(line)
	go s.watch(ctx)
	go s.listen(said)
	return s, nil
}

// watch samples what the server uses.
func (s *server) watch(ctx context.Context) {
	defer close(s.watched)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			cpu, err1 := cpuOf(s.cmd.Process.Pid)
			all, err2 := cpuOfAll()
			memory, err3 := memoryOf(s.cmd.Process.Pid)
			if errors.Join(err1, err2, err3) == nil {
				s.mu.Lock()
				s.samples = append(s.samples, sample{time.Now(), cpu, all, memory})
				s.mu.Unlock()
			}
		case <-ctx.Done():
			return
		}
	}
}

// ends are the first and the last sample of a time.
func (s *server) ends(began time.Time, seconds float64) (first, last sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.samples {
		passed := x.at.Sub(began).Seconds()
		if passed >= 0 && first.at.IsZero() {
			first = x
		}
		if passed <= seconds {
			last = x
		}
	}
	return first, last
}

// used is how many processors the server used over a time, and how many everything together did.
func (s *server) used(began time.Time, seconds float64) (server, all float64) {
	first, last := s.ends(began, seconds)
	if !last.at.After(first.at) {
		return 0, 0
	}
	passed := float64(last.at.Sub(first.at))
	return float64(last.cpu-first.cpu) / passed, float64(last.all-first.all) / passed
}

func (s *server) end() {
	s.stop()
	s.cmd.Wait() // it was interrupted: how it ends does not matter
}

// clockTick is the unit of times in /proc: on Linux for programs it is always a hundredth of a second.
const clockTick = 10 * time.Millisecond

// cpuOf is the processor time that a process has used.
func cpuOf(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold anything; what follows it are numbers.
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("/proc/…/stat has too few fields")
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick, errors.Join(err1, err2)
}

// cpuOfAll is the time that the two processors have spent on anything.
func cpuOfAll() (time.Duration, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	var sum int64
	for line := range strings.Lines(string(stat)) {
		fields := strings.Fields(line)
		if fields[0] != fmt.Sprintf("cpu%d", serverCore) && fields[0] != fmt.Sprintf("cpu%d", loadCore) {
			continue
		}
		for i, field := range fields[1:] {
			const idle, waiting, guests = 3, 4, 8
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			if i != idle && i != waiting && i < guests {
				sum += n
			}
		}
	}
	return time.Duration(sum) * clockTick, nil
}

// memoryOf is the memory that a process holds, in bytes.
func memoryOf(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("/proc/…/status does not tell the memory")
}

// load runs a load to its end and returns its report. One that hangs, since the server does, is interrupted; it then reports
// what it has.
func (d *director) load(ctx context.Context, role string, p *part) (*bots.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*p.ramp()+p.workload().settle+p.duration+reliefTime+loadPatience)
	defer cancel()
	c, err := d.command(ctx, loadCore, role, p)
	if err != nil {
		return nil, err
	}
	out, failed := c.Output()
	var report bots.Report
	switch err := json.Unmarshal(out, &report); {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded): // an empty report tells enough
	case failed != nil:
		return nil, fmt.Errorf("%s: %w", role, failed)
	default:
		return nil, fmt.Errorf("%s: its report: %w", role, err)
	}
	return &report, nil
}

// loadPatience is what a load may take beyond what it should.
const loadPatience = 20 * time.Second

// raiseFiles allows as many open files as the system lets us: a connection is one.
func raiseFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	limit.Cur = limit.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}

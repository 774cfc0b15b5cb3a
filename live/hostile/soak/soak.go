//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"throng/catalog"
	"throng/live/bots"
	"throng/world/random"
)

const replicas = 3

// soak lets everybody loose and looks what is left.
func (c *config) soak(ctx context.Context) error {
	data, err := os.MkdirTemp("", "throng-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	w, err := begin(c.program, nil, "--processes", strconv.Itoa(replicas), "--replicas", strconv.Itoa(replicas), "--data", data)
	if err != nil {
		return err
	}
	defer w.end(context.WithoutCancel(ctx))
	if err := w.whole(ctx, replicas); err != nil {
		return err
	}
	if _, _, err := c.among(ctx, w, c.users/2, 10*time.Second); err != nil { // so that pools and caches are filled
		return err
	}
	before, err := w.stock(ctx)
	if err != nil {
		return err
	}
	report, pauses, err := c.among(ctx, w, c.users, c.time)
	if err != nil {
		return err
	}
	after, err := w.stock(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%v with %d attackers of each kind and %d pauses: %d of %d honest users stayed, %d came back to another process after p90 %.0f ms\n",
		c.time, c.each, pauses, report.Stayed, c.users, report.Returns.Count, report.Returns.P90)
	fmt.Printf("observation delay %v; updates %.1f%%\n", report.Delay, 100*report.Updates.Share())
	fmt.Printf("before: %v\nafter:  %v\n", before, after)
	verdict := errors.Join(c.verdict(report, w), grown(before, after))
	if err := w.end(ctx); err != nil {
		return errors.Join(verdict, err)
	}
	said, err := exec.CommandContext(ctx, c.program, "data", "verify", data).CombinedOutput()
	fmt.Print(string(said))
	return errors.Join(verdict, err)
}

// among has honest users be in the world for a while, attackers about them, and processes stopped now and then.
func (c *config) among(ctx context.Context, w *world, users int, d time.Duration) (report *bots.Report, pauses int, err error) {
	attacked, stop := context.WithCancel(ctx)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	var all sync.WaitGroup
	const ramp, settle = 5 * time.Second, 3 * time.Second
	for _, p := range w.living() {
		attackers := exec.CommandContext(attacked, "nice", "-n", "19", self, attackRole, strings.TrimPrefix(p.public, "http://"), strconv.Itoa((c.each+replicas-1)/replicas), c.kind)
		attackers.Stderr = os.Stderr
		attackers.Cancel = func() error { return attackers.Process.Signal(os.Interrupt) }
		all.Go(func() {
			pause(attacked, ramp+settle) // a server that has too much to do lets nobody in: honest users come first
			attackers.Run()
		})
	}
	all.Go(func() {
		pause(attacked, ramp+settle)
		pauses = c.torment(attacked, w)
	})
	report, err = bots.Run(ctx, bots.Config{
		URL: w.living()[0].operators, Users: users, Whole: 64, Light: true, Ramp: ramp, Settle: settle, Duration: d, Seed: c.seed,
	}, catalog.Default())
	stop()
	all.Wait()
	return report, pauses, err
}

// torment stops a process now and then, until ctx is done: mostly for so short a time that nobody gives it up.
func (c *config) torment(ctx context.Context, w *world) (pauses int) {
	r := random.New(c.seed, "pauses", 0)
	for {
		pause(ctx, time.Duration(2000+r.Below(6000))*time.Millisecond)
		list := w.living()
		if ctx.Err() != nil || len(list) < replicas {
			return pauses
		}
		p := list[r.Below(uint64(len(list)))]
		syscall.Kill(p.pid, syscall.SIGSTOP)
		pause(ctx, time.Duration(50+r.Below(450))*time.Millisecond)
		syscall.Kill(p.pid, syscall.SIGCONT)
		pauses++
	}
}

// verdict says what honest users had to suffer, and what processes did.
func (c *config) verdict(r *bots.Report, w *world) error {
	var err error
	if r.Joined < c.users || r.Stayed < r.Joined {
		err = fmt.Errorf("of %d honest users %d joined and %d stayed: %v %v", c.users, r.Joined, r.Stayed, r.Failures, r.Goodbyes)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.wrong) > 0 {
		err = errors.Join(err, fmt.Errorf("a process said %q", w.wrong[0]))
	}
	return err
}

// stock is what a process holds.
type stock struct {
	pid, memory             int // memory in MB
	goroutines, descriptors int
}

func (s stock) String() string {
	return fmt.Sprintf("process %d: %d MB, %d goroutines, %d descriptors", s.pid, s.memory, s.goroutines, s.descriptors)
}

// stock is taken when everybody has gone.
func (w *world) stock(ctx context.Context) (list []stock, err error) {
	err = until(ctx, "everybody has gone", func() bool {
		for _, p := range w.living() {
			if m, err := p.metrics(); err != nil || m[`throng_users{by="person"}`]+m[`throng_connections{transport="websocket"}`]+m[`throng_connections{transport="thin"}`] > 0 {
				return false
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	pause(ctx, 5*time.Second) // what is not used any more is collected, and requests' connections end
	for _, p := range w.living() {
		m, err := p.metrics()
		if err != nil {
			return nil, err
		}
		if n := m["throng_node_panics_total"]; n > 0 {
			return nil, fmt.Errorf("there were %v panics in process %d", n, p.pid)
		}
		list = append(list, stock{p.pid, int(m["go_memstats_heap_inuse_bytes"]) >> 20, int(m["go_goroutines"]), int(m["process_open_fds"])})
	}
	return list, nil
}

// grown says what processes hold more of than before. One that has been begun since is held to what others had.
func grown(before, after []stock) error {
	most := stock{}
	for _, s := range before {
		most = stock{0, max(most.memory, s.memory), max(most.goroutines, s.goroutines), max(most.descriptors, s.descriptors)}
	}
	var err error
	for _, s := range after {
		if s.memory > 2*most.memory+64 || s.goroutines > most.goroutines+50 || s.descriptors > most.descriptors+50 {
			err = errors.Join(err, fmt.Errorf("%v, which is more than before", s))
		}
	}
	return err
}

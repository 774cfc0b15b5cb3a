//go:build !js

package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// children are the further processes of a world that this one has started. They end when the world does, and nobody starts
// them again.
type children struct {
	list []*child
	log  *slog.Logger

	mu     sync.Mutex
	begun  bool // the world has
	ending bool
}

type child struct {
	*exec.Cmd
	out   io.ReadCloser
	ended chan struct{}
}

// startChildren starts the processes that this one is to start. One that ends before the world has begun makes that impossible.
func (e *environment) startChildren(s *serving, others company, log *slog.Logger, stderr io.Writer, fail context.CancelCauseFunc) (*children, error) {
	family := &children{log: log}
	if s.replicated() {
		return family, e.startReplicas(s, others, stderr, fail)
	}
	if s.Join != "" || s.Processes == 1 {
		return family, nil
	}
	self, err := os.Executable()
	if err != nil {
		return family, fmt.Errorf("cannot start further processes: %w", err)
	}
	for range s.Processes - 1 {
		c := &child{Cmd: exec.Command(self, "serve"), ended: make(chan struct{})}
		c.Env = s.inheritance(others.SecretURL())
		c.Stderr = stderr
		detach(c.Cmd)
		if c.out, err = c.StdoutPipe(); err == nil {
			err = c.Start()
		}
		if err != nil {
			return family, fmt.Errorf("cannot start a further process: %w", err)
		}
		family.list = append(family.list, c)
		go family.watch(c, fail)
	}
	return family, nil
}

// inheritance is the environment of a further process. Whatever was said here by flags is said there by variables: other users
// of the machine can read command lines.
func (s *serving) inheritance(join string) []string {
	own := map[string]string{}
	for _, g := range s.given {
		if g.layer == layerFlag && !forFirst(g.path) {
			own[g.path] = g.text // of several the last counts
		}
	}
	if s.file != "" {
		own["config"] = s.file
	}
	maps.Copy(own, map[string]string{"join": join, "listen": anyPort(s.Listen), "processes": "1", "wait": "0", "replicas": "1"})
	if s.AdminListen != nowhere {
		own["admin-listen"] = anyPort(s.AdminListen)
	}
	var list []string
	for path, text := range own {
		list = append(list, variable(path)+"="+text)
	}
	slices.Sort(list)
	return append(os.Environ(), list...) // of several with the same name the last counts
}

// watch waits for the end of a child.
func (f *children) watch(c *child, fail context.CancelCauseFunc) {
	c.Wait() // what it says is in ProcessState too
	close(c.ended)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ending:
	case f.begun:
		f.log.Warn("a process that this one has started has ended", "child", c.Process.Pid, "because", c.ProcessState.String())
	default:
		fail(fmt.Errorf("a further process has ended before the world could begin: %v", c.ProcessState))
	}
}

// settle says that the world has begun.
func (f *children) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
}

// relay prints where each child lets people in.
func (f *children) relay(w io.Writer) {
	for _, c := range f.list {
		lines := bufio.NewReader(c.out)
		for i := range 3 { // where it listens, what to do with that, where it does for operators
			line, err := lines.ReadString('\n')
			if err == nil && (i == 0 || strings.HasPrefix(line, forOperators)) {
				fmt.Fprintf(w, "Also, by pid %d: %s\n", c.Process.Pid, strings.TrimSpace(line))
			}
		}
		go io.Copy(io.Discard, lines)
	}
}

// dismiss says that the children will end: the bus tells them to.
func (f *children) dismiss() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = true
}

// wait waits for the children to end, and ends those that take too long.
func (f *children) wait(limit time.Duration) {
	deadline := time.After(limit)
	for _, c := range f.list {
		select {
		case <-c.ended:
		case <-deadline:
			c.Process.Kill()
			<-c.ended
			deadline = time.After(0)
		}
	}
}

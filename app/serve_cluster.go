//go:build !js

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"throng/live/bus"
	"throng/live/cluster"
	"throng/live/hub"
)

// company is the other processes of a world, as this one deals with them: over a bus, where each has its own part of the world, or
// in a cluster, where each could be all of it.
type company interface {
	prometheus.Collector
	Gather(ctx context.Context) error
	Configure(c *hub.Config) error
	Run(ctx context.Context, h *hub.Hub) error
	JoinURL() string
	SecretURL() string
	Processes() []hub.Process
	Ended() <-chan struct{}
	Err() error
	Leave(ctx context.Context, reason string) error
	Close()
}

var (
	_ company = (*bus.Bus)(nil)
	_ company = (*cluster.Cluster)(nil)
)

// spawned says, in the environment, that a process was started by another one of its world: when that began, or later. It takes any
// port if the one that is asked for is taken.
const (
	spawned      = "_THRONG_SPAWNED"
	spawnedFirst = "first"
	spawnedLater = "later"
)

// replicated reports whether every process is to be able to go on for all others.
func (s *serving) replicated() bool {
	return s.Replicas > 1 || s.Data != "" || strings.HasPrefix(s.joinText(), cluster.Scheme)
}

// checkDurable checks where what users are told is to be kept.
func (s *serving) checkDurable() error {
	at := given{where: s.from["durable"]}
	switch {
	case s.Durable == "":
	case s.Durable != "memory" && s.Durable != "disk":
		return at.errorf("%q is neither memory nor disk", s.Durable)
	case s.Durable == "disk" && s.Data == "":
		return at.errorf("what is to be on disk needs a folder: --data DIR")
	case s.Durable == "memory" && s.Data != "":
		return at.errorf("what is kept in %s is on disk before anybody relies on it: a process that came back and had forgotten what it has acknowledged could undo what was decided. Leave out --durable, or --data", s.Data)
	case !s.replicated():
		return at.errorf("nothing is replicated: it takes --replicas or --data")
	}
	return nil
}

// checkReplicas checks how many processes there are to be.
func (s *serving) checkReplicas() error {
	if err := s.checkDurable(); err != nil {
		return err
	}
	if s.Replicas == 1 && s.Data == "" || s.Join != "" {
		return nil
	}
	if _, said := s.from["processes"]; !said && s.Wait == 0 {
		s.Processes = s.Replicas
	}
	at := given{where: s.from["replicas"] + s.from["data"]}
	switch n := s.Processes + s.Wait; {
	case s.ClusterToken != "" && (len(s.ClusterToken) < adminTokenMin || strings.ContainsAny(s.ClusterToken, "@/, \n")):
		return given{where: s.from["cluster-token"]}.errorf("a cluster token has at least %d characters, and no @, / or comma", adminTokenMin)
	case s.Bus != "":
		return at.errorf("replicas have connections of their own: leave --bus out")
	case n != s.Replicas:
		return at.errorf("every process has a replica: of %d there are to be %d processes, started here (--processes) or elsewhere (--wait), not %d", s.Replicas, s.Replicas, n)
	}
	return nil
}

// openCluster makes this process the first of a replicated world, or a further one.
func (e *environment) openCluster(ctx context.Context, s *serving, log *slog.Logger, stderr io.Writer) (*cluster.Cluster, error) {
	c := cluster.Config{
		Catalog: e.program.Catalog, Log: log, Listen: s.BusListen, Patience: time.Duration(s.BusPatience), Gateway: s.gateway, Admin: s.admin,
		Wait: s.further(), Grace: time.Duration(s.Grace), Ledger: s.Ledger, Data: s.Data, Token: s.ClusterToken,
	}
	if s.Processes > 1 || os.Getenv(spawned) != "" {
		c.Spawn = func(join string) error { return e.spawn(s, join, spawnedLater, stderr, func(error) {}) }
	}
	if s.Join == "" {
		if err := s.checkKept(); err != nil {
			return nil, err
		}
		k, err := cluster.Begin(s.description(), c)
		return k, s.mistaken(err, "bus-listen")
	}
	address, err := s.joinAddress()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	k, err := cluster.Join(ctx, address, c)
	return k, s.mistaken(err, "join")
}

// checkKept refuses to begin a world in a folder that holds another one. Where nothing is said about the world, the one that is there
// goes on.
func (s *serving) checkKept() error {
	if s.Data == "" {
		return nil
	}
	kept, err := cluster.Kept(s.Data)
	if err != nil || kept == nil {
		return err
	}
	have, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	want, err := json.Marshal(s.description())
	if err != nil || bytes.Equal(have, want) {
		return err
	}
	for _, g := range s.given {
		if axis, _, _ := strings.Cut(g.path, "."); slices.Contains([]string{"world", "mechanism", "seed", playersKey}, axis) {
			return g.errorf("%s holds another world: %s. Leave out what is said about the world, and it goes on; or take another folder", s.Data, have)
		}
	}
	return nil
}

// spawn starts a further process, which goes on when this one ends. If it ends before, ended is told.
func (e *environment) spawn(s *serving, join, when string, stderr io.Writer, ended func(error)) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(self, "serve")
	c.Env = append(s.inheritance(join), spawned+"="+when, variable("listen")+"="+s.Listen, variable("admin-listen")+"="+s.AdminListen)
	// Not through a pipe of ours, which would end with us.
	c.Stdout, _ = e.stdout.(*os.File)
	c.Stderr, _ = stderr.(*os.File)
	detach(c)
	if err := c.Start(); err != nil {
		return fmt.Errorf("cannot start a further process: %w", err)
	}
	go func() {
		c.Wait() // what it says is in ProcessState too
		ended(fmt.Errorf("a further process has ended before the world could begin: %v", c.ProcessState))
	}()
	return nil
}

// startReplicas starts the further processes of a replicated world. One that ends before that has begun makes it impossible.
func (e *environment) startReplicas(s *serving, others company, stderr io.Writer, fail context.CancelCauseFunc) error {
	if s.Join != "" {
		return nil
	}
	for range s.Processes - 1 {
		if err := e.spawn(s, others.SecretURL(), spawnedFirst, stderr, fail); err != nil {
			return err
		}
	}
	return nil
}

// announceReplica prints how things stand with a process of a replicated world.
func (e *environment) announceReplica(s *serving, others company) {
	if os.Getenv(spawned) != "" {
		return
	}
	fmt.Fprintf(e.stdout, "Further processes: throng serve --listen 127.0.0.1:0 --join %s\n", s.joinBy)
	for _, p := range others.Processes() {
		if pid := 0; !p.Here {
			fmt.Sscanf(p.Name, "pid %d", &pid)
			e.announceAlso(pid, p.Gateway, p.Admin)
		}
	}
	for _, p := range others.Processes() {
		leads := ""
		if len(p.Sites) > 0 {
			leads = ", leads"
		}
		fmt.Fprintf(e.stdout, "Process %d (%s) has a replica%s.\n", p.Number, p.Name, leads)
	}
	fmt.Fprintln(e.stdout, "Any of them may be killed: the others go on, and another one is started in its place.")
}

// announceAlso prints where another process lets people in.
func (e *environment) announceAlso(pid int, gateway, admin string) {
	fmt.Fprintf(e.stdout, "Also, by pid %d: listening on %s\n", pid, gateway)
	if admin != "" {
		fmt.Fprintf(e.stdout, "Also, by pid %d: %s%s/admin\n", pid, forOperators, admin)
	}
}

// terminations is told of requests to end this process only: a signal, or a word of an operator.
func terminations(others company) <-chan struct{} {
	k, ok := others.(*cluster.Cluster)
	if !ok {
		return nil
	}
	signals, told := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-k.Asked():
		}
		close(told)
	}()
	return told
}

// partFrom has this process part from a replicated world: asked to end (SIGTERM) it hands over to others, unless there are none; the
// command that began the world ends it when interrupted.
func partFrom(ctx context.Context, s *serving, others company, terminated <-chan struct{}, reason string) error {
	k, ok := others.(*cluster.Cluster)
	if !ok || s.Join != "" {
		return others.Leave(ctx, reason)
	}
	select {
	case <-terminated:
		return k.Leave(ctx, reason)
	case <-time.After(50 * time.Millisecond): // signals reach everybody who wants them in no particular order
	}
	return k.EndWorld(ctx, reason)
}

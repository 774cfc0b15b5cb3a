//go:build !js

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"throng/lab/experiment"
	"throng/live/bus"
	"throng/live/cluster"
	"throng/live/hub"
)

// joinTime is how long the first process of a world may take to let another one in.
const joinTime = 10 * time.Second

// openBus makes this process the first of a world, or a further one of a world that there is.
func (e *environment) openBus(ctx context.Context, s *serving, log *slog.Logger) (*bus.Bus, error) {
	c := bus.Config{
		Catalog: e.program.Catalog, Log: log,
		Server: s.Bus, Listen: s.BusListen, Patience: time.Duration(s.BusPatience), Wait: s.further(),
	}
	if s.Join == "" {
		b, err := bus.Begin(s.description(), c)
		return b, s.mistaken(err, "bus", "bus-listen")
	}
	address, err := s.joinAddress()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	b, err := bus.Join(ctx, address, c)
	return b, s.mistaken(err, "join")
}

// openCompany finds the other processes, if there are to be any.
func (e *environment) openCompany(ctx context.Context, s *serving, log *slog.Logger, stderr io.Writer) (company, error) {
	if s.replicated() {
		k, err := e.openCluster(ctx, s, log, stderr)
		if err != nil {
			return nil, err
		}
		return k, nil
	}
	b, err := e.openBus(ctx, s, log)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// joinText is the URL that a process joins by, or what was given instead if there is none.
func (s *serving) joinText() string {
	if text, err := s.joinAddress(); err == nil {
		return text
	}
	return s.Join
}

// joinAddress is the URL that a process joins by: the one that was given, or the one in the file that was.
func (s *serving) joinAddress() (string, error) {
	if strings.Contains(s.Join, "://") {
		return s.Join, nil
	}
	text, err := os.ReadFile(s.Join)
	if err != nil {
		return "", &experiment.UserError{Where: s.from["join"], Message: s.Join + ": " + reason(err)}
	}
	return strings.TrimSpace(string(text)), nil
}

// writeJoin keeps what further processes need in a file that only this user can read: it opens everything, and what is printed ends
// up in logs. Of a bus elsewhere there is nothing to hide. It returns what to join by.
func writeJoin(s *serving, others company) (join string, remove func(), err error) {
	if s.Join != "" || s.Bus != "" {
		return others.JoinURL(), func() {}, nil
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = os.TempDir()
	}
	f, err := os.CreateTemp(dir, "throng-*.join") // for this user only
	if err != nil {
		return "", nil, err
	}
	_, err = fmt.Fprintln(f, others.JoinURL())
	return f.Name(), func() { os.Remove(f.Name()) }, errors.Join(err, f.Close())
}

// mistaken says which of the settings has a wrong address, if that is what an error is about.
func (s *serving) mistaken(err error, paths ...string) error {
	var onBus bus.AddressError
	var inCluster cluster.AddressError
	if !errors.As(err, &onBus) && !errors.As(err, &inCluster) {
		return err
	}
	where := ""
	for _, path := range paths {
		if from, ok := s.from[path]; ok && where == "" {
			where = from
		}
	}
	return &experiment.UserError{Where: where, Message: err.Error()}
}

// start brings the world, or this process's part of it, to life.
func (e *environment) start(ctx context.Context, s *serving, c hub.Config, log *slog.Logger, stderr io.Writer) (*hub.Hub, company, *children, error) {
	others, err := e.openCompany(ctx, s, log, stderr)
	if err != nil {
		return nil, nil, nil, err
	}
	if s.joinBy, s.forgetJoin, err = writeJoin(s, others); err != nil {
		others.Close()
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	family, err := e.startChildren(s, others, log, stderr, cancel)
	if err == nil {
		e.announceWaiting(s, s.joinBy)
		err = others.Gather(ctx)
	}
	var world *hub.Hub
	if err == nil {
		if err = others.Configure(&c); err == nil {
			s.World, s.Mechanism = c.Description.World.Name, c.Description.Mechanism.Name
			if world, err = hub.Start(c, e.program.Catalog); err != nil {
				err = &experiment.UserError{Message: err.Error()}
			}
		}
	}
	if err == nil {
		if err = others.Run(ctx, world); err != nil {
			world.Close(ctx, err.Error())
		}
	}
	if err != nil {
		abandon(others, family)
		if cause := context.Cause(ctx); errors.Is(err, context.Canceled) && cause != nil {
			err = cause
		}
		return nil, nil, nil, err
	}
	family.settle()
	return world, others, family, nil
}

// abandon gives up a world that has not begun.
func abandon(others company, family *children) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	family.dismiss()
	others.Leave(ctx, "the world could not begin") // who cannot be told will notice
	others.Close()
	family.wait(shutdownTime)
}

// further is how many further processes the world begins with.
func (s *serving) further() int {
	if s.Join != "" {
		return 0
	}
	return s.Processes - 1 + s.Wait
}

// checkJoin refuses flags that mean nothing to a process that joins a world. The environment and files may be the same for
// all processes: what they say about the world is for the first.
func (s *serving) checkJoin() error {
	if s.Join == "" {
		return nil
	}
	for _, g := range s.given {
		if g.layer == layerFlag && forFirst(g.path) {
			return g.errorf("a process that joins a world takes it as it is: leave this to the first process")
		}
	}
	return nil
}

// forFirst reports whether a setting is for the first process of a world to decide.
func forFirst(path string) bool {
	axis, _, _ := strings.Cut(path, ".")
	return slices.Contains([]string{"world", "mechanism", playersKey, "seed", "bus", "bus-listen", "bus-patience", "processes", "wait", "replicas", "ledger", "cluster-token"}, axis)
}

// secret reports whether a setting's value is nobody's to read.
func secret(path, text string) bool {
	switch path {
	case "admin-token", "cluster-token", "ice-secret", "join":
		return text != ""
	case "bus":
		return strings.Contains(text, "@")
	}
	return false
}

// announceWaiting prints how the processes join that the world is waiting for.
func (e *environment) announceWaiting(s *serving, join string) {
	switch {
	case s.Join != "" || s.Wait == 0:
	case s.Bus != "":
		fmt.Fprintf(e.stderr, "throng: waiting for %d more, with the bus's credentials: throng serve --listen 127.0.0.1:0 --join %s\n", s.Wait, join)
	default:
		fmt.Fprintf(e.stderr, "throng: waiting for %d more: throng serve --listen 127.0.0.1:0 --join %s\n", s.Wait, join)
	}
}

// announceBus prints how further processes join, and which of the world's servers run where.
func (e *environment) announceBus(s *serving, others company) {
	switch {
	case s.replicated():
		e.announceReplica(s, others)
		return
	case s.Join != "":
		fmt.Fprintln(e.stdout, "This process has joined the world; the first one must go on running.")
	case s.Bus != "":
		fmt.Fprintf(e.stdout, "Further processes, with the bus's credentials: throng serve --listen 127.0.0.1:0 --join %s\n", s.joinBy)
	default:
		fmt.Fprintf(e.stdout, "Further processes: throng serve --listen 127.0.0.1:0 --join %s\n", s.joinBy)
	}
	if processes := others.Processes(); len(processes) > 1 {
		for _, p := range processes {
			here := ""
			if p.Here {
				here = ", this one"
			}
			fmt.Fprintf(e.stdout, "Process %d (%s%s) runs node %s.\n", p.Number, p.Name, here, p.Nodes())
		}
	}
}

// ended says why the world has ended: in good order, which is no error, or otherwise.
func (e *environment) ended(err error) error {
	if !errors.Is(err, bus.ErrEnded) && !errors.Is(err, cluster.ErrEnded) {
		return err
	}
	fmt.Fprintln(e.stderr, "throng:", err)
	return nil
}

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"throng/lab/experiment"
	"throng/live/bus"
	"throng/live/hub"
)

// joinTime is how long the first process of a world may take to let another one in.
const joinTime = 10 * time.Second

// openBus makes this process the first of a world, or a further one of a world that there is.
func (e *environment) openBus(ctx context.Context, s *serving, log *slog.Logger) (*bus.Bus, error) {
	c := bus.Config{
		Catalog: e.program.Catalog, Log: log,
		Server: s.Bus, Listen: s.BusListen, Patience: time.Duration(s.BusPatience),
	}
	if s.Join == "" {
		b, err := bus.Begin(s.description(), c)
		return b, s.mistaken(err, "bus", "bus-listen")
	}
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	b, err := bus.Join(ctx, s.Join, c)
	return b, s.mistaken(err, "join")
}

// mistaken says which of the settings has a wrong address, if that is what an error is about.
func (s *serving) mistaken(err error, paths ...string) error {
	var wrong bus.AddressError
	if !errors.As(err, &wrong) {
		return err
	}
	where := ""
	for _, path := range paths {
		if from, ok := s.from[path]; ok && where == "" {
			where = from
		}
	}
	return &experiment.UserError{Where: where, Message: wrong.Error()}
}

// start brings the world, or this process's part of it, to life.
func (e *environment) start(ctx context.Context, s *serving, c hub.Config, log *slog.Logger) (*hub.Hub, *bus.Bus, error) {
	others, err := e.openBus(ctx, s, log)
	if err != nil {
		return nil, nil, err
	}
	others.Configure(&c)
	s.World, s.Mechanism = c.Description.World.Name, c.Description.Mechanism.Name
	world, err := hub.Start(c, e.program.Catalog)
	if err != nil {
		others.Close()
		return nil, nil, &experiment.UserError{Message: err.Error()}
	}
	joining, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	if err := others.Run(joining, world); err != nil {
		world.Close(ctx, err.Error())
		others.Close()
		return nil, nil, err
	}
	return world, others, nil
}

// checkJoin refuses flags that mean nothing to a process that joins a world. The environment and files may be the same for
// all processes: what they say about the world is for the first.
func (s *serving) checkJoin() error {
	if s.Join == "" {
		return nil
	}
	for _, g := range s.given {
		axis, _, _ := strings.Cut(g.path, ".")
		if g.layer == layerFlag && slices.Contains([]string{"world", "mechanism", playersKey, "seed", "bus", "bus-listen", "bus-patience"}, axis) {
			return g.errorf("a process that joins a world takes it as it is: leave this to the first process")
		}
	}
	return nil
}

// secret reports whether a setting's value is nobody's to read.
func secret(path, text string) bool {
	switch path {
	case "admin-token", "join":
		return text != ""
	case "bus":
		return strings.Contains(text, "@")
	}
	return false
}

// announceBus prints how further processes join.
func (e *environment) announceBus(s *serving, others *bus.Bus) {
	switch {
	case s.Join != "":
		fmt.Fprintln(e.stdout, "This process has joined the world; the first one must go on running.")
	case s.Bus != "":
		fmt.Fprintf(e.stdout, "Further processes, with the bus's credentials: throng serve --listen 127.0.0.1:0 --join %s\n", others.JoinURL())
	default:
		fmt.Fprintf(e.stdout, "Further processes: throng serve --listen 127.0.0.1:0 --join %s\n", others.JoinURL())
	}
}

// ended says why the world has ended: in good order, which is no error, or otherwise.
func (e *environment) ended(err error) error {
	if !errors.Is(err, bus.ErrEnded) {
		return err
	}
	fmt.Fprintln(e.stderr, "throng:", err)
	return nil
}

//go:build !js

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"throng/lab/experiment"
	"throng/live/cluster"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/logging"
)

// serveCommand's flags are texts: what they mean is decided in one place for flags, environment and files (serve_settings.go).
type serveCommand struct {
	World     *string  `short:"w" placeholder:"NAME" help:"The world (see throng list worlds). Default: crowd."`
	Mechanism *string  `short:"m" placeholder:"NAME" help:"How it is shared (see throng list mechanisms). Default: central."`
	Set       []string `short:"s" sep:"none" placeholder:"PATH=VALUE" help:"Set a parameter: world.walkers=100, mechanism.budget=…, limits.connections=50. May be given several times."`
	Players   *string  `placeholder:"N" help:"How many artificial players there are, where the world leaves that open."`
	Worlds    *string  `type:"path" placeholder:"FILE" help:"Have several worlds, in rooms of their own that people choose from: a file in YAML with their settings by name, as plaza: {world: crowd, players: 100}."`
	Seed      *string  `help:"What all randomness is derived from."`

	Listen         *string `short:"l" placeholder:"ADDRESS" help:"Where to listen. Default: 127.0.0.1:8080; port 0 takes any that is free."`
	Origin         *string `placeholder:"URL,…" help:"Other sites whose pages may connect, such as https://example.org; * for all."`
	BehindProxy    bool    `help:"Believe X-Forwarded-For and X-Forwarded-Proto."`
	Cert           *string `type:"path" placeholder:"FILE" help:"Certificate for HTTPS and WebTransport, with its chain, in PEM."`
	Key            *string `type:"path" placeholder:"FILE" help:"Its key."`
	NoWebtransport bool    `help:"WebSockets only."`
	Page           *string `type:"path" placeholder:"DIR" help:"Files of your own that take the place of the page's, or come beside them: index.html, scripts, pictures."`
	Auth           *string `type:"path" placeholder:"FILE" help:"Let only those in who show a token (JWT) of your own accounts: the file has the secret that they are signed with, or the public keys (a JWKS)."`
	AuthAudience   *string `placeholder:"TEXT" help:"Whom these tokens must be meant for (aud). Keys need it."`
	AuthIssuer     *string `placeholder:"TEXT" help:"Who must have issued them (iss). Default: anybody who has the key."`
	AdminListen    *string `placeholder:"ADDRESS" help:"Where operators get /admin, /metrics and profiles, and nobody is limited by address; off for nowhere. Default: 127.0.0.1:8081, or any free port if that is taken."`
	AdminToken     *string `placeholder:"TEXT" help:"What operators then have to give, as a password or bearer token; it opens their pages at the other address too."`

	Switch *string `placeholder:"WHEN" help:"Whether people on the page may change the mechanism, or play under two side by side: on, off or auto. Default: auto, where only this machine can reach the server."`

	Direct    *string `placeholder:"WHEN" help:"Whether players' machines may connect to each other where the mechanism has them talk (zonal, loose, optimistic), and so learn each other's addresses: on, off or auto. Default: auto, where only this machine can reach the server."`
	ICE       *string `name:"ice" placeholder:"URL,…" help:"STUN and TURN servers by which they then find each other, such as stun:stun.example.org:3478; none are needed in one network."`
	ICESecret *string `name:"ice-secret" placeholder:"TEXT" help:"What TURN servers share with this one (coturn: static-auth-secret): players get names and passwords made from it."`

	Join      *string `placeholder:"URL" help:"Be a further process of a world: the file that its first process has printed, or the URL in it."`
	Bus       *string `placeholder:"URL" help:"Use a NATS server that runs elsewhere instead of the one built in."`
	Processes *string `placeholder:"N" help:"Begin the world in so many processes, the others started by this one. Default: 1."`
	Wait      *string `placeholder:"N" help:"Begin the world when so many further processes have joined, here or elsewhere. Default: 0."`
	Replicas  *string `placeholder:"N" help:"Have every process be able to go on for all others: so many, which may be killed one after the other. Default: 1, none can."`
	Durable   *string `placeholder:"WHERE" help:"Where a majority of replicas must have what users are told: memory, or disk, which needs --data. Default: disk with --data, else memory."`
	Public    *string `placeholder:"URL" help:"Where people elsewhere find this process, as https://a.example.org; the others tell theirs. Default: where it listens."`
	Data      *string `type:"path" placeholder:"DIR" help:"Keep the world in a folder, so that it is the same again when everything was stopped. Default: in memory only."`
	Record    *string `type:"path" placeholder:"DIR" help:"Record the world into a folder, to be watched with throng view: the truth, what some artificial players see and do, who comes and goes. Files of 10 minutes, the oldest of which are removed when all have more than 1 GB (record-length, record-size)."`
	BusListen *string `placeholder:"ADDRESS" help:"Where the built-in one listens for further processes. Default: 127.0.0.1:0, any port that is free."`

	LogLevel    *string `placeholder:"LEVEL" help:"debug, info, warn or error. Default: info."`
	LogFormat   *string `placeholder:"FORMAT" help:"text or json. Default: text."`
	Config      string  `short:"c" placeholder:"FILE" env:"THRONG_CONFIG" help:"Settings in YAML, under the names that --print-config shows."`
	PrintConfig bool    `help:"Print all settings and where each comes from, and exit."`
}

func (serveCommand) Help() string {
	return `Everything is in this one program: open the address that it prints. Ctrl-C ends it in good order.

A setting comes from its flag, else from the environment (THRONG_LISTEN, THRONG_WORLD_WALKERS, …), else from the file
given by --config, else it has its default.

Examples:
  throng serve
  throng serve --world swarm --mechanism optimistic --players 4
  throng serve --listen :8443 --cert fullchain.pem --key privkey.pem
  throng serve --set limits.connections-per-host=4 --print-config
  throng serve --auth jwks.json --auth-audience arena
  throng serve --worlds worlds.yaml
  throng serve --mechanism interest --processes 3
  throng serve --processes 3 --replicas 3 --data world
  throng serve --listen 127.0.0.1:0 --join /run/user/1000/throng-123.join`
}

func (c *serveCommand) Run(e *environment) error {
	s, err := e.settings(c)
	if err != nil {
		return err
	}
	if c.PrintConfig {
		for _, warning := range s.strangers() {
			fmt.Fprintln(e.stderr, "throng: note:", warning)
		}
		return s.print(e.stdout)
	}
	// The operating system asks servers to end by SIGTERM.
	ctx, stop := signal.NotifyContext(e.ctx, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second one ends the process at once
	log := s.logQueue(e.stderr)
	defer log.Close(logTime)
	serving := *e
	serving.stderr = log
	return serving.serve(ctx, s, log, e.stderr)
}

// shutdownTime is how long everybody has to say goodbye.
const shutdownTime = 10 * time.Second

// serve runs a world until ctx is done. Further processes write their own logs, to where this one's is written in the end.
func (e *environment) serve(ctx context.Context, s *serving, log *logging.Queue, stderr io.Writer) error {
	certificate, err := s.certificate()
	if err != nil {
		return err
	}
	tcp, udp, err := listen(s.Listen, s.WebTransport)
	if err != nil && os.Getenv(spawned) != "" {
		tcp, udp, err = listen(anyPort(s.Listen), s.WebTransport)
	}
	if err != nil {
		return err
	}
	s.gateway = cmp.Or(s.Public, s.urlOf(tcp.Addr()))
	defer tcp.Close()
	if udp != nil {
		defer udp.Close()
	}
	operators, err := s.listenOperators()
	if err != nil {
		return err
	}
	if operators != nil {
		defer operators.Close()
	}
	s.admin = s.operatorsURL(operators)
	s.forgetJoin = func() {}
	defer func() { s.forgetJoin() }()
	gate, all, others, children, err := e.open(ctx, s, certificate, log, stderr)
	if err != nil {
		if ctx.Err() != nil {
			return nil // it was not to begin after all
		}
		return e.ended(err)
	}
	defer children.wait(shutdownTime) // they end when the bus has told them
	defer others.Close()
	failed := make(chan error, 2)
	var terminated <-chan struct{}
	if udp != nil {
		err = gate.ServeWebTransport(udp)
	}
	if err == nil {
		go func() { failed <- gate.Serve(tcp) }()
		if operators != nil {
			go func() { failed <- gate.ServeOperators(operators) }()
		}
		e.announce(s)
		e.announceBus(s, others)
		children.relay(e.stdout)
		terminated = terminations(others)
		select {
		case <-terminated:
			fmt.Fprintln(e.stderr, "throng: handing over to others; press Ctrl-C to end at once")
		case <-ctx.Done():
			fmt.Fprintln(e.stderr, "throng: saying goodbye; press Ctrl-C again to end at once")
		case <-others.Ended():
			err = e.ended(others.Err())
		case err = <-failed:
		}
	}
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	const reason = "the server is going down"
	children.dismiss()
	err = errors.Join(err, partFrom(deadline, s, others, terminated, reason), all.close(deadline, reason))
	if closing := gate.Close(deadline, reason); !errors.Is(closing, context.DeadlineExceeded) {
		err = errors.Join(err, closing)
	}
	return err
}

// open brings the world to life and makes the way in to it.
func (e *environment) open(ctx context.Context, s *serving, certificate gateway.Certificate, lines *logging.Queue, stderr io.Writer) (*gateway.Gateway, *rooms, company, *children, error) {
	log := s.logger(lines)
	for _, warning := range s.strangers() {
		log.Warn(warning)
	}
	monitor, hooks := gateway.NewMonitor(s.room), newHooked(&e.program.Hooks, log)
	config := hub.Config{
		Grace: time.Duration(s.Grace), SeatsMax: s.Seats, Acted: monitor.Acted, Event: monitor.Event, Woken: monitor.Woken, Panicked: logPanic(log),
	}
	hooks.watch(&config)
	if s.Record != "" {
		s.recorded = new(recorded)
		s.recorded.watch(&config)
	}
	world, others, children, err := e.start(ctx, s, config, log, stderr)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	monitor.Register(others)
	monitor.Register(lines)
	all := e.newRooms(ctx, s, log, world)
	var seats gateway.Seats
	operators := all.orders()
	var save func() (map[string]string, error)
	if k, ok := others.(*cluster.Cluster); ok {
		seats = k.Seats()
		maps.Copy(operators, k.Operators())
		if s.Data != "" {
			save = func() (map[string]string, error) { return map[string]string{"folder": s.Data}, k.Flush(ctx) }
		}
	}
	gate, err := gateway.New(gateway.Config{
		Room: s.room, About: s.About, Rooms: all.gates, Front: all.front, Seats: seats, Operators: operators, Accounts: s.accounts, Save: hooks.saving(save),
		Hub: world, Processes: others.Processes, Monitor: monitor, Page: overlaid(s.pageFiles, e.page(ctx, log)), Log: log, Limits: s.Limits, Origins: s.Origin,
		BehindProxy: s.BehindProxy, AdminToken: s.AdminToken, Certificate: certificate, Direct: s.direct(),
	})
	if err != nil {
		world.Close(ctx, err.Error())
		abandon(others, children)
		return nil, nil, nil, nil, err
	}
	if s.Record != "" {
		if err := s.recorded.start(s, world, s.Record, log); err != nil {
			world.Close(ctx, err.Error())
			abandon(others, children)
			return nil, nil, nil, nil, err
		}
	}
	go hooks.run(ctx, gate, world)
	if err := all.begin(gate); err != nil {
		err = errors.Join(err, all.close(ctx, err.Error()), gate.Close(ctx, err.Error()))
		abandon(others, children)
		return nil, nil, nil, nil, err
	}
	return gate, all, others, children, nil
}

// announce prints the address, for programs in the first line, and what to do with it.
func (e *environment) announce(s *serving) {
	switch os.Getenv(spawned) {
	case spawnedFirst:
		return // the process that began the world prints it
	case spawnedLater:
		e.announceAlso(os.Getpid(), s.gateway, s.admin)
		return
	}
	fmt.Fprintf(e.stdout, "listening on %s\n", s.gateway)
	what := fmt.Sprintf("join %s, shared by %s", s.World, s.Mechanism)
	if len(s.others) > 0 {
		what = "choose a room: " + s.room
		for _, o := range s.others {
			what += ", " + o.room
		}
	}
	fmt.Fprintf(e.stdout, "Open it in a browser to %s. Ctrl-C ends it.\n", what)
	if s.admin != "" {
		fmt.Fprintf(e.stdout, forOperators+"%s/admin\n", s.admin)
	}
}

// urlOf is where people on this machine find a listener.
func (s *serving) urlOf(at net.Addr) string {
	if s.Cert != "" {
		return "https://" + reachable(at)
	}
	return "http://" + reachable(at)
}

// reachable is an address under which this machine reaches a listener.
func reachable(at net.Addr) string {
	ap, err := netip.ParseAddrPort(at.String())
	if err != nil || !ap.Addr().Unmap().IsUnspecified() {
		return at.String()
	}
	return fmt.Sprintf("localhost:%d", ap.Port())
}

// listenTries is how often a free port is looked for that is free for both TCP and UDP.
const listenTries = 20

// listen opens the port for TCP and, if there is to be WebTransport, for UDP.
func listen(address string, webTransport bool) (net.Listener, net.PacketConn, error) {
	for try := 1; ; try++ {
		tcp, err := net.Listen("tcp", address)
		if err != nil {
			return nil, nil, cannotListen(address, "", err)
		}
		if !webTransport {
			return tcp, nil, nil
		}
		udp, err := net.ListenPacket("udp", tcp.Addr().String())
		if err == nil {
			return tcp, udp, nil
		}
		tcp.Close()
		if try == listenTries || !strings.HasSuffix(address, ":0") {
			return nil, nil, cannotListen(address, " for WebTransport (see --no-webtransport)", err)
		}
	}
}

func cannotListen(address, what string, err error) error {
	reason := err.Error()
	var system syscall.Errno
	if errors.As(err, &system) {
		reason = system.Error()
	}
	return fmt.Errorf("cannot listen on %s%s: %s", address, what, reason)
}

// certificate reads the one that was given; nil if there is none.
func (s *serving) certificate() (gateway.Certificate, error) {
	if s.Cert == "" {
		return nil, nil
	}
	files, err := gateway.OpenFiles(s.Cert, s.Key)
	if err != nil {
		return nil, &experiment.UserError{Where: s.from["cert"], Message: err.Error()}
	}
	return files, nil
}

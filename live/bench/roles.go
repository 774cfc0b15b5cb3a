//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"throng/internal/param"
	"throng/live/bench/bare"
	"throng/live/bots"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// part is what a process is told to do.
type part struct {
	mode     string // a workload
	variant  string // of the server: "bare", or what the workload makes of it
	users    int
	idle     bool
	url      string // of the server, for a load
	duration time.Duration
	profile  string
	set      settings
}

// settings are parameters of the mechanism, as in slots=20.
type settings []string

func (s *settings) String() string { return strings.Join(*s, ",") }

func (s *settings) Set(text string) error {
	if !strings.Contains(text, "=") {
		return errors.New("a setting is a name, an equals sign and a value")
	}
	*s = append(*s, text)
	return nil
}

// roles are what processes can be.
var roles = map[string]func(ctx context.Context, p *part) error{
	"serve-bare":   serveBare,
	"serve-throng": serveThrong,
	"load-bare":    loadBare,
	"load-throng":  loadThrong,
}

// arguments are a part as a command line.
func (p *part) arguments(role string) []string {
	args := []string{role, "-mode", p.mode, "-variant", p.variant, "-users", strconv.Itoa(p.users), "-idle=" + strconv.FormatBool(p.idle),
		"-url", p.url, "-duration", p.duration.String(), "-profile", p.profile}
	for _, setting := range p.set {
		args = append(args, "-set", setting)
	}
	return args
}

func play(ctx context.Context, role func(context.Context, *part) error, args []string) error {
	var p part
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&p.mode, "mode", "spread", "")
	flags.StringVar(&p.variant, "variant", "", "")
	flags.IntVar(&p.users, "users", 100, "")
	flags.BoolVar(&p.idle, "idle", false, "")
	flags.StringVar(&p.url, "url", "", "")
	flags.DurationVar(&p.duration, "duration", 4*time.Second, "")
	flags.StringVar(&p.profile, "profile", "", "")
	flags.Var(&p.set, "set", "")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if p.profile != "" {
		stop, err := startProfile(filepath.Join(p.profile, fmt.Sprintf("%s-%s-%s-%d", args[0], p.mode, p.variant, p.users)))
		if err != nil {
			return err
		}
		defer stop()
	}
	return role(ctx, &p)
}

// startProfile writes down where the processor's time goes until stop is called, and where memory is held then.
func startProfile(name string) (stop func(), err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	cpu, err := os.Create(name + "-cpu.pprof")
	if err != nil {
		return nil, err
	}
	heap, err := os.Create(name + "-heap.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		pprof.WriteHeapProfile(heap)
		cpu.Close()
		heap.Close()
	}, nil
}

// ramp is how long it takes until all have joined.
func (p *part) ramp() time.Duration {
	return max(time.Second, time.Duration(p.users)*time.Second/time.Duration(p.workload().joins))
}

// workload is what is measured.
func (p *part) workload() *workload { return workloads[p.mode] }

// description is the world. Its users are there from the beginning but nobody plays them: whoever joins takes the next.
func (p *part) description() (session.Description, error) {
	d := session.Description{Seed: 1}
	d.World, d.Mechanism = p.workload().describe(p, p.variant)
	for _, setting := range p.set {
		name, value, _ := strings.Cut(setting, "=")
		d.Mechanism.Params[name] = value
	}
	s, _, err := d.Build(everything())
	if err != nil {
		return d, err
	}
	for _, place := range s.Places {
		if place.User == 0 {
			d.Places = append(d.Places, place)
		}
	}
	return d, nil
}

// field is the ground of the same crowd for the bare server.
func (p *part) field() (bare.Field, error) {
	d, err := p.description()
	if err != nil {
		return bare.Field{}, err
	}
	s, _, err := d.Build(everything())
	if err != nil {
		return bare.Field{}, err
	}
	side := centimetres(s.World.Schema().Bounds.Size().X)
	if p.mode == "dense" {
		return bare.Field{Side: side, Sight: 2 * side}, nil
	}
	return bare.Field{Side: side, Sight: centimetres(s.World.(world.Limited).Limits().Sight)}, nil
}

func centimetres(f fixed.F) int32 { return int32(f.MulInt(100).Round()) }

// listen lets a server listen and says where; the director waits for it.
func listen() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(l.Addr())
	}
	return l, err
}

func serveBare(ctx context.Context, p *part) error {
	field, err := p.field()
	if err != nil {
		return err
	}
	l, err := listen()
	if err != nil {
		return err
	}
	return bare.Serve(ctx, l, field)
}

// serveThrong is what `throng serve` does, but for the page and the artificial players.
func serveThrong(ctx context.Context, p *part) error {
	d, err := p.description()
	if err != nil {
		return err
	}
	monitor := gateway.NewMonitor("")
	var count counter
	h, err := hub.Start(hub.Config{Description: d, FirstUser: 1, Acted: monitor.Acted, Woken: monitor.Woken,
		Event: func(p mechanism.Place, e mechanism.Event) {
			monitor.Event(p, e)
			count.event(p, e)
		}}, everything())
	if err != nil {
		return err
	}
	g, err := gateway.New(gateway.Config{Hub: h, Monitor: monitor, Page: http.NotFoundHandler(), Limits: param.Default[gateway.Limits]()})
	if err != nil {
		return err
	}
	l, err := listen()
	if err != nil {
		return err
	}
	go g.ServeOperators(l) // where users from one address are as many as they like
	if p.idle {
		go tidyUp(ctx)
	}
	go count.tell(ctx, h, p.workload().tallied)
	<-ctx.Done()
	return nil // what is to be measured has been; everybody may find the door shut
}

// tidyUp keeps what is resident near what is in use, so that it can be read off from outside: without it, what joining took
// would stay for minutes.
func tidyUp(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			debug.FreeOSMemory()
		case <-ctx.Done():
			return
		}
	}
}

// observers are how many of the users look closely at what they get.
func (p *part) observers() int {
	if p.mode == "dense" {
		return 6 // each of them sees everybody
	}
	return 64
}

func loadBare(ctx context.Context, p *part) error {
	field, err := p.field()
	if err != nil {
		return err
	}
	load := bare.Load{URL: "ws://" + p.url + "/ws", Field: field, Users: p.users, Observers: p.observers(),
		Ramp: p.ramp(), Settle: p.workload().settle, Duration: p.duration}
	return json.NewEncoder(os.Stdout).Encode(load.Run(ctx))
}

func loadThrong(ctx context.Context, p *part) error {
	config := bots.Config{
		URL: "http://" + p.url, Users: p.users, Light: true, Whole: p.observers(), Idle: p.idle,
		Ramp: p.ramp(), Settle: p.workload().settle, Duration: p.duration, Seed: 1,
	}
	if p.workload().relief {
		config.Stay, config.Relief = p.users/4, reliefTime
	}
	if p.mode == "promotion" {
		megabits, err := strconv.ParseInt(p.variant, 10, 64)
		if err != nil {
			return err
		}
		config.Dial = bots.Shaper{Delay: promotionDelay, Down: megabits * 1_000_000}.Dial
	}
	report, err := bots.Run(ctx, config, everything())
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

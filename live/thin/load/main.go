// Command load measures how many thin clients a server holds on one core: people of the crowd who change direction ten times a second, under central,
// each of whom sees some ten others. It runs the server in a process of its own, and is the load itself.
//
//	make bench-thin LOAD='-users 1000'
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"throng/catalog"
	"throng/internal/param"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/session"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

var (
	users    = flag.Int("users", 1000, "how many join")
	duration = flag.Duration("duration", 20*time.Second, "how long to measure")
	format   = flag.String("format", "json", "json or msgpack")
	serving  = flag.Bool("serve", false, "be the server")
)

func main() {
	flag.Parse()
	runtime.GOMAXPROCS(1)
	run := load
	if *serving {
		run = serve
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// serve is what `throng serve` does, but for the page and the artificial players. It ends with its input.
func serve() error {
	d := session.Description{
		World:     session.Choice{Name: "crowd", Params: map[string]string{"mode": "spread", "walkers": strconv.Itoa(*users)}},
		Mechanism: session.Choice{Name: "central"}, Seed: 1,
	}
	s, _, err := d.Build(catalog.Default())
	if err != nil {
		return err
	}
	for _, place := range s.Places {
		if place.User == 0 {
			d.Places = append(d.Places, place)
		}
	}
	monitor := gateway.NewMonitor("")
	h, err := hub.Start(hub.Config{Description: d, FirstUser: 1, Acted: monitor.Acted, Event: monitor.Event, Woken: monitor.Woken}, catalog.Default())
	if err != nil {
		return err
	}
	limits := param.Default[gateway.Limits]()
	limits.ConnectionsPerHost, limits.JoinsPerMinute = 1e6, 1e6
	g, err := gateway.New(gateway.Config{Hub: h, Monitor: monitor, Limits: limits})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	go g.Serve(l)
	io.Copy(io.Discard, os.Stdin)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	fmt.Println(time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds())
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return g.Close(ctx, "the load is over")
}

// crowd is everybody who joined.
type crowd struct {
	began  time.Time
	people []*person
	byUser sync.Map // user → *person
	frames atomic.Int64
	on     atomic.Bool // measuring

	mu     sync.Mutex
	delays []time.Duration
}

// speeds is how many different speeds there are; each action has the next, so that whoever sees it knows when that was.
const speeds = 64

type person struct {
	*thinclient.Client
	user    float64
	watches bool
	acted   [speeds]atomic.Int64 // when an action was taken, as time since the beginning
	turn    int
}

const (
	actEvery = 100 * time.Millisecond
	watchers = 20 // one person in so many measures
)

func load() error {
	f, ok := thin.ParseFormat(*format)
	if !ok {
		return fmt.Errorf("there is no format %s", *format)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server := exec.Command(self, "-serve", "-users", strconv.Itoa(*users))
	server.Stderr = os.Stderr
	hold, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	c := &crowd{began: time.Now()}
	if err := c.join(lines.Text(), f); err != nil {
		return err
	}
	joined := time.Since(c.began)
	c.measure()
	hold.Close()
	lines.Scan()
	cpu, _ := strconv.ParseFloat(lines.Text(), 64)
	if err := server.Wait(); err != nil {
		return err
	}
	c.report(joined, cpu)
	return nil
}

// join has everybody join, some hundred in a second.
func (c *crowd) join(url string, f thin.Format) error {
	for i := range *users {
		k, err := thinclient.Dial(url, f, nil)
		if err != nil {
			return err
		}
		p := &person{Client: k, watches: i%watchers == 0}
		k.Skip = !p.watches
		if err := k.Say(thinclient.Message{"type": "join", "version": thin.Version, "fields": map[string]any{"walker": []any{"x", "y", "vx", "vy", "doing"}}, "rate": 10}); err != nil {
			return err
		}
		c.people = append(c.people, p)
		go c.follow(p)
		time.Sleep(4 * time.Millisecond)
	}
	time.Sleep(3 * time.Second)
	return nil
}

// follow takes what a person is told.
func (c *crowd) follow(p *person) {
	columns := map[any][]any{}
	for m := range p.Messages {
		switch m.Type() {
		case "welcome":
			p.user, _ = m["user"].(float64)
			c.byUser.Store(p.user, p)
		case "view":
			if !p.watches {
				break
			}
			for _, t := range list(m["tables"]) {
				columns[list(t)[0]] = list(list(t)[2])
			}
			for _, t := range list(m["change"]) {
				c.look(list(t), columns[list(t)[0]])
			}
		case "goodbye":
			if m["code"] != "shutdown" {
				fmt.Fprintln(os.Stderr, "load: told", m)
			}
		}
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// look finds in a table's rows who has another speed than before, and how long ago that was decided.
func (c *crowd) look(rows []any, columns []any) {
	at := slices.Index(columns, any("vx"))
	if at < 0 || !c.on.Load() {
		return
	}
	now := time.Since(c.began)
	for i := 1; i < len(rows); i += len(columns) {
		speed, _ := rows[i+at].(float64)
		p, ok := c.byUser.Load(rows[i]) // walkers have their users' numbers
		if !ok {
			continue
		}
		acted := p.(*person).acted[int(math.Round(math.Abs(speed)*50))%speeds].Load()
		if delay := now - time.Duration(acted); acted != 0 && delay < speeds/2*actEvery {
			c.mu.Lock()
			c.delays = append(c.delays, delay)
			c.mu.Unlock()
		}
	}
}

// measure has everybody change direction ten times a second, each at a moment of their own.
func (c *crowd) measure() {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	settle := 3 * time.Second
	began := time.Now()
	next := 0
	for now := range ticker.C {
		passed := now.Sub(began)
		if passed > settle+*duration {
			break
		}
		if passed > settle && !c.on.Load() {
			c.frames.Store(-c.count())
			c.on.Store(true)
		}
		for due := int(passed * time.Duration(len(c.people)) / actEvery); next < due; next++ {
			c.act(c.people[next%len(c.people)])
		}
	}
	c.on.Store(false)
	c.frames.Add(c.count())
}

func (c *crowd) count() (n int64) {
	for _, p := range c.people {
		n += p.Frames.Load()
	}
	return n
}

func (c *crowd) act(p *person) {
	p.turn++
	k := p.turn % speeds
	speed := 2 * k
	if p.turn/speeds%2 == 1 {
		speed = -speed
	}
	p.acted[k].Store(int64(time.Since(c.began)))
	if err := p.Say(thinclient.Message{"type": "act", "id": p.turn, "verb": "walk", "args": map[string]any{"vx": speed, "vy": 0}}); err != nil && !strings.Contains(err.Error(), "closed") {
		fmt.Fprintln(os.Stderr, "load:", err)
	}
}

func (c *crowd) report(joined time.Duration, cpu float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.Sort(c.delays)
	if len(c.delays) == 0 {
		fmt.Println("nothing was observed")
		return
	}
	at := func(part float64) time.Duration {
		return c.delays[int(part*float64(len(c.delays)-1))].Round(100 * time.Microsecond)
	}
	seconds := duration.Seconds()
	fmt.Printf("%d thin clients, %s: observation delay p50 %v, p90 %v, p99 %v (%d observed)\n", *users, *format, at(0.5), at(0.9), at(0.99), len(c.delays))
	fmt.Printf("messages to each client %.1f/s; server %.0f%% of a core from its start to its end (joining took %v)\n",
		float64(c.frames.Load())/seconds/float64(*users), 100*cpu/time.Since(c.began).Seconds(), joined.Round(time.Second/10))
}

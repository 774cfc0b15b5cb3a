package hostile

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"throng/catalog"
	"throng/internal/param"
	"throng/live/bots"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
)

// world is a server with a crowd, as it is served.
type world struct {
	hub               *hub.Hub
	gate              *gateway.Gateway
	public, operators string
}

func serve(t *testing.T, mechanism string, direct *gateway.Direct) *world {
	t.Helper()
	m := gateway.NewMonitor("")
	h, err := hub.Start(hub.Config{
		Description: session.Description{
			World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": "20", "restless": "true"}},
			Mechanism: session.Choice{Name: mechanism},
		},
		Grace: time.Second, Event: m.Event, Woken: m.Woken, Acted: m.Acted,
	}, catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	limits := param.Default[gateway.Limits]()
	limits.JoinsPerMinute = 1 << 20 // many attackers share one address here; the other limits hold
	g, err := gateway.New(gateway.Config{Hub: h, Monitor: m, Limits: limits, Direct: direct})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{hub: h, gate: g}
	for at, run := range map[*string]func(net.Listener) error{&w.public: g.Serve, &w.operators: g.ServeOperators} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		*at = l.Addr().String()
		go run(l)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		g.Close(ctx, "the test is over")
	})
	return w
}

// metric reads one of the server's.
func (w *world) metric(t *testing.T, name string) (value float64) {
	t.Helper()
	response, err := http.Get("http://" + w.operators + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n"+name+" ")
	fmt.Sscan(rest, &value)
	return value
}

// descriptors is how many the process has open; zero where nobody says.
func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

func heap() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Attackers of every kind at once: all honest users stay and are served, no node panics, and when the attackers are gone there is
// nothing left of them, neither connections nor users, goroutines, descriptors or memory.
func TestAttackersAreNobodysConcern(t *testing.T) {
	const honest, each = 30, 2
	w := serve(t, "central", nil)
	attack := func(d time.Duration) *bots.Report {
		ctx, stop := context.WithTimeout(t.Context(), d+4*time.Second)
		defer stop()
		var all sync.WaitGroup
		target := NewTarget(w.public)
		for i, a := range Attacks {
			for j := range each {
				all.Go(func() { a.Run(ctx, target, rand.New(rand.NewPCG(uint64(i), uint64(j)))) })
			}
		}
		report, err := bots.Run(t.Context(), bots.Config{URL: "http://" + w.operators, Users: honest, Ramp: time.Second, Settle: time.Second, Duration: d, Seed: 1}, catalog.Default())
		stop()
		all.Wait()
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	rest := func() {
		livetest.Until(t, "everybody has gone", func() bool {
			c := w.hub.Counters()
			return w.gate.Clients() == 0 && c.People == 0 && c.Away == 0
		})
	}
	attack(time.Second) // pools and caches are filled
	rest()
	goroutines, open, memory := runtime.NumGoroutine(), descriptors(), heap()

	report := attack(3 * time.Second)
	if report.Joined != honest || report.Stayed != honest {
		t.Errorf("of %d honest users %d joined and %d stayed: %v %v", honest, report.Joined, report.Stayed, report.Failures, report.Goodbyes)
	}
	t.Logf("observation delay %v, updates %d of %d", report.Delay, report.Updates.Delivered, report.Updates.Due)
	for _, line := range []string{`throng_connections_ended_total{reason="flood"}`, `throng_connections_ended_total{reason="stranger"}`,
		`throng_connections_ended_total{reason="left"}`, `throng_drops_total{reason="rate"}`, `throng_refused_total{reason="address"}`} {
		if count := w.metric(t, line); count == 0 {
			t.Errorf("the attackers were not up to much: %s is %v", line, count)
		}
	}
	if failures, n := w.hub.Failures(); n > 0 {
		t.Errorf("%d panics, the last: %s\n%s", n, failures[len(failures)-1].What, failures[len(failures)-1].Stack)
	}
	rest()
	livetest.Until(t, "goroutines are as before", func() bool { return runtime.NumGoroutine() <= goroutines+10 })
	livetest.Until(t, "descriptors are as before", func() bool { return descriptors() <= open+10 })
	if after := heap(); after > memory+16<<20 {
		t.Errorf("%d bytes were in use, now %d", memory, after)
	}
}

package bots

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/internal/param"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
)

// server is a world that is served in memory: a crowd under central in which everybody acts ten times a second.
type server struct {
	network *livetest.Memory
	gate    *gateway.Gateway
}

// serve starts a server for walkers whom nobody plays yet.
func serve(t *testing.T, walkers string, seats int) *server {
	t.Helper()
	return serveUnder(t, session.Choice{Name: "central"}, walkers, seats)
}

// serveUnder does so under any mechanism with one server.
func serveUnder(t *testing.T, how session.Choice, walkers string, seats int) *server {
	t.Helper()
	d := session.Description{
		World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": walkers, "mode": "spread", "restless": "true"}},
		Mechanism: how,
		Seed:      7,
	}
	s, _, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	d.Places = s.Places[:1] // the server
	monitor := gateway.NewMonitor("")
	h, err := hub.Start(hub.Config{Description: d, FirstUser: 1, SeatsMax: seats, Event: monitor.Event, Woken: monitor.Woken}, catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	g, err := gateway.New(gateway.Config{Hub: h, Monitor: monitor, Limits: param.Default[gateway.Limits]()})
	if err != nil {
		t.Fatal(err)
	}
	network := livetest.NewMemory()
	go g.Serve(network)
	return &server{network, g}
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	if err := s.gate.Close(t.Context(), "the test is over"); err != nil {
		t.Error(err)
	}
}

func (s *server) config(users int) Config {
	return Config{
		URL: "http://server", Users: users, Workers: 1, Seed: 1, Dial: s.network.Dial,
		Ramp: time.Second, Settle: 2 * time.Second, Duration: 5 * time.Second,
	}
}

// load runs bots to their end.
func load(t *testing.T, c Config) *Report {
	t.Helper()
	r, err := Run(t.Context(), c, catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWholeClientsMeasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "12", 100)
		defer s.stop(t)
		r := load(t, s.config(12))
		if r.Whole != 12 {
			t.Errorf("%d whole clients, want 12", r.Whole)
		}
		checkReport(t, r, 12)
	})
}

// Where users' machines feed each other, more of them take part than the server feeds: clients reach one another through the gateway.
func TestClientsFeedEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveUnder(t, session.Choice{Name: "zonal", Params: map[string]string{"zones": "1", "root": "2"}}, "12", 100)
		defer s.stop(t)
		r := load(t, s.config(12))
		if r.Joined != 12 || r.Levels[2].Count == 0 {
			t.Errorf("%d of 12 take part; %d letters were passed on twice", r.Joined, r.Levels[2].Count)
		}
		// A letter is written every 100 ms, and waits up to 10 for others each time that it is passed on.
		if r.Delay.Count == 0 || r.Delay.P50 < 10 || r.Delay.P50 > 150 || r.Delay.P90 > 270 {
			t.Errorf("observation delay %v", r.Delay)
		}
	})
}

func TestLightClientsLoadLikeWholeOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "12", 100)
		defer s.stop(t)
		config := s.config(12)
		config.Light, config.Whole = true, 3
		r := load(t, config)
		if r.Whole != 3 {
			t.Errorf("%d whole clients, want 3", r.Whole)
		}
		checkReport(t, r, 12)
		// What the user and the server say to one another is the same, give or take what whole clients say in vain.
		if r.Bytes.Out < 200 || r.Bytes.Out > 400 {
			t.Errorf("users send %.0f B/s each; whole ones send some 280", r.Bytes.Out)
		}
	})
}

// checkReport checks what ten actions and ten updates a second over a network without delay must look like.
func checkReport(t *testing.T, r *Report, users int) {
	t.Helper()
	if r.World != "crowd" || r.Mechanism != "central" {
		t.Errorf("it was %s under %s", r.World, r.Mechanism)
	}
	if r.Joined != users || r.Stayed != users || len(r.Failures) != 0 || len(r.Goodbyes) != 0 {
		t.Errorf("%d joined, %d stayed, failures %v, goodbyes %v", r.Joined, r.Stayed, r.Failures, r.Goodbyes)
	}
	// An action waits up to 100 ms for the next update, one that by rounding changes nothing for the one after that, and it shows a
	// render delay later.
	if r.Delay.Count == 0 || r.Delay.P50 <= 0 || r.Delay.P90 > 270 || r.Delay.Max > 390 {
		t.Errorf("observation delay %v, at most %v ms", r.Delay, r.Delay.Max)
	}
	if share := r.Updates.Share(); share < 0.95 || share > 1.05 {
		t.Errorf("%.2f of the updates came", share)
	}
	for _, b := range r.Shown {
		if b.Seen != b.InIt && b.To <= 25 {
			t.Errorf("of those at %v to %v, %d of %d are shown", b.From, b.To, b.Seen, b.InIt)
		}
		if b.Error.P90 > 0.6 { // at 2 m/s, 0.2 m for each tenth of a second behind
			t.Errorf("those at %v to %v are shown %.2f m away from where they are", b.From, b.To, b.Error.P90)
		}
	}
}

func TestLatecomersEnterTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "2", 100)
		defer s.stop(t)
		r := load(t, s.config(5))
		checkReport(t, r, 5)
	})
}

func TestRefusalsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "4", 2)
		defer s.stop(t)
		r := load(t, s.config(5))
		if want := map[string]int{"the server gave no seat: " + hub.ErrFull.Error(): 3}; !maps.Equal(r.Failures, want) {
			t.Errorf("failures %v, want %v", r.Failures, want)
		}
		if r.Joined != 2 {
			t.Errorf("%d joined, want 2", r.Joined)
		}
	})
}

func TestGoodbyesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "3", 100)
		config := s.config(3)
		time.AfterFunc(config.Ramp+config.Settle+config.Duration/2, func() { s.stop(t) })
		r := load(t, config)
		if want := map[string]int{"the test is over": 3}; !maps.Equal(r.Goodbyes, want) {
			t.Errorf("goodbyes %v, want %v", r.Goodbyes, want)
		}
		if r.Joined != 3 || r.Stayed != 0 {
			t.Errorf("%d joined and %d stayed, want 3 and 0", r.Joined, r.Stayed)
		}
	})
}

func TestNobodyGetsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := livetest.NewMemory()
		network.Close()
		_, err := Run(t.Context(), (&server{network: network}).config(3), catalog.Default())
		if err == nil || !strings.Contains(err.Error(), "nobody got in") {
			t.Errorf("got %v", err)
		}
	})
}

func TestProgressIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, "3", 100)
		defer s.stop(t)
		config := s.config(3)
		config.Ramp = 3 * time.Second
		var phases []string
		config.Progress = func(p Progress) { phases = append(phases, p.Phase) }
		load(t, config)
		if got := slices.Compact(phases); !slices.Equal(got, []string{"joining", "settling", "measuring"}) {
			t.Errorf("phases %v", got)
		}
	})
}

func TestMistakesInConfigurations(t *testing.T) {
	good := Config{URL: "http://localhost:8080/", Users: 10, Duration: time.Second}
	for name, spoil := range map[string]func(c *Config){
		"no address":     func(c *Config) { c.URL = "localhost:8080" },
		"nobody":         func(c *Config) { c.Users = 0 },
		"too many":       func(c *Config) { c.Users = usersMax + 1 },
		"no time":        func(c *Config) { c.Duration = 0 },
		"negative whole": func(c *Config) { c.Whole = -1 },
	} {
		c := good
		spoil(&c)
		if c.complete() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := good.complete(); err != nil || good.URL != "http://localhost:8080" || good.Whole != 10 {
		t.Errorf("%v, %+v", err, good)
	}
}

func TestWholeClientsAreSpreadEvenly(t *testing.T) {
	for _, users := range []int{201, 1000, 7777} {
		c := Config{URL: "http://x", Users: users, Duration: 1}
		if err := c.complete(); err != nil {
			t.Fatal(err)
		}
		whole, gap := 0, 0
		for i := range users {
			gap++
			if c.whole(i) {
				whole++
				if gap > users/DefaultWhole+1 {
					t.Errorf("%d users: none among %d", users, gap)
				}
				gap = 0
			}
		}
		if whole != DefaultWhole {
			t.Errorf("%d users: %d whole clients, want %d", users, whole, DefaultWhole)
		}
	}
}

func TestOnlyTheNewestActionIsReceived(t *testing.T) {
	r := &roster{}
	c := newCrew(&Config{}, catalog.Default(), r)
	c.begin()
	observer := &bot{crew: c, entry: r.add(1, true)}
	other := r.add(2, true)
	for seq := uint32(1); seq <= 3; seq++ {
		other.act(seq, time.Duration(seq)*100*time.Millisecond)
	}
	observer.turn = 350 * time.Millisecond
	for seq := uint32(1); seq <= 3; seq++ {
		observer.event(mechanism.Event{Name: mechanism.Applied, User: 2, Seq: seq})
	}
	observer.observe()
	if n, delay := c.delays.Count(), c.delays.Max(); n != 1 || delay != 50*time.Millisecond || c.overtaken != 2 {
		t.Errorf("%d effects, the last after %v, %d actions overtaken; want 1, 50ms and 2", n, delay, c.overtaken)
	}
	if age := observer.turn - observer.newest[other.index]; age != 50*time.Millisecond {
		t.Errorf("what is shown is %v old, want 50ms", age)
	}
	observer.event(mechanism.Event{Name: mechanism.Applied, User: 2, Seq: 4}) // of which nothing is known here
	observer.event(mechanism.Event{Name: mechanism.Applied, User: 9, Seq: 1})
	observer.observe()
	if n := c.delays.Count(); n != 1 {
		t.Errorf("%d effects, want still 1", n)
	}
}

func TestBandsHalveTheDistance(t *testing.T) {
	for _, test := range []struct {
		distance float64
		band     int
		inSight  bool
	}{
		{0, 0, true}, {3.1, 0, true}, {3.2, 1, true}, {6.2, 1, true}, {6.3, 2, true}, {40, 4, true}, {50, 4, true}, {51, 5, true}, {100, 5, true}, {101, 5, false},
	} {
		if band, ok := bandOf(test.distance, 100); band != test.band || ok != test.inSight {
			t.Errorf("%v of 100: band %d (%v), want %d (%v)", test.distance, band, ok, test.band, test.inSight)
		}
	}
}

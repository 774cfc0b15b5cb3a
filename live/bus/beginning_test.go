package bus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// three is a world of three areas, each with a server.
func three() session.Description {
	d := dense("interest")
	d.Mechanism.Params = map[string]string{"columns": "3", "rows": "1"}
	return d
}

func TestProcessesBeginAWorldTogether(t *testing.T) {
	t.Parallel()
	processes := found(t, three(), 3, catalog.Default(), nil)
	var all []mechanism.NodeID
	for i, p := range processes {
		all = append(all, p.plays(t, walkers/3)...)
		if c := p.hub.Counters(); c.Servers != 1 {
			t.Errorf("process %d has %d servers", i, c.Servers)
		}
		described := p.Processes()
		if len(described) != 3 || !described[i].Here || described[i].Number != uint32(i) ||
			len(described[i].Sites) != 1 || described[i].Sites[0].Place.ID != mechanism.NodeID(i+1) || len(described[i].Sites[0].Areas) != 1 {
			t.Errorf("process %d takes the world for %+v", i, described)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) != walkers {
		t.Errorf("%v play, want each of %d once", all, walkers)
	}
	for _, p := range processes {
		for _, other := range processes {
			p.watches(t, p.players()[0], world.User(other.players()[0]-3)) // servers come first
		}
		if c := p.Counters(); c.Sent == 0 || c.Received == 0 || c.Dropped+c.Failed+c.Malformed+c.Missed+c.Idle+c.Refused != 0 {
			t.Errorf("%+v", c) // nothing was said before it could be heard
		}
	}
	if off := time.Duration(processes[1].hub.Now() - processes[2].hub.Now()).Abs(); off > time.Second/2 {
		t.Errorf("the processes' clocks are %v apart", off)
	}

	late := join(t, processes[0]) // the world takes others in as ever
	late.plays(t, walkers/4)
	if described := late.Processes(); len(described) != 3 || described[0].Here {
		t.Errorf("a later process takes the world for %+v", described)
	}
}

// Whatever has several servers can have them in several processes, and everybody sees everybody.
func TestServersAreSpreadUnderEveryMechanism(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		d := dense(m.Name)
		s, _, err := d.Build(catalog.Default())
		if errors.Is(err, session.ErrIdealised) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		clients := slices.IndexFunc(s.Places, func(p mechanism.Place) bool { return p.User != 0 })
		if clients < 2 {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			processes := found(t, d, 3, catalog.Default(), nil)
			for _, p := range processes {
				if p.hub.Counters().Servers == 0 {
					t.Error("a process has no server")
				}
				p.plays(t, walkers/3)
			}
			for _, p := range processes {
				for _, other := range processes {
					p.watches(t, p.players()[0], s.Places[other.players()[0]-1].User)
				}
			}
		})
	}
}

// Nodes that cannot join a run under way can be in several processes from its beginning.
func TestProcessesBeginAWorldThatNobodyCanJoin(t *testing.T) {
	c := catalog.Default()
	c.Mechanisms = append(c.Mechanisms, catalog.Mechanism{Name: "stubborn", New: func() mechanism.Mechanism { return new(stubborn) }})
	d := session.Description{World: session.Choice{Name: "pong"}, Mechanism: session.Choice{Name: "stubborn"}}
	for _, p := range found(t, d, 2, c, nil) {
		p.plays(t, 1)
	}
}

// One that dies while others are waited for is not waited for any more, and does not count.
func TestProcessDiesBeforeTheWorldBegins(t *testing.T) {
	t.Parallel()
	c := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0", Patience: haste, Wait: 2}
	b, err := Begin(three(), c)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := Join(t.Context(), b.SecretURL(), c)
	if err != nil {
		t.Fatal(err)
	}
	dead.nc.Close()
	defer dead.Close()
	livetest.Until(t, "it has been given up", func() bool { return b.Counters().Members == 0 })
	names := make(chan error, 3)
	begin := func(b *Bus, err error) {
		if err == nil {
			_, err = tryRun(t, b, c.Catalog, nil)
		}
		names <- err
	}
	go begin(b, nil)
	for range 2 {
		go func() { begin(Join(t.Context(), b.SecretURL(), c)) }()
	}
	for range 3 {
		if err := <-names; err != nil {
			t.Error(err)
		}
	}
	if described := b.Processes(); len(described) != 3 || described[1].Number != 2 || described[2].Number != 3 {
		t.Errorf("it begins with %+v", described)
	}
}

// One that dies when it is already counted on makes the beginning impossible.
func TestFounderDiesBeforeTheWorldBegins(t *testing.T) {
	t.Parallel()
	c := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0", Patience: haste, Wait: 1}
	b, err := Begin(three(), c)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Join(t.Context(), b.SecretURL(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := b.Gather(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Join(t.Context(), b.SecretURL(), c); err == nil || !strings.Contains(err.Error(), errBeginning.Error()) {
		t.Errorf("joining at the wrong moment: %v", err)
	}
	other.nc.Close()
	var h hub.Config
	b.Configure(&h)
	world, err := hub.Start(h, c.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	defer world.Close(t.Context(), "")
	if err := b.Run(t.Context(), world); err == nil || !strings.Contains(err.Error(), "process 1 is gone before the world has begun") {
		t.Errorf("it has begun: %v", err)
	}
	if b.Err() == nil {
		t.Error("it goes on")
	}
}

func TestWaitingEndsWithTheFirst(t *testing.T) {
	c := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0", Wait: 2}
	b, err := Begin(three(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	other, err := Join(t.Context(), b.SecretURL(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	livetest.Until(t, "it can be told", func() bool {
		f := b.role.(*first)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.directory.beating() == 1
	})
	if err := b.Leave(t.Context(), "nobody came"); err != nil {
		t.Fatal(err)
	}
	if err := other.Gather(t.Context()); !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), "nobody came") {
		t.Errorf("who waits is told %v", err)
	}
}

// Everything is given to somebody, once: the nodes of each role in runs that are equal to within one.
func TestSharesAreRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roles := []string{"storage", "server", "client"}
		n := rapid.IntRange(1, 8).Draw(t, "processes")
		r := &placement{}
		all := map[string]int{}
		for _, role := range roles {
			all[role] = rapid.IntRange(0, 20).Draw(t, role)
			for range all[role] {
				r.places = append(r.places, mechanism.Place{ID: mechanism.NodeID(len(r.places) + 1), Role: role})
			}
		}
		for i := range n {
			r.founders = append(r.founders, founder{number: uint32(2 * i)})
		}
		got := map[string][]mechanism.Place{}
		for i := range n {
			count := map[string]int{}
			for _, p := range r.share(uint32(2 * i)) {
				got[p.Role] = append(got[p.Role], p)
				count[p.Role]++
			}
			for role, all := range all {
				if count[role] < all/n || count[role] > (all+n-1)/n {
					t.Fatalf("process %d of %d gets %d of %d", i, n, count[role], all)
				}
			}
		}
		if !slices.Equal(slices.Concat(got["storage"], got["server"], got["client"]), r.places) {
			t.Fatalf("%v were shared out as %v", r.places, got)
		}
		if stranger := r.share(1); stranger != nil {
			t.Fatalf("somebody else gets %v", stranger)
		}
	})
}

// Before its beginning is settled a world's time stands still; then it goes on from there.
func TestTimeBeginsToRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pass := func(d world.Time) { <-time.After(time.Duration(d)) }
		first, other := newClock(), newClock()
		pass(world.Second)
		other.answered(other.local(), first.local()+world.Minute) // it began a minute later
		if first.Now() != -lead || other.Now() != -lead {
			t.Errorf("the world's time is %v and %v before it begins", first.Now(), other.Now())
		}
		zero := first.local() + lead
		first.settle(zero)
		pass(lead / 2)
		other.settle(zero + world.Minute)
		for _, want := range []world.Time{-lead / 2, 0, lead / 2} {
			if first.Now() != want || other.Now() != want {
				t.Errorf("the world's time is %v and %v, want %v", first.Now(), other.Now(), want)
			}
			pass(lead / 2)
		}
	})
}

func TestFoundersComeBack(t *testing.T) {
	founders := []founder{{name: "pid 1 on here"}, {number: 1 << 31, name: "pid 2 on there", gone: true}, {number: 7}}
	w := welcome{member: 9, users: span{1, 2}, patience: time.Second, founders: founders, zero: -5}
	r := wire.NewReader(w.append(nil))
	if got := readWelcome(&r); r.Done() != nil || !slices.Equal(got.founders, founders) || got.zero != w.zero {
		t.Errorf("came back as %+v", got)
	}
	s := status{now: 1 << 40, gone: []uint32{3, 9}}
	r = wire.NewReader(s.append(nil))
	if got := readStatus(&r); r.Done() != nil || fmt.Sprint(got) != fmt.Sprint(s) {
		t.Errorf("%+v came back as %+v", s, got)
	}
}

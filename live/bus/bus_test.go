package bus

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

func TestThreeProcessesRunOneWorld(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), nil)
	first.plays(t, walkers)
	second := join(t, first)
	first.plays(t, walkers/2)
	second.plays(t, walkers/2)
	third := join(t, first)
	var all []mechanism.NodeID
	for _, p := range []*process{first, second, third} {
		all = append(all, p.plays(t, walkers/3)...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) != walkers {
		t.Errorf("%v play, want each of %d once", all, walkers)
	}

	ada, ben := second.sit(t), third.sit(t)
	if ada.seat.User() == ben.seat.User() {
		t.Fatalf("both are user %d", ada.seat.User())
	}
	for _, p := range []*process{first, second, third} {
		id := p.players()[0]
		for _, u := range []world.User{ada.seat.User(), ben.seat.User()} {
			p.watches(t, id, u)
		}
		for _, other := range []*process{first, second, third} {
			if other != p {
				p.watches(t, id, world.User(other.players()[0]-1))
			}
		}
	}
	off := second.hub.Now() - first.hub.Now()
	if limit := world.Second / 2; off > limit || off < -limit {
		t.Errorf("the processes' clocks are %v apart", time.Duration(off))
	}
	for _, p := range []*process{first, second, third} {
		if c := p.Counters(); c.Sent == 0 || c.Received == 0 || c.Dropped+c.Failed+c.Malformed+c.Missed != 0 {
			t.Errorf("%+v", c)
		}
	}
	if got := first.Counters().Members; got != 2 {
		t.Errorf("%d members, want 2", got)
	}
}

// Under every mechanism that can be served and joined: players go to another process and come back.
func TestPlayersMoveUnderEveryMechanism(t *testing.T) {
	for _, m := range []string{"central", "loose", "optimistic"} {
		for _, w := range []session.Choice{{Name: "pong"}, {Name: "swarm", Params: map[string]string{"bees": "4"}}} {
			t.Run(m+"/"+w.Name, func(t *testing.T) {
				first := begin(t, session.Description{World: w, Mechanism: session.Choice{Name: m}, Seed: 3}, nil)
				n := int(first.hub.World().Users())
				first.plays(t, n)
				second := join(t, first)
				second.plays(t, n/2)
				if err := second.Leave(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
				first.plays(t, n)
			})
		}
	}
}

func TestMemberThatLeavesHandsEverythingBack(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), nil)
	second := join(t, first)
	second.plays(t, walkers/2)
	person := second.sit(t)
	id := first.players()[0]
	first.watches(t, id, person.seat.User())
	if err := second.Leave(t.Context(), "closing time"); err != nil {
		t.Fatal(err)
	}
	if reason := <-person.ended; reason != "closing time" {
		t.Errorf("the person was told %q", reason)
	}
	person.runner.Stop()
	first.plays(t, walkers)
	livetest.Until(t, "the person is out of the world", func() bool { _, seen := first.sees(id, person.seat.User()); return !seen })
	if first.Counters().Members != 0 {
		t.Error("the process is still counted")
	}
	if err := second.Err(); err != nil {
		t.Errorf("whoever leaves is told that %v", err)
	}
}

func TestPlacesOfDeadMemberAreTakenBack(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), func(c *Config) { c.Patience = haste })
	second := join(t, first)
	second.plays(t, walkers/2)
	person := second.sit(t)
	id := first.players()[0]
	first.watches(t, id, person.seat.User())
	told := func() bool { // the first process has heard of the person
		f := leader(first)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.directory.leases[person.seat.Place().ID] != nil
	}
	livetest.Until(t, "the person is told of", told)
	person.runner.Stop()
	second.kill()
	first.plays(t, walkers)
	livetest.Until(t, "the person is out of the world", func() bool { _, seen := first.sees(id, person.seat.User()); return !seen })
	<-second.Ended()
	if err := second.Err(); !errors.Is(err, ErrGone) {
		t.Errorf("a process cut off says: %v", err)
	}
	third := join(t, first) // the world goes on
	third.plays(t, walkers/2)
}

func TestMemberGivenUpInErrorEnds(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), func(c *Config) { c.Patience = haste })
	second := join(t, first)
	f := leader(first)
	f.mu.Lock()
	f.directory.members[1].heard = time.Time{} // as if its beats had been held up
	f.mu.Unlock()
	f.look()
	<-second.Ended()
	if err := second.Err(); !errors.Is(err, ErrExpelled) {
		t.Errorf("%v", err)
	}
	first.plays(t, walkers)
}

func TestEndOfTheWorldReachesMembers(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), nil)
	members := []*process{join(t, first), join(t, first)}
	if err := first.Leave(t.Context(), "the fair is over"); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		<-m.Ended()
		if err := m.Err(); !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), "the fair is over") {
			t.Errorf("%v", err)
		}
		if err := m.Leave(t.Context(), ""); err != nil {
			t.Errorf("leaving a world that has ended: %v", err)
		}
	}
	if _, err := Join(t.Context(), first.JoinURL(), members[0].config); err == nil || !strings.Contains(err.Error(), hub.ErrClosed.Error()) {
		t.Errorf("joining a world that ends: %v", err)
	}
}

func TestDeathOfTheFirstIsNoticed(t *testing.T) {
	t.Parallel()
	first := begin(t, dense("central"), func(c *Config) { c.Patience = haste })
	second := join(t, first)
	first.kill()
	<-second.Ended()
	if err := second.Err(); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
}

// A server of somebody else's is used as it is, and its credentials are nobody's to print.
func TestBusElsewhere(t *testing.T) {
	server, err := listen("127.0.0.1:0", quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.close)
	first := begin(t, dense("central"), func(c *Config) { c.Server = server.url().String() })
	another := begin(t, dense("central"), func(c *Config) { c.Server = server.url().String() })
	if url := first.JoinURL(); strings.Contains(url, server.token) || !strings.HasSuffix(url, "/"+first.address.world) {
		t.Errorf("printed: %s", url)
	}
	join(t, first).plays(t, walkers/2)
	first.plays(t, walkers/2)
	another.plays(t, walkers) // nothing of it has moved
}

// While nobody has joined, the bus is out of the way.
func TestWorldInOneProcessUsesNoBus(t *testing.T) {
	first := begin(t, dense("central"), nil)
	first.hub.Route(mechanism.Message{From: 1, To: 500, Payload: []byte("anybody?")})
	if got, want := first.Counters(), (Counters{Idle: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := first.nc.NumSubscriptions(); got > 1 {
		t.Errorf("%d subscriptions, want the one for those who join", got)
	}
}

// In a world whose users do not change a person takes the seat of a player held by the process that they came to.
func TestPersonTakesSeatOfPlayerInTheirProcess(t *testing.T) {
	first := begin(t, session.Description{World: session.Choice{Name: "pong"}, Mechanism: session.Choice{Name: "central"}}, nil)
	second := join(t, first)
	second.plays(t, 1)
	seat, err := second.hub.Join("")
	if err != nil || seat.User() != 2 {
		t.Errorf("user %v, %v", seat, err)
	}
	if _, err := second.hub.Join(""); !errors.Is(err, hub.ErrFull) {
		t.Errorf("a second person: %v", err)
	}
	var held bool
	if first.hub.Do(3, func(*mechanism.Machine) { held = true }); held {
		t.Error("the first process still has the player")
	}
}

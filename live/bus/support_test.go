package bus

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// walkers is how many people there are in the worlds of these tests, all of whom see one another.
const walkers = 12

func dense(mechanism string) session.Description {
	return session.Description{
		World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": "12", "mode": "dense", "restless": "true"}},
		Mechanism: session.Choice{Name: mechanism},
		Seed:      5,
	}
}

// process is a process of a world, as far as the bus can tell.
type process struct {
	*Bus
	hub *hub.Hub
}

// haste is the patience where something is to die, long enough for a machine that has much else to do.
const haste = 2 * time.Second

// begin starts the first process of a world.
func begin(t testing.TB, d session.Description, change func(*Config)) *process {
	t.Helper()
	c := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0", Patience: time.Minute}
	if change != nil {
		change(&c)
	}
	b, err := Begin(d, c)
	if err != nil {
		t.Fatal(err)
	}
	return run(t, b, nil)
}

// join starts a further one.
func join(t testing.TB, first *process) *process {
	t.Helper()
	b, err := Join(t.Context(), first.address.String(), Config{Catalog: catalog.Default()})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, b, nil)
}

// run brings a process to life until the end of the test.
func run(t testing.TB, b *Bus, change func(*hub.Config)) *process {
	t.Helper()
	return runWith(t, b, catalog.Default(), change)
}

func runWith(t testing.TB, b *Bus, known catalog.Catalog, change func(*hub.Config)) *process {
	t.Helper()
	p, err := tryRun(t, b, known, change)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tryRun may be called from any goroutine.
func tryRun(t testing.TB, b *Bus, known catalog.Catalog, change func(*hub.Config)) (*process, error) {
	if err := b.Gather(t.Context()); err != nil {
		b.Close()
		return nil, err
	}
	var c hub.Config
	b.Configure(&c)
	if change != nil {
		change(&c)
	}
	h, err := hub.Start(c, known)
	if err != nil {
		b.Close()
		return nil, err
	}
	t.Cleanup(func() {
		h.Close(context.Background(), "the test is over")
		b.Close()
	})
	return &process{b, h}, b.Run(t.Context(), h)
}

// found begins a world in so many processes at once. They are in the order in which they have joined.
func found(t testing.TB, d session.Description, n int, known catalog.Catalog, change func(*Config)) []*process {
	t.Helper()
	c := Config{Catalog: known, Listen: "127.0.0.1:0", Patience: time.Minute, Wait: n - 1}
	if change != nil {
		change(&c)
	}
	first, err := Begin(d, c)
	if err != nil {
		t.Fatal(err)
	}
	processes, errs := make([]*process, n), make([]error, n)
	var all sync.WaitGroup
	all.Go(func() { processes[0], errs[0] = tryRun(t, first, known, nil) })
	for range n - 1 {
		all.Go(func() {
			b, err := Join(t.Context(), first.SecretURL(), Config{Catalog: known, Log: c.Log})
			if err != nil {
				errs[n-1] = err
				return
			}
			processes[b.number], errs[b.number] = tryRun(t, b, known, nil)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return processes
}

// kill ends a process as a fault would: without a word.
func (p *process) kill() {
	p.nc.Close()
	p.hub.Close(context.Background(), "")
	if p.server != nil {
		p.server.close()
	}
}

// players are the nodes of artificial players here that take part.
func (p *process) players() (ids []mechanism.NodeID) {
	for _, i := range p.hub.Nodes() {
		ready := false
		p.hub.Do(i.Place.ID, func(m *mechanism.Machine) { ready = m.Ready() })
		if ready && i.Holding == hub.Artificial {
			ids = append(ids, i.Place.ID)
		}
	}
	return ids
}

// plays waits until so many artificial players here take part.
func (p *process) plays(t testing.TB, n int) []mechanism.NodeID {
	t.Helper()
	var ids []mechanism.NodeID
	livetest.Until(t, "the players are there", func() bool { ids = p.players(); return len(ids) == n })
	return ids
}

// sees is where a node here sees somebody.
func (p *process) sees(id mechanism.NodeID, u world.User) (at fixed.Vec, seen bool) {
	p.hub.Do(id, func(m *mechanism.Machine) { at, seen = livetest.Sees(m, u) })
	return at, seen
}

// watches waits until a node here has seen somebody move.
func (p *process) watches(t testing.TB, id mechanism.NodeID, u world.User) {
	t.Helper()
	livetest.Moves(t, func() (fixed.Vec, bool) { return p.sees(id, u) })
}

// seated is a person whose client is a runner in this process, as a browser's is elsewhere.
type seated struct {
	hub    *hub.Hub
	seat   *hub.Seat
	runner *driver.Runner
	ended  chan string // why the connection was closed
}

func (s *seated) Send(m mechanism.Message) bool  { return s.runner.Deliver(m) }
func (s *seated) Route(m mechanism.Message) bool { return s.hub.Deliver(s.seat, m) }
func (s *seated) Close(reason string)            { s.ended <- reason }

// sit has a person join through a process, who walks about like everybody else.
func (p *process) sit(t testing.TB) *seated {
	t.Helper()
	seat, err := p.hub.Join("")
	if err != nil {
		t.Fatal(err)
	}
	d := dense("central")
	s, m, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	node, err := mechanism.Build(m, s.Join(seat.Place(), 0), seat.Place())
	if err != nil {
		t.Fatal(err)
	}
	node.Enter, node.Player = true, s.World.Player(seat.User(), random.New(9, "person"))
	person := &seated{hub: p.hub, seat: seat, ended: make(chan string, 1)}
	person.runner = driver.New(driver.Config{MachineConfig: node, Router: person}, clockOf{p.hub}, driver.DefaultLimits)
	if _, err := p.hub.Attach(seat, person, true); err != nil {
		t.Fatal(err)
	}
	person.runner.Start()
	t.Cleanup(person.runner.Stop)
	return person
}

// clockOf is a hub's clock.
type clockOf struct{ *hub.Hub }

var quiet = slog.New(slog.DiscardHandler)

// leader is what is particular about a first process.
func leader(p *process) *first { return p.role.(*first) }

package hub_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// small are the worlds to compare in, kept small where they are large by default.
var small = []session.Choice{
	{Name: "pong"},
	{Name: "swarm"},
	{Name: "crowd", Params: map[string]string{"walkers": "20"}},
}

// runTime ends between ticks, in the middle of everything: states are compared as they are, not when all has settled.
const runTime = 8*world.Second + 23*world.Millisecond

// delay differs by less than a millisecond between pairs of nodes, so that nothing arrives anywhere at the same instant as
// something else: at one instant the order of goroutines is open.
func delay(from, to mechanism.NodeID) world.Time {
	return 60*world.Millisecond + world.Time((uint64(from)*2654435761+uint64(to)*40503)%999_983)
}

// The same inputs through the laboratory and through the live runtime end in the same states, for every mechanism that can
// be served.
func TestLabAndLiveAgree(t *testing.T) {
	c := catalog.Default()
	underEveryMechanism(t, c, func(t *testing.T, d session.Description) {
		lab := runLab(t, c, d)
		synctest.Test(t, func(t *testing.T) {
			live := runLive(t, c, d)
			if !slices.Equal(lab, live) {
				t.Errorf("states by node\nlab  %x\nlive %x", lab, live)
			}
		})
	})
}

// underEveryMechanism runs a test in every small world, under every mechanism that can be served.
func underEveryMechanism(t *testing.T, c catalog.Catalog, test func(*testing.T, session.Description)) {
	for _, m := range c.Mechanisms {
		if _, ideal := m.New().(mechanism.Idealised); ideal {
			continue
		}
		for _, w := range small {
			t.Run(m.Name+"/"+w.Name, func(t *testing.T) {
				test(t, session.Description{World: w, Mechanism: session.Choice{Name: m.Name}, Seed: 7})
			})
		}
	}
}

type delays struct{}

func (delays) Fate(_ world.Time, from, to uint32, _ int) network.Fate {
	return network.Fate{N: 1, Delays: [2]world.Time{delay(mechanism.NodeID(from), mechanism.NodeID(to))}}
}

// runLab returns the hashes of what the nodes hold at the end, by their IDs.
func runLab(t *testing.T, c catalog.Catalog, d session.Description) []uint64 {
	s, m, err := d.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: s.World, Mechanism: m, Network: delays{}, Hosts: param.Default[sim.Config](), Seed: d.Seed, Duration: runTime})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(t.Context()); err != nil {
		t.Fatal(err)
	}
	var hashes []uint64
	acted := false
	for _, h := range run.Hosts() {
		hashes = append(hashes, hash(h.Node))
		acted = acted || h.Client != nil && h.View().Hash() != s.Start.Hash()
	}
	if !acted {
		t.Error("nothing has happened")
	}
	return hashes
}

// runLive lets each node live in a hub of its own, as if in a process of its own, with nothing but a slow line to the others.
func runLive(t *testing.T, c catalog.Catalog, d session.Description) []uint64 {
	s, _, err := d.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	lines := &lines{hubs: map[mechanism.NodeID]*hub.Hub{}, pairs: map[[2]mechanism.NodeID]*line{}}
	for _, p := range s.Places {
		h, err := hub.Start(hub.Config{
			Description: d,
			Clock:       driver.Since(began),
			Local:       func(q mechanism.Place) bool { return q == p },
			Fallback:    lines,
		}, c)
		if err != nil {
			t.Fatal(err)
		}
		lines.connect(p.ID, h)
	}
	<-time.After(time.Duration(runTime))
	synctest.Wait()
	var hashes []uint64
	for _, p := range s.Places {
		h := lines.hub(p.ID)
		if !h.Do(p.ID, func(m *mechanism.Machine) { hashes = append(hashes, hash(m.Node())) }) {
			t.Errorf("node %d does not run", p.ID)
		}
		if got := h.Counters(); got.Full+got.Missed+got.Unknown+got.Runners.Dropped != 0 {
			t.Errorf("node %d: datagrams were dropped: %+v", p.ID, got)
		}
	}
	for _, p := range s.Places {
		if err := lines.hub(p.ID).Close(context.Background(), "over"); err != nil {
			t.Error(err)
		}
	}
	return hashes
}

// hash tells what a node holds, as far as it shows it.
func hash(n mechanism.Node) uint64 {
	if v, ok := n.(interface{ View() *world.State }); ok {
		return v.View().Hash()
	}
	return 0
}

// lines carry datagrams between hubs, each pair's in order.
type lines struct {
	mu    sync.Mutex
	hubs  map[mechanism.NodeID]*hub.Hub
	pairs map[[2]mechanism.NodeID]*line
}

type line struct {
	mu      sync.Mutex
	waiting []mechanism.Message
}

func (l *lines) connect(id mechanism.NodeID, h *hub.Hub) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hubs[id] = h
}

func (l *lines) hub(id mechanism.NodeID) *hub.Hub {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hubs[id]
}

func (l *lines) Route(m mechanism.Message) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	pair := [2]mechanism.NodeID{m.From, m.To}
	if l.pairs[pair] == nil {
		l.pairs[pair] = &line{}
	}
	p := l.pairs[pair]
	m.Payload = slices.Clone(m.Payload)
	p.mu.Lock()
	p.waiting = append(p.waiting, m)
	p.mu.Unlock()
	time.AfterFunc(time.Duration(delay(m.From, m.To)), func() {
		to := l.hub(m.To) // first, since Route takes the locks in this order
		p.mu.Lock()
		defer p.mu.Unlock()
		to.Receive(p.waiting[0])
		p.waiting = p.waiting[1:]
	})
	return true
}

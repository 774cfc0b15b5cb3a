package hub_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// description is that of a small world under mirror.
func description(world string) session.Description {
	d := session.Description{Mechanism: session.Choice{Name: "mirror"}, Seed: 3}
	for _, w := range small {
		if w.Name == world {
			d.World = w
		}
	}
	return d
}

// start brings a small world under mirror to life.
func start(t *testing.T, world string, change func(*hub.Config)) *hub.Hub {
	t.Helper()
	config := hub.Config{Description: description(world)}
	if change != nil {
		change(&config)
	}
	return startFrom(t, withMirror(nil), config)
}

// startFrom brings a world to life.
func startFrom(t *testing.T, c catalog.Catalog, config hub.Config) *hub.Hub {
	t.Helper()
	h, err := hub.Start(config, c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// pass lets time go by, and everything happen that happens at its end.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func stop(t *testing.T, h *hub.Hub) {
	t.Helper()
	if err := h.Close(t.Context(), "the test is over"); err != nil {
		t.Error(err)
	}
}

func join(t *testing.T, h *hub.Hub, name string) *hub.Seat {
	t.Helper()
	s, err := h.Join(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// page is what a person has open in a browser: a node built from what the hub tells, and a connection.
type page struct {
	hub    *hub.Hub
	seat   *hub.Seat
	runner *driver.Runner
	conn   *conn
}

// open loads a page and attaches it.
func open(t *testing.T, h *hub.Hub, s *hub.Seat) (p *page, epoch uint32) {
	t.Helper()
	p = &page{hub: h, seat: s}
	p.conn = &conn{reasons: make(chan string, 1)}
	epoch, err := h.Attach(s, p.conn, true)
	if err != nil {
		t.Fatal(err)
	}
	var d session.Description
	if err := json.Unmarshal(h.Description(), &d); err != nil {
		t.Fatal(err)
	}
	run, m, err := d.Build(withMirror(nil))
	if err != nil {
		t.Fatal(err)
	}
	node, err := mechanism.Build(m, run.Join(s.Place(), epoch), s.Place())
	if err != nil {
		t.Fatal(err)
	}
	node.Enter = true
	p.runner = driver.Run(driver.Config{MachineConfig: node, Router: p},
		driver.Since(time.Now().Add(-time.Duration(h.Now()))), driver.DefaultLimits)
	p.conn.listen(p.runner)
	return p, epoch
}

// visit has somebody join and load a page, and gives them a second to look around.
func visit(t *testing.T, h *hub.Hub) (p *page, epoch uint32) {
	t.Helper()
	p, epoch = open(t, h, join(t, h, "Ada"))
	pass(time.Second)
	return p, epoch
}

// Route sends what the page's node says. It claims to be the server, which nobody should believe.
func (p *page) Route(m mechanism.Message) bool {
	m.From = serverID
	return p.hub.Deliver(p.seat, m)
}

// sees reports whether the page shows something of a user's.
func (p *page) sees(u world.User) (seen bool) {
	p.runner.Do(func(m *mechanism.Machine) { seen = m.Ready() && world.Present(m.View(), u) })
	return seen
}

// tick is what the page's view shows.
func (p *page) tick() (tick world.Tick) {
	p.runner.Do(func(m *mechanism.Machine) { tick = m.View().Tick() })
	return tick
}

// knows reports whether a server has something of a user's in its world.
func knows(h *hub.Hub, u world.User) (known bool) {
	h.Do(serverID, func(m *mechanism.Machine) { known = world.Present(m.Node().(*mirrorServer).State, u) })
	return known
}

func holding(h *hub.Hub, id mechanism.NodeID) hub.Info {
	for _, i := range h.Nodes() {
		if i.Place.ID == id {
			return i
		}
	}
	return hub.Info{}
}

package hub_test

import (
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// Under every mechanism that people can join, in every world: somebody joins, sees the world as it is now, leaves, and all
// is as before.
func TestPersonJoinsAndLeavesUnderEveryMechanism(t *testing.T) {
	c := withMirror(nil)
	underEveryMechanism(t, c, func(t *testing.T, d session.Description) {
		if !joinable(t, c, d) {
			t.Skip("nobody can join under this mechanism")
		}
		synctest.Test(t, func(t *testing.T) { joinAndLeave(t, c, d) })
	})
}

func joinable(t *testing.T, c catalog.Catalog, d session.Description) bool {
	s, m, err := d.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Places {
		if p.User == 0 {
			continue
		}
		n, err := m.NewNode(s, p)
		if err != nil {
			t.Fatal(err)
		}
		_, arriving := n.(mechanism.Arriving)
		return arriving
	}
	return false
}

func joinAndLeave(t *testing.T, c catalog.Catalog, d session.Description) {
	h := startFrom(t, c, hub.Config{Description: d})
	defer stop(t, h)
	artificial := h.Counters().Artificial
	pass(5 * time.Second)
	seat := join(t, h, "Ada")
	p, _ := open(t, h, seat)
	pass(5 * time.Second)
	tick := h.World().Schema().Tick
	now := mechanism.TickAt(h.Now(), tick)
	if got := p.tick(); got < now-world.TicksIn(world.Second, tick) || got > now {
		t.Errorf("at tick %d the newcomer sees tick %d", now, got)
	}
	if !p.sees(seat.User()) {
		t.Error("the newcomer does not see themselves")
	}
	if !watched(h, seat) {
		t.Error("nobody sees the newcomer")
	}

	p.runner.Stop()
	h.Leave(seat, "bye")
	pass(15 * time.Second)
	got := h.Counters()
	if got.Artificial != artificial || got.People+got.Away != 0 || got.Lost != 0 {
		t.Errorf("afterwards: %+v", got)
	}
	for _, i := range h.Nodes() {
		ready := true
		h.Do(i.Place.ID, func(m *mechanism.Machine) { ready = m.Ready() })
		if !ready {
			t.Errorf("%+v is not ready", i)
		}
	}
	if admitted := seat.User() > h.World().Users(); admitted && watched(h, seat) {
		t.Error("somebody still sees the one who left")
	}
}

// watched reports whether anybody else sees a seat's user.
func watched(h *hub.Hub, seat *hub.Seat) (seen bool) {
	for _, i := range h.Nodes() {
		h.Do(i.Place.ID, func(m *mechanism.Machine) {
			seen = seen || m.View() != nil && i.Place.ID != seat.Place().ID && world.Present(m.View(), seat.User())
		})
	}
	return seen
}

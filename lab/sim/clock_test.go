package sim_test

import (
	"context"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// times writes down what hosts report: by host, the time of the run and that of the host's own clock.
type times [2][][2]world.Time

func (x *times) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	x[h.Place.ID-1] = append(x[h.Place.ID-1], [2]world.Time{now, world.Time(e.Value)})
}

// Calls carry the time of the host's own clock, and what a node asks for by that clock happens when it shows that time: also
// where it began behind, and where it runs too fast.
func TestHostsLiveByTheirOwnClocks(t *testing.T) {
	s := &scripted{nodes: 2}
	told := func(now world.Time, out *mechanism.Outbox) {
		out.Report(mechanism.Event{Name: "told", Value: int64(now)})
	}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		told(now, out)
		if now < world.Second {
			out.WakeAt(world.Second)
		} else if now < 2*world.Second {
			out.Send(3-n.id, mechanism.Control, []byte("x"))
			out.WakeAt(9 * world.Second)
		}
	}
	s.take = func(_ *node, now world.Time, _ mechanism.Message, out *mechanism.Outbox) { told(now, out) }
	net, err := (&network.Constant{Delay: 30 * ms}).New(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	hosts := param.Default[sim.Config]()
	hosts.Clock = network.ClockConfig{Offset: 200 * ms, Drift: 50_000 * fixed.One} // up to five percent
	r, err := sim.New(sim.Setup{World: mechanismtest.Marbles(1), Mechanism: s, Network: net, Hosts: hosts, Seed: 1, Duration: 10 * world.Second})
	if err != nil {
		t.Fatal(err)
	}
	var got times
	r.Observe(&got)
	if err := r.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	clocks := [2]network.Clock{hosts.Clock.Clock(1, 1), hosts.Clock.Clock(1, 2)}
	if clocks[0].Local(0) == clocks[1].Local(0) || clocks[0].Local(0) == 0 {
		t.Fatal("these clocks do not differ, so nothing is shown")
	}
	for i, c := range clocks {
		wakes := [...]world.Time{0, c.Global(world.Second), c.Global(9 * world.Second)}
		hears := clocks[1-i].Global(world.Second) + 30*ms
		want := map[world.Time]bool{wakes[0]: true, wakes[1]: true, wakes[2]: true, hears: true}
		for _, x := range got[i] {
			if !want[x[0]] || x[1] != c.Local(x[0]) {
				t.Errorf("host %d was called at %v by the run's clock and at %v by its own, which shows %v then", i+1, x[0], x[1], c.Local(x[0]))
			}
			delete(want, x[0])
		}
		if len(want) > 0 {
			t.Errorf("host %d was not called at %v", i+1, want)
		}
	}
}

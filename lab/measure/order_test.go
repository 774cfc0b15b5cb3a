package measure_test

import (
	"math"
	"testing"

	"throng/internal/param"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/broadcast"
	"throng/mechanism/ideal"
	"throng/mechanism/ring"
	"throng/world"
	"throng/worlds/shooters"
)

// newRun prepares a run of four users, who do nothing of interest.
func newRun(t *testing.T) *sim.Run {
	t.Helper()
	net, err := (&network.Constant{}).New(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.New(sim.Setup{World: line{4}, Mechanism: new(ideal.Config), Network: net, Hosts: param.Default[sim.Config](), Seed: 1, Duration: world.Second})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reported is what a probe reports.
func reported(p measure.Probe) map[string]float64 {
	got := map[string]float64{}
	p.Report(world.Second, func(name, _ string, value float64) { got[name] = value })
	return got
}

func TestFairness(t *testing.T) {
	f := measure.NewFairness(newRun(t))
	act := func(u world.User, first, last uint32) {
		for seq := first; seq <= last; seq++ {
			f.Acted(nil, 0, &world.Action{User: u, Seq: seq})
		}
	}
	drop := func(u world.User, seq uint32) {
		f.Event(nil, 0, mechanism.Event{Name: mechanism.Dropped, User: u, Seq: seq})
	}
	if got := reported(f); !math.IsNaN(got["drops"]) || !math.IsNaN(got["drops.max"]) {
		t.Errorf("nobody has acted: %v", got)
	}
	act(1, 1, 10)
	drop(1, 3)
	f.Begin(0)
	drop(1, 4) // taken before measuring began
	act(1, 11, 20)
	act(2, 1, 10)
	drop(1, 12)
	drop(1, 12) // by the client too
	drop(1, 13)
	drop(0, 0) // no action, but a message
	drop(1, 4)
	got := reported(f)
	for name, want := range map[string]float64{"drops": 0.1, "drops.max": 0.2, "drops.spread": math.Sqrt(0.02)} {
		if !(math.Abs(got[name]-want) <= 1e-12) {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

func TestOrder(t *testing.T) {
	o := measure.NewOrder(newRun(t))
	o.Begin(0)
	for range 4 {
		o.Acted(nil, 0, nil)
	}
	for _, e := range []mechanism.Event{
		{Name: mechanism.Closure, Value: 1}, {Name: mechanism.Closure, Value: 5},
		{Name: mechanism.Reconciled, Value: 3}, {Name: mechanism.Reconciled, Value: 5},
	} {
		o.Event(nil, 0, e)
	}
	got := reported(o)
	for name, want := range map[string]float64{"closure.mean": 3, "closure.max": 5, "reconciled": 0.5, "reexecutions": 2} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if !math.IsNaN(got["violations"]) {
		t.Errorf("%v of what nobody can tell are violations", got["violations"])
	}
}

// TestViolations plays the shooters' scene once: of what three clients come to hold, ring has one thing wrong.
func TestViolations(t *testing.T) {
	c := param.Default[shooters.Config]()
	c.Round, c.Gap = 1200*world.Millisecond, 40*world.Millisecond
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	whole, seen := param.Default[broadcast.Config](), param.Default[ring.Config]()
	if got := figures(t, &whole, w, 50*world.Millisecond)["violations"]; got != 0 {
		t.Errorf("under broadcast, %v of what is held contradicts the order", got)
	}
	if got := figures(t, &seen, w, 50*world.Millisecond)["violations"]; got != 1.0/3 {
		t.Errorf("under ring, %v of what is held contradicts the order, want a third", got)
	}
}

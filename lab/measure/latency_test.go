package measure

import (
	"math"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// A hundred actions take effect after 1 to 100 ms in the user's own view, after twice that in the other's, and are final after three times as long.
func TestPercentilesOfLatency(t *testing.T) {
	net, err := network.Perfect{}.New(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: mechanismtest.Marbles(2), Mechanism: new(ideal.Config), Network: net, Hosts: param.Default[sim.Config](), Duration: world.Second})
	if err != nil {
		t.Fatal(err)
	}
	l := NewLatency(run)
	own, other := run.Hosts()[0], run.Hosts()[1]
	act := func(now world.Time, seq uint32) { l.effects.Acted(own, now, &world.Action{User: 1, Seq: seq}) }
	event := func(h *sim.Host, now world.Time, name string, seq uint32) {
		e := mechanism.Event{Name: name, User: 1, Seq: seq}
		l.effects.Event(h, now, e)
		l.Event(h, now, e)
	}
	act(0, 1)
	l.Begin(world.Second)
	event(own, 2*world.Second, mechanism.Applied, 1) // it was taken before measuring began
	event(other, 2*world.Second, mechanism.Applied, 1)
	event(own, 2*world.Second, mechanism.Confirmed, 1)
	event(own, 2*world.Second, mechanism.Applied, 7) // nobody took it
	for i := range uint32(100) {
		const ms = world.Millisecond
		now, took := world.Time(i+2)*world.Second, world.Time(i*37%100+1)*ms
		act(now, i+2)
		event(own, now+took, mechanism.Applied, i+2)
		event(other, now+2*took, mechanism.Applied, i+2)
		event(other, now+2*took, mechanism.Confirmed, i+2) // to the other: nobody asks
		event(own, now+3*took, mechanism.Confirmed, i+2)
	}
	got := map[string]float64{}
	l.Report(world.Second, func(name, _ string, v float64) { got[name] = v })
	for i, name := range []string{"response", "observation", "final"} {
		for figure, want := range map[string]float64{".mean": 0.0505, ".p50": 0.050, ".p90": 0.090, ".p99": 0.099} {
			if want *= float64(i + 1); !(math.Abs(got[name+figure]-want) <= stats.RelativeError*want) {
				t.Errorf("%s%s is %v, want %v", name, figure, got[name+figure], want)
			}
		}
	}
}

// What a user did long ago is forgotten, and who takes a user's place counts anew.
func TestActionsAreRememberedForAWhile(t *testing.T) {
	e := &effects{users: make([]userActions, 2)}
	for i := range uint32(1000) {
		e.Acted(nil, world.Time(i)*world.Second, &world.Action{User: 1, Seq: i + 1, Verb: world.VerbID(i % 7)})
	}
	if n := len(e.users[1].list); n > 3*int(actionsKept/world.Second) {
		t.Errorf("%d actions are remembered", n)
	}
	for seq := uint32(1000 - actionsKept/world.Second); seq <= 1000; seq++ {
		if f := e.find(1, seq); f == nil || f.action.Seq != seq || f.action.Verb != world.VerbID((seq-1)%7) {
			t.Fatalf("action %d: %v", seq, f)
		}
	}
	for _, seq := range []uint32{0, 1, 1001} {
		if e.find(1, seq) != nil {
			t.Errorf("action %d is remembered", seq)
		}
	}
	if e.find(2, 1) != nil {
		t.Error("an action of nobody is remembered")
	}
	e.Acted(nil, 0, &world.Action{User: 1, Seq: 1})
	if e.find(1, 1) == nil || e.find(1, 1000) != nil {
		t.Error("who takes a user's place does not count anew")
	}
}

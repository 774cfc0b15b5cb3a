package relay

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

// TestAllowance: so many actions per tick, and those that were not taken lately.
func TestAllowance(t *testing.T) {
	m := member{allowance: 2, allowed: 10}
	taken := func(tick world.Tick) (n int) {
		for m.may(tick, 2) {
			n++
		}
		return n
	}
	for _, x := range []struct {
		tick world.Tick
		want int
	}{{10, 2}, {10, 0}, {11, 2}, {14, 6}, {1 << 40, 2 * ticksMax}} {
		if got := taken(x.tick); got != x.want {
			t.Errorf("at tick %d there are %d actions instead of %d", x.tick, got, x.want)
		}
	}
}

// TestFloodIsDropped has a client that does not keep to what is allowed.
func TestFloodIsDropped(t *testing.T) {
	r := newRig(t, 2)
	n, c := r.Node(star.Server).(*server), r.Client(2).(*client)
	dropped, executed := 0, 0
	r.Observe = func(call *mechanismtest.Call) {
		for _, e := range call.Out.Events() {
			switch {
			case call.Node == star.Server && e.Name == mechanism.Dropped:
				dropped++
			case call.Node == star.Server && e.Name == mechanism.Executed:
				executed++
			}
		}
	}
	before := n.now.tick
	for range 100 {
		c.acted = 0
		r.Act(1, world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{1}})
	}
	r.Advance(world.Second)
	if most := int(n.now.tick-before+2) * n.config.Actions; executed == 0 || executed > most || executed+dropped != 100 {
		t.Errorf("%d actions carried out and %d dropped", executed, dropped)
	}
}

// TestStrangersAreNotHeard has somebody act whom the server has dismissed.
func TestStrangersAreNotHeard(t *testing.T) {
	r := newRig(t, 2)
	n := r.Node(star.Server).(*server)
	var out mechanism.Outbox
	n.dismiss(r.Now(), 2, &out)
	was := n.now.position
	n.Deliver(r.Now(), mechanism.Message{From: 2, Payload: world.AppendAction([]byte{kindAct}, &world.Action{User: 1})}, &out)
	if n.now.position != was {
		t.Error("the action has a place in the order")
	}
	r.Play(40)
	if n.members.get(2) == nil || n.members.get(2).epoch != 1 || !r.Ready(2) {
		t.Error("who was dismissed does not come back")
	}
}

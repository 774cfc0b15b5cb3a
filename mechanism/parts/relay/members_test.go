package relay

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
)

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
	const flood = 1000
	for range flood {
		c.acted = 0
		r.Act(1, world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{1}})
	}
	r.Advance(world.Second)
	least := ticksMax * n.config.Actions
	if most := least + int(n.now.tick-before+2)*n.config.Actions; executed < least || executed > most || executed+dropped != flood {
		t.Errorf("%d actions carried out and %d dropped", executed, dropped)
	}
}

// TestStrangersAreNotHeard has somebody act whom the server has dismissed.
func TestStrangersAreNotHeard(t *testing.T) {
	r := newRig(t, 2)
	n := r.Node(star.Server).(*server)
	var out mechanism.Outbox
	n.dismiss(r.Now(), n.members.At(2), &out)
	was := n.now.position
	n.Deliver(r.Now(), mechanism.Message{From: 2, Payload: world.AppendAction([]byte{kindAct}, &world.Action{User: 1})}, &out)
	if n.now.position != was {
		t.Error("the action has a place in the order")
	}
	r.Play(40)
	if n.members.At(2) == nil || n.members.At(2).Identity != (membership.Identity{Life: 1}) || !r.Ready(2) {
		t.Error("who was dismissed does not come back")
	}
}

// A server that takes another's place knows nobody: all find out, and begin the world again together.
func TestServerReturns(t *testing.T) {
	r := newRig(t, 3)
	r.Play(40)
	r.Leave(star.Server)
	r.Advance(world.Second)
	if err := r.Join(star.Server); err != nil {
		t.Fatal(err)
	}
	r.Advance(6 * world.Second)
	r.Play(40)
	r.Advance(world.Second)
	for id := mechanism.NodeID(2); id <= 4; id++ {
		if !r.Ready(id) || r.View(id).Hash() != r.View(2).Hash() {
			t.Errorf("%d: ready %v, at tick %d", id, r.Ready(id), r.View(id).Tick())
		}
	}
}

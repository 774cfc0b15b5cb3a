package action

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// TestWhoComesBackLateEntersAgain cuts a client off until its user has been taken out of the world.
func TestWhoComesBackLateEntersAgain(t *testing.T) {
	for _, protocol := range protocols {
		r, c := newRun(t, openTangle{newTangle(2, 3)}, func(c *Config) { c.Protocol, c.Patience = protocol, 4*world.Second })
		whole := r.Network
		r.Network = func(m mechanism.Message) (world.Time, bool) {
			return 20 * ms, m.From == star.Server+1 || m.To == star.Server+1
		}
		r.Advance(8 * world.Second)
		if serverOf(r).state.Get(1) != nil || clientOf(r, 2).view.Get(1) != nil {
			t.Errorf("%s: who was cut off is still in the world", protocol)
		}
		r.Network = whole
		r.Advance(8 * world.Second)
		if serverOf(r).state.Get(1) == nil || clientOf(r, 1).view.Get(1) == nil {
			t.Errorf("%s: who came back is not in the world", protocol)
		}
		if err := c.order.Verdict(); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

// TestWhoComesBackInTimeStays has a client's user come back before anybody could carry out that they leave.
func TestWhoComesBackInTimeStays(t *testing.T) {
	r, c := newRun(t, openTangle{newTangle(1, 1)}, nil)
	c.gone(star.Server + 1)
	r.Bid(star.Server + 1)
	r.Leave(star.Server + 1)
	r.Advance(20 * world.Second)
	if err := r.Join(star.Server + 1); err != nil {
		t.Fatal(err)
	}
	r.Advance(5 * world.Second)
	if n := serverOf(r); n.state.Get(1) == nil || n.order.next != 1 || len(n.partings) > 0 {
		t.Errorf("%s; %d have yet to leave", n.describe(), len(n.partings))
	}
}

// TestFarewellsAreRepeated loses the first goodbye: the client says it again until it is heard, and is gone then.
func TestFarewellsAreRepeated(t *testing.T) {
	r, _ := newRun(t, openTangle{newTangle(2, 2)}, nil)
	r.Advance(world.Second)
	lost := 0
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		drop := m.From == star.NodeOf(1) && lost < 2
		if drop {
			lost++
		}
		return 20 * ms, drop
	}
	n := clientOf(r, 1)
	r.Bid(star.NodeOf(1))
	r.Advance(2 * joinAgain)
	if n.Gone() || lost != 2 {
		t.Fatalf("gone with %d farewells lost", lost)
	}
	r.Advance(joinAgain)
	if !n.Gone() || serverOf(r).members.At(star.NodeOf(1)) != nil {
		t.Error("it was not heard")
	}
}

// TestFarewellForAPredecessor has a place's next holder leave before it has joined: it takes its predecessor out, and a farewell
// of the predecessor's does not take the successor out.
func TestFarewellForAPredecessor(t *testing.T) {
	r, _ := newRun(t, openTangle{newTangle(2, 2)}, nil)
	r.Advance(world.Second)
	n, id := serverOf(r), star.NodeOf(1)
	farewell := func(who membership.Identity) {
		bye := wire.NewReader(who.Append(nil))
		if !n.takeLeave(r.Now(), id, &bye, &mechanism.Outbox{}) {
			t.Fatal("it cannot be read")
		}
	}
	n.members.At(id).Identity = membership.Identity{Epoch: 1, Life: 2}
	farewell(membership.Identity{Epoch: 1, Life: 1})
	if n.members.At(id) == nil {
		t.Error("an earlier life has ended a later one")
	}
	farewell(membership.Identity{Epoch: 2})
	if n.members.At(id) != nil {
		t.Error("the predecessor stays")
	}
}

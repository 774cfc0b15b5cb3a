package action

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/parts/star"
	"throng/world"
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

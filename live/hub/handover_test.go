package hub_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// cable takes what one hub has for nodes elsewhere to another.
type cable struct{ to *hub.Hub }

func (w *cable) Route(m mechanism.Message) bool { return w.to != nil && w.to.Receive(m) }

// pair starts a small world in one hub, and a second hub that holds nothing of it yet.
func pair(t *testing.T, name string) (first, second *hub.Hub) {
	t.Helper()
	var there, back cable
	first = start(t, name, func(c *hub.Config) { c.Fallback = &there })
	second = start(t, name, func(c *hub.Config) {
		c.Fallback = &back
		c.Local = func(mechanism.Place) bool { return false }
		c.FirstUser, c.LastUser = 1001, 1002
	})
	there.to, back.to = second, first
	return first, second
}

// playing counts the artificial players of a hub whose nodes take part.
func playing(h *hub.Hub) (n int) {
	for _, i := range h.Nodes() {
		ready := false
		h.Do(i.Place.ID, func(m *mechanism.Machine) { ready = m.Ready() && i.Place.User != 0 })
		if ready && i.Holding == hub.Artificial {
			n++
		}
	}
	return n
}

func TestPlacesGoToAnotherHubAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "crowd")
		pass(time.Second)
		duties, err := first.Cede(8)
		if err != nil || len(duties) != 8 || duties[0] != (hub.Duty{Node: 21, User: 20, Epoch: 1}) {
			t.Fatalf("%v, %v; want the last 8 of 20 players", duties, err)
		}
		if got := holding(first, 21).Holding; got != hub.Elsewhere {
			t.Errorf("what was given away is held by: %s", got)
		}
		if err := second.Adopt(duties); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if a, b := playing(first), playing(second); a != 12 || b != 8 {
			t.Errorf("%d players here and %d there, want 12 and 8", a, b)
		}

		p, _ := visit(t, second)
		if p.seat.User() != 1001 || !p.sees(1) || !knows(first, 1001) {
			t.Errorf("user %d and those elsewhere do not see each other", p.seat.User())
		}
		if got := len(second.Duties(nil)); got != 9 {
			t.Errorf("the second hub has %d duties, want 8 players and a person", got)
		}

		duties = second.Retire("moving out")
		if reason := <-p.conn.reasons; reason != "moving out" {
			t.Errorf("closed because %q", reason)
		}
		p.runner.Stop()
		if _, err := second.Join(""); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("joining a hub that has retired: %v", err)
		}
		if err := first.Adopt(duties); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if got := playing(first); got != 20 {
			t.Errorf("%d players are back, want 20", got)
		}
		if knows(first, 1001) {
			t.Error("the person whose hub is gone is still in the world")
		}
		for _, i := range first.Nodes() {
			if i.Place.ID == 21 && i.Epoch != 2 {
				t.Errorf("node 21 is back under epoch %d, want 2", i.Epoch)
			}
		}
		stop(t, second)
		stop(t, first)
	})
}

// A person whose seat was an artificial player's leaves it to an artificial player elsewhere.
func TestRetiringHubLeavesPeoplesPlacesToPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "pong")
		duties, err := first.Cede(1)
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Adopt(duties); err != nil {
			t.Fatal(err)
		}
		p, _ := visit(t, second)
		if p.seat.User() != 2 || !p.sees(1) {
			t.Errorf("user %d", p.seat.User())
		}
		p.runner.Stop()
		if err := first.Adopt(second.Retire("")); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if got := playing(first); got != 2 {
			t.Errorf("%d players, want 2", got)
		}
		stop(t, second)
		stop(t, first)
	})
}

// People who have a seat, even if they have yet to attach, keep it.
func TestSeatsAreNotGivenAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "pong")
		reserved := join(t, first, "Ada")
		duties, err := first.Cede(2)
		if err != nil || len(duties) != 1 || duties[0].User == reserved.User() {
			t.Errorf("%v, %v; want the other place only", duties, err)
		}
		if _, err := first.Join(""); !errors.Is(err, hub.ErrFull) {
			t.Errorf("joining where every place is taken or elsewhere: %v", err)
		}
		stop(t, second)
		stop(t, first)
	})
}

// A user who is being taken out of the world is somebody for others to see to when the hub retires meanwhile.
func TestPartingIsHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "crowd")
		p, _ := visit(t, second)
		p.runner.Stop()
		second.Leave(p.seat, "")
		duties := second.Retire("")
		if len(duties) != 1 || duties[0].User != 1001 {
			t.Fatalf("%v, want the user who is leaving", duties)
		}
		if err := first.Adopt(duties); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if knows(first, 1001) {
			t.Error("the user is still in the world")
		}
		stop(t, second)
		stop(t, first)
	})
}

func TestNumbersOfUsersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "crowd")
		for want := world.User(1001); want <= 1002; want++ {
			if got := join(t, second, "").User(); got != want {
				t.Errorf("user %d, want %d", got, want)
			}
		}
		if _, err := second.Join(""); !errors.Is(err, hub.ErrFull) {
			t.Errorf("beyond the last number: %v", err)
		}
		stop(t, second)
		stop(t, first)
	})
}

func TestAdoptRefusesWhatCannotBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := pair(t, "crowd")
		for _, d := range []hub.Duty{
			{Node: 1, User: 0},               // the server
			{Node: 5, User: 9},               // somebody else's place
			{Node: 1 << 30, User: 7},         // not where user 7 would be
			{Node: 1 << 25, User: 1<<25 - 1}, // beyond all IDs
		} {
			if err := second.Adopt([]hub.Duty{d}); err == nil {
				t.Errorf("%+v was adopted", d)
			}
		}
		if err := first.Adopt([]hub.Duty{{Node: 2, User: 1}}); err == nil {
			t.Error("a place that is held here was adopted")
		}
		if got := second.Counters().Lost; got != 4 {
			t.Errorf("%d lost, want 4", got)
		}
		stop(t, second)
		stop(t, first)
		if err := first.Adopt(nil); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("adopting at a closed hub: %v", err)
		}
	})
}

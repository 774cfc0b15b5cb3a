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

func TestPersonEntersAndLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", nil)
		pass(time.Second)
		seat := join(t, h, "Ada")
		p, epoch := open(t, h, seat)
		if seat.User() != 21 || seat.Place().ID != 22 || epoch != 0 {
			t.Errorf("user %d, node %d, epoch %d; want the first beyond the world's own", seat.User(), seat.Place().ID, epoch)
		}
		pass(time.Second)
		if !p.sees(21) || !p.sees(1) {
			t.Error("the newcomer does not see themselves and others")
		}
		if got := h.Counters(); got.People != 1 || got.Artificial != 20 || got.Servers != 1 {
			t.Errorf("%+v", got)
		}

		p.runner.Stop()
		h.Leave(seat, "bye")
		if reason := <-p.conn.reasons; reason != "bye" {
			t.Errorf("closed because %q", reason)
		}
		pass(10 * time.Second)
		if knows(h, 21) {
			t.Error("the world still has the user who left")
		}
		if got := holding(h, 22).Holding; got != hub.Vacant {
			t.Errorf("the place is %s", got)
		}

		next := join(t, h, "Ben")
		q, epoch := open(t, h, next)
		if next.User() != 21 || epoch != 3 {
			t.Errorf("user %d, epoch %d; want the same place, after its holder, the goodbye in its name and the stand-in", next.User(), epoch)
		}
		pass(time.Second)
		if !q.sees(21) {
			t.Error("the next one does not see themselves")
		}
		q.runner.Stop()
		stop(t, h)
	})
}

func TestLostConnectionIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", nil)
		p, epoch := visit(t, h)

		h.Detach(p.seat, p.conn)
		pass(19 * time.Second)
		if got := holding(h, 22); got.Holding != hub.Away || got.Missed == 0 {
			t.Errorf("while away: %+v", got)
		}
		before := p.tick()
		again := &conn{reasons: make(chan string, 1)}
		again.listen(p.runner)
		resumed, err := h.Attach(p.seat, again, false)
		if err != nil || resumed != epoch {
			t.Fatalf("epoch %d, %v; want %d as before", resumed, err, epoch)
		}
		pass(30 * time.Second)
		if p.tick() < before+300 || !knows(h, 21) {
			t.Error("the page does not go on")
		}

		h.Detach(p.seat, p.conn) // the old connection's end, noticed late
		pass(30 * time.Second)
		if got := holding(h, 22).Holding; got != hub.Person {
			t.Errorf("after the end of a connection that was replaced: %s", got)
		}
		p.runner.Stop()
		stop(t, h)
	})
}

func TestSeatIsKeptForGracePeriodOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", nil)
		p, _ := visit(t, h)
		p.runner.Stop()
		h.Detach(p.seat, p.conn)
		pass(hub.DefaultGrace - time.Millisecond)
		if got := holding(h, 22).Holding; got != hub.Away {
			t.Errorf("within the grace period: %s", got)
		}
		pass(10 * time.Second)
		if knows(h, 21) {
			t.Error("the user is still in the world")
		}
		if _, err := h.Attach(p.seat, p.conn, false); !errors.Is(err, hub.ErrGone) {
			t.Errorf("attaching to a lost seat: %v", err)
		}
		if h.Deliver(p.seat, mechanism.Message{To: serverID}) {
			t.Error("somebody speaks from a lost seat")
		}
		stop(t, h)
	})
}

func TestReloadedPageJoinsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", nil)
		first, epoch := visit(t, h)
		second, later := open(t, h, first.seat)
		if later != epoch+1 {
			t.Errorf("epoch %d after %d", later, epoch)
		}
		select {
		case <-first.conn.reasons:
		default:
			t.Error("the first page was not told")
		}
		pass(time.Second)
		if !second.sees(21) || h.Counters().People != 1 {
			t.Error("the second page is not in the world")
		}
		first.runner.Stop()
		second.runner.Stop()
		stop(t, h)
	})
}

func TestPersonTakesOverFromArtificialPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "pong", nil)
		pass(time.Second)
		seat := join(t, h, "Ada")
		if got := holding(h, 2); got.Holding != hub.Artificial || got.Epoch != 0 {
			t.Errorf("before anybody attached: %+v", got)
		}
		p, epoch := open(t, h, seat)
		if seat.User() != 1 || epoch != 1 {
			t.Errorf("user %d, epoch %d", seat.User(), epoch)
		}
		pass(time.Second)
		if p.tick() == 0 {
			t.Error("the newcomer has not been told of the world")
		}
		other := join(t, h, "Ben")
		if _, err := h.Join("Cleo"); !errors.Is(err, hub.ErrFull) {
			t.Errorf("a third in pong: %v", err)
		}

		p.runner.Stop()
		h.Leave(seat, "bye")
		pass(time.Second)
		got := holding(h, 2)
		if got.Holding != hub.Artificial || got.Epoch != 2 || got.Runner.Handled == 0 {
			t.Errorf("after the person left: %+v", got)
		}
		pass(hub.DefaultGrace)
		if got := holding(h, other.Place().ID); got.Holding != hub.Artificial || got.Epoch != 0 || got.Name != "" {
			t.Errorf("the seat that nobody attached to: %+v", got)
		}
		stop(t, h)
	})
}

// Where there are as many places as players, who is away gives way to who is here, at once.
func TestWhoIsAwayGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "pong", nil)
		away := join(t, h, "Ada")
		p, _ := open(t, h, away)
		join(t, h, "Ben") // is on the way, and keeps the seat
		pass(time.Second)
		if _, err := h.Join("Cleo"); !errors.Is(err, hub.ErrFull) {
			t.Errorf("while all are here: %v", err)
		}
		p.runner.Stop()
		h.Detach(away, p.conn)
		if got := join(t, h, "Cleo"); got.User() != away.User() || !away.Gone() {
			t.Errorf("Cleo has the place of user %d; Ada's is gone: %v", got.User(), away.Gone())
		}
		if _, err := h.Join("Dan"); !errors.Is(err, hub.ErrFull) {
			t.Errorf("a fourth: %v", err)
		}
		stop(t, h)
	})
}

func TestSeatsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", func(c *hub.Config) { c.SeatsMax = 2 })
		seat := join(t, h, "Ada")
		join(t, h, "Ben")
		if _, err := h.Join("Cleo"); !errors.Is(err, hub.ErrFull) {
			t.Errorf("beyond the limit: %v", err)
		}
		h.Leave(seat, "never came")
		if again := join(t, h, "Cleo"); again.User() == 22 {
			t.Error("two have the same user")
		}
		stop(t, h)
	})
}

func TestNewUsersAreNumberedAsConfigured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", func(c *hub.Config) { c.FirstUser, c.UserStep = 1000, 256 })
		for _, want := range []world.User{1000, 1256} {
			if seat := join(t, h, ""); seat.User() != want || seat.Place().ID != mechanism.NodeID(want)+serverID {
				t.Errorf("%+v, want user %d", seat.Place(), want)
			}
		}
		stop(t, h)
	})
}

func TestMechanismsWithoutLateJoinRefusePeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withMirror(nil)
		for i := range c.Mechanisms {
			if m := &c.Mechanisms[i]; m.Name == "mirror" {
				m.New = func() mechanism.Mechanism { return &stubborn{} }
			}
		}
		h := startFrom(t, c, hub.Config{Description: description("pong")})
		if _, err := h.Join("Ada"); !errors.Is(err, hub.ErrStatic) {
			t.Errorf("joining: %v", err)
		}
		stop(t, h)
	})
}

// stubborn is mirror with clients that must be there from the start.
type stubborn struct{ mirror }

func (s *stubborn) NewNode(session *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := s.mirror.NewNode(session, p)
	if c, ok := n.(mechanism.Client); ok && p.User != 0 {
		return struct{ mechanism.Client }{c}, err
	}
	return n, err
}

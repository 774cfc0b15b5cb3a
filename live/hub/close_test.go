package hub_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
)

// Everybody says goodbye, users before servers, who thus still hear them; then connections are closed. That nothing goes on
// running, synctest sees to.
func TestCloseLetsEverybodySayGoodbye(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		farewells := make(chan mechanism.NodeID, 10)
		h := startFrom(t, withMirror(farewells), hub.Config{Description: description("pong")})
		pass(time.Second)
		p, _ := visit(t, h)
		if err := h.Close(context.Background(), "maintenance"); err != nil {
			t.Error(err)
		}
		close(farewells)
		var got []mechanism.NodeID
		for id := range farewells {
			got = append(got, id)
		}
		if want := []mechanism.NodeID{3, serverID}; !slices.Equal(got, want) {
			t.Errorf("goodbyes from %d, want %d", got, want)
		}
		if reason := <-p.conn.reasons; reason != "maintenance" {
			t.Errorf("closed because %q", reason)
		}
		p.runner.Stop()

		if _, err := h.Join("Ben"); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("joining a closed world: %v", err)
		}
		if _, err := h.Attach(p.seat, p.conn, false); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("attaching to a closed world: %v", err)
		}
		h.Detach(p.seat, p.conn)
		h.Leave(p.seat, "late")
		if h.Deliver(p.seat, mechanism.Message{To: serverID}) {
			t.Error("a closed world takes a datagram")
		}
		if err := h.Close(context.Background(), ""); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("closing twice: %v", err)
		}
	})
}

func TestCloseInAHurrySkipsGoodbyes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		farewells := make(chan mechanism.NodeID, 10)
		h := startFrom(t, withMirror(farewells), hub.Config{Description: description("pong")})
		pass(time.Second)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := h.Close(ctx, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want that it was cut short", err)
		}
		if len(farewells) != 0 {
			t.Errorf("%d goodbyes", len(farewells))
		}
	})
}

func TestCloseWhileSomebodyIsBeingTakenOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", nil)
		for range 40 { // more than are taken out at once
			seat := join(t, h, "")
			p, _ := open(t, h, seat)
			p.runner.Stop()
			h.Leave(seat, "bye")
		}
		synctest.Wait()
		stop(t, h)
	})
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name   string
		config hub.Config
		want   string
	}{
		{"unknown world", hub.Config{Description: session.Description{World: session.Choice{Name: "pongg"}, Mechanism: session.Choice{Name: "mirror"}}},
			`unknown world "pongg"; did you mean "pong"?`},
		{"a place given twice", hub.Config{Description: session.Description{World: small[0], Mechanism: session.Choice{Name: "mirror"},
			Places: []mechanism.Place{{ID: 1}, {ID: 1}}}}, "node 1: the place is given twice"},
		{"no place", hub.Config{Description: session.Description{World: small[0], Mechanism: session.Choice{Name: "mirror"},
			Places: []mechanism.Place{{}}}}, "node 0: IDs are 1 to 16777216"},
	} {
		_, err := hub.Start(c.config, withMirror(nil))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}
